package tui

import (
	"context"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// undoDialog lists the changes that this program made and that still stand, and
// puts back the one chosen. Before quitting it asks whether to leave them.
type undoDialog struct {
	actions  Actions
	quitting bool // the person wants to leave
	snap     *model.Snapshot
	list     list
	sending  bool
	err      error
	over     bool
	said     string
}

func newUndoDialog(actions Actions, quitting bool) *undoDialog {
	return &undoDialog{actions: actions, quitting: quitting, list: list{cursor: len(actions.Stands()) - 1}}
}

func (d *undoDialog) title() string {
	if d.quitting {
		return "These changes still stand"
	}
	return "Put back"
}

func (d *undoDialog) hint() string {
	if d.quitting {
		return "↑↓ choose  enter puts it back  q keeps them and quits  esc stays"
	}
	return "↑↓ choose  enter puts it back  esc closes"
}

func (d *undoDialog) closed() (bool, string, dialog) { return d.over, d.said, nil }

func (d *undoDialog) setData(s *model.Snapshot) { d.snap = s }

func (d *undoDialog) typed(msg tea.KeyMsg) tea.Cmd {
	stands := d.actions.Stands()
	switch {
	case d.quitting && msg.String() == "q":
		return tea.Quit
	case d.sending:
	case msg.Type == tea.KeyEnter && d.list.cursor < len(stands):
		d.sending, d.err = true, nil
		chosen := stands[d.list.cursor]
		return asking(d, func(ctx context.Context) (model.Done, error) { return d.actions.PutBack(ctx, chosen) })
	default:
		d.list.move(actionOf(msg, false), len(stands))
	}
	return nil
}

func (d *undoDialog) answered(body any) tea.Cmd {
	d.sending = false
	switch body := body.(type) {
	case error:
		d.err = body
	case model.Done:
		d.said = "put back: " + doneSentence(body)
		left := len(d.actions.Stands())
		d.over = left == 0
		if d.over && d.quitting {
			return tea.Quit
		}
	}
	return nil
}

func (d *undoDialog) draw(w, h int) []line {
	stands := d.actions.Stands()
	var out []line
	if len(stands) == 0 {
		out = append(out, text(styleDim, "Nothing stands that was changed from here."))
	}
	from, to := d.list.window(len(stands), max(1, h-8))
	for i := from; i < to; i++ {
		out = append(out, fit(append(marker(i == d.list.cursor), plain(" "+standSentence(stands[i]))...), w))
	}
	if d.list.cursor < len(stands) {
		out = append(out, nil)
		out = append(out, d.back(stands[d.list.cursor], w)...)
	}
	if d.sending {
		out = append(out, text(styleNote, "sending, and reading back ..."))
	}
	if d.said != "" {
		out = append(out, wrapped(d.said, styleGood, w)...)
	}
	return append(out, failure(d.err, w)...)
}

// back is what putting a change back would send.
func (d *undoDialog) back(done model.Done, w int) []line {
	if !done.Before.Known {
		return wrapped("What was set before could not be read by this role, so it cannot be put back from here.", styleNote, w)
	}
	c := done.Change
	c.Value = done.Before.Value
	statements, err := d.actions.Statements(c)
	if err != nil {
		return failure(err, w)
	}
	var out []line
	for _, sql := range statements {
		out = append(out, wrapped(show(model.Text(sql))+";", styleStrong, w)...)
	}
	return out
}

// standSentence is one change with what stood before it.
func standSentence(d model.Done) string {
	value := func(v model.Opt[string], known bool) string {
		switch {
		case !known:
			return "not known"
		case v.Known():
			return v.Or("")
		}
		return "not set"
	}
	return d.Change.Place() + ": " + d.Change.Name + " " + value(d.Before.Value, d.Before.Known) + " → " + value(d.Change.Value, true)
}
