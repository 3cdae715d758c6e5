package tui

import (
	"strings"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

const (
	// bellWait is how long somebody waits for the selected run before the bell rings.
	bellWait = 10 * time.Second
	// maxNotification is how long the text of a notification is, in cells.
	maxNotification = 200
)

func (a *App) toggleBell() {
	a.bell = !a.bell
	if a.bell {
		a.say("bell on: it rings when the selected vacuum ends, somebody has waited 10 s for it, or another index pass begins")
	} else {
		a.say("bell off")
	}
}

// ring rings the bell and notifies, by OSC 9, when something has happened to the
// selected run between two snapshots.
func (a *App) ring(before, now *model.Snapshot) tea.Cmd {
	if !a.bell || before == nil || a.run == nil {
		return nil
	}
	happened := happenings(before, now, a.run.Key)
	if len(happened) == 0 {
		return nil
	}
	text := a.options.name() + ": " + show(model.Text(strings.Join(happened, " ")))
	text = ansi.Truncate(a.theme.chars(text), maxNotification, "...")
	return a.send(ansi.Notify(text) + "\a")
}

// happenings are what a person wants to be called for: the run has ended, somebody
// has waited for it for bellWait where nobody had, another index pass has begun.
func happenings(before, now *model.Snapshot, key model.RunKey) []string {
	was, is := findRun(before, key), findRun(now, key)
	if was == nil || is == nil || was.State == model.StateEnded {
		return nil
	}
	var out []string
	if is.State == model.StateEnded {
		return append(out, model.Verdict(now, is)[0])
	}
	name := now.NameOf(is)
	if !anyWaited(before, was) && anyWaited(now, is) {
		out = append(out, "Somebody has waited "+model.FormatDuration(bellWait)+" for "+name+".")
	}
	if pass := is.IndexPass(); pass > 1 && pass > was.IndexPass() {
		out = append(out, "Another index pass of "+name+" has begun.")
	}
	return out
}

// anyWaited tells whether somebody has waited for the run for bellWait.
func anyWaited(s *model.Snapshot, r *model.Run) bool {
	for _, w := range s.Behind(r) {
		if w.Waited.Or(w.SeenFor) >= bellWait {
			return true
		}
	}
	return false
}
