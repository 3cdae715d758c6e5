package tui

import (
	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// Recorder records what is watched into files.
type Recorder interface {
	// Record begins a file, or ends the one that it began, and tells the file's name and
	// whether it was begun. It may block.
	Record() (file string, begun bool, err error)
	// Recording tells that a file which somebody asked for is being written. It does not
	// block.
	Recording() bool
}

// recordedMsg says what came of Record.
type recordedMsg struct {
	file  string
	begun bool
	err   error
}

func (a *App) record() tea.Cmd {
	r := a.options.Recorder
	return func() tea.Msg {
		file, begun, err := r.Record()
		return recordedMsg{file, begun, err}
	}
}

// recorded tells what came of it.
func (a *App) recorded(msg recordedMsg) {
	name := show(model.Text(msg.file))
	switch {
	case msg.err != nil:
		a.say("not recorded: " + oneLine(model.Text(msg.err.Error())))
	case msg.begun:
		a.say("recording from now on into " + name + "; " + label(actRecord) + " ends it")
	default:
		a.say("recorded into " + name)
	}
}
