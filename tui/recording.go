package tui

import (
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// Recorder records what is watched into files.
type Recorder interface {
	// Record begins a file, with what is kept of what was seen since a moment where one
	// is given, or ends the file that it began. It may block.
	Record(since model.Opt[time.Time]) (Recorded, error)
	// Recording tells that a file which somebody asked for is being written. It does not
	// block.
	Recording() bool
}

// Recorded is what came of Record.
type Recorded struct {
	File  string
	Begun bool // else it was ended
	// Since is when the file begins, by the server's clock; absent where it begins now.
	Since model.Opt[time.Time]
}

// recordedMsg says what came of Record.
type recordedMsg struct {
	Recorded
	asked model.Opt[time.Time]
	err   error
}

// record begins a file, with what was seen of the vacuums that run, or ends it.
func (a *App) record() tea.Cmd {
	var since model.Opt[time.Time]
	for _, r := range a.latest.Active {
		if first, known := since.Get(); !known || r.FirstSeen.Before(first) {
			since = model.Some(r.FirstSeen)
		}
	}
	r := a.options.Recorder
	return func() tea.Msg {
		done, err := r.Record(since)
		return recordedMsg{done, since, err}
	}
}

// recorded tells what came of it, first into which file: what does not fit on a small
// screen is cut.
func (a *App) recorded(msg recordedMsg) {
	name, from := show(model.Text(msg.File)), "now on"
	if since, past := msg.Since.Get(); past {
		from = since.In(a.options.Location).Format("15:04") + " on"
		if since.After(msg.asked.Or(since)) {
			from += ", the earliest that is kept"
		}
	}
	switch {
	case msg.err != nil:
		a.say("not recorded: " + oneLine(model.Text(msg.err.Error())))
	case msg.Begun:
		a.say(name + ": recording from " + from + "; " + label(actRecord) + " ends it")
	default:
		a.say(name + ": recorded")
	}
}
