package tui

import (
	"fmt"
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

func (d *logDialog) title() string                  { return "Commands sent from here" }
func (d *logDialog) hint() string                   { return "↑↓ move  esc closes" }
func (d *logDialog) closed() (bool, string, dialog) { return false, "", nil }
func (d *logDialog) answered(any) tea.Cmd           { return nil }
func (d *logDialog) setData(s *model.Snapshot)      { d.snap = s }

func (d *logDialog) typed(msg tea.KeyMsg) tea.Cmd {
	d.list.move(actionOf(msg, false), len(d.snap.Commands))
	return nil
}

func (d *logDialog) draw(w, h int) []line {
	commands := d.snap.Commands
	if len(commands) == 0 {
		return []line{text(styleDim, "Nothing has been sent to change the server.")}
	}
	var out []line
	from, to := d.list.window(len(commands), max(1, h-3))
	for i := from; i < to; i++ {
		e := commands[i]
		out = append(out, fit(append(marker(i == d.list.cursor), line{
			{" " + e.At.In(d.location).Format("15:04:05") + "  ", styleDim},
			{fmt.Sprintf("%-14s ", commandResult(e)), resultStyle(e)},
			{oneLine(e.Text), stylePlain},
		}...), w))
	}
	if d.list.cursor < len(commands) {
		if r := commands[d.list.cursor].Result; r != nil && r.Message != "" {
			out = append(out, nil)
			out = append(out, wrapped(show(r.Message), styleNote, w)...)
		}
	}
	return out
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
