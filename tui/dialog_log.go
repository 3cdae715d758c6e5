package tui

import (
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// logDialog lists what this program sent to change the server, the last first.
type logDialog struct {
	location *time.Location
	snap     *model.Snapshot
	list     list
}

func (d *logDialog) title() string                  { return "Commands sent from here, settings seen to change" }
func (d *logDialog) hint() string                   { return "↑↓ move  esc closes" }
func (d *logDialog) closed() (bool, string, dialog) { return false, "", nil }
func (d *logDialog) answered(any) tea.Cmd           { return nil }
func (d *logDialog) setData(s *model.Snapshot)      { d.snap = s }

func (d *logDialog) typed(msg tea.KeyMsg) tea.Cmd {
	d.list.move(actionOf(msg, false), len(d.entries()))
	return nil
}

// logEntry is a command or a change of a setting, whoever made that.
type logEntry struct {
	at     time.Time
	result string
	style  style
	text   string
	says   string // what more there is to it
}

// entries are what was sent, and what was seen to change, the last first.
func (d *logDialog) entries() []logEntry {
	var out []logEntry
	for _, e := range d.snap.Commands {
		entry := logEntry{at: e.At, result: commandResult(e), style: resultStyle(e), text: oneLine(e.Text)}
		if e.Result != nil {
			entry.says = show(e.Result.Message)
		}
		out = append(out, entry)
	}
	for _, c := range d.snap.SettingChanges {
		entry := logEntry{at: c.At, result: "seen", style: styleNote, text: show(model.Text(c.String())), says: "Somebody else changed it."}
		if c.Ours {
			entry.says = "It was changed from here."
		}
		for _, r := range slices.Concat(d.snap.Active, d.snap.Ended) {
			for _, mine := range r.Changes {
				if mine.At.Equal(c.At) && mine.New == c.New {
					entry.says += " " + show(model.Text(d.snap.NameOf(r)+mine.Effect())) + "."
				}
			}
		}
		out = append(out, entry)
	}
	slices.SortStableFunc(out, func(a, b logEntry) int { return b.at.Compare(a.at) })
	return out
}

func (d *logDialog) draw(w, h int) []line {
	entries := d.entries()
	if len(entries) == 0 {
		return []line{text(styleDim, "Nothing has been sent to change the server, and no setting was seen to change.")}
	}
	var out []line
	from, to := d.list.window(len(entries), max(1, h-5))
	for i := from; i < to; i++ {
		e := entries[i]
		out = append(out, fit(append(marker(i == d.list.cursor), line{
			{" " + e.at.In(d.location).Format("15:04:05") + "  ", styleDim},
			{fmt.Sprintf("%-14s ", e.result), e.style},
			{e.text, stylePlain},
		}...), w))
	}
	out = append(out, text(styleDim, d.list.note()))
	return append(out, wrapped(entries[d.list.cursor].says, styleNote, w)...)
}

// commandResult is how a command ended, in a word.
func commandResult(e model.Event) string {
	switch {
	case e.Result == nil || e.Result.How == model.EndCompleted:
		return "done"
	case e.Result.SQLState != "":
		return string(e.Result.How) + " " + e.Result.SQLState
	}
	return "not known"
}

func resultStyle(e model.Event) style {
	if e.Result == nil || e.Result.How == model.EndCompleted {
		return styleGood
	}
	return styleBad
}
