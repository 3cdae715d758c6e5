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
	return &undoDialog{actions: actions, quitting: quitting, list: list{cursor: max(0, len(actions.Stands())-1)}}
}

func (d *undoDialog) title() string {
	if d.quitting {
		return "Quit, and leave this behind?"
	}
	return "Put back"
}

func (d *undoDialog) hint() string {
	if d.quitting {
		return "↑↓ choose  enter puts it back  q leaves it and quits  n esc stays"
	}
	return "↑↓ choose  enter puts it back  esc closes"
}

func (d *undoDialog) closed() (bool, string, dialog) { return d.over, d.said, nil }

func (d *undoDialog) setData(s *model.Snapshot) { d.snap = s }

func (d *undoDialog) typed(msg tea.KeyMsg) tea.Cmd {
	stands := d.actions.Stands()
	switch {
	case d.quitting && (msg.String() == "q" || msg.String() == "y"):
		return tea.Quit
	case d.quitting && msg.String() == "n":
		d.over, d.said = true, ""
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
		d.over = left == 0 && len(d.leaving()) == 0
		if d.over && d.quitting {
			return tea.Quit
		}
	}
	return nil
}

func (d *undoDialog) draw(w, h int) []line {
	stands := d.actions.Stands()
	var out, below []line
	for _, sent := range d.leaving() {
		out = append(out, wrapped("Without this screen "+show(model.Text(sent.WithoutUs()))+".", styleNote, w)...)
	}
	if len(stands) == 0 {
		out = append(out, text(styleDim, "No change stands that was made from here."))
	}
	if d.list.cursor < len(stands) {
		below = d.back(stands[d.list.cursor], w)
	}
	if d.sending {
		below = append(below, text(styleNote, "sending, and reading back ..."))
	}
	below = append(append(below, wrapped(d.said, styleGood, w)...), failure(d.err, w)...)
	from, to := d.list.window(len(stands), max(1, h-len(out)-len(below)-1))
	for i := from; i < to; i++ {
		out = append(out, fit(append(marker(i == d.list.cursor), plain(" "+show(model.Text(standSentence(stands[i]))))...), w))
	}
	return append(append(out, text(styleDim, d.list.note())), below...)
}

// leaving are the VACUUMs that would be left alone.
func (d *undoDialog) leaving() []model.Sent {
	if !d.quitting {
		return nil
	}
	return d.actions.Running()
}

// back is what putting a change back would send.
func (d *undoDialog) back(done model.Done, w int) []line {
	if !done.Before.Known {
		return wrapped("What was set before could not be read by this role, so it cannot be put back from here.", styleNote, w)
	}
	c := done.Change
	c.Value = done.Before.Value
	lines, err := changeLines(d.actions, c, w)
	if err != nil {
		return failure(err, w)
	}
	return lines
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
