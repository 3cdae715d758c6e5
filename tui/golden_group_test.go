package tui

import (
	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// groupStates are the screens of commands over several relations.
func groupStates() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"commands":      commandsSnapshot(),
		"commands_over": commandsOverSnapshot(),
	}
}

// groupCases are their frames with a command opened.
func groupCases() []frameCase {
	var cases []frameCase
	for _, state := range []string{"commands", "commands_over"} {
		cases = append(cases,
			frameCase{name: state + "_open", w: 120, h: 40, profile: termenv.Ascii, state: state, keys: []string{"g", "j", "l", "z"}},
			frameCase{name: state + "_open", w: 80, h: 24, profile: termenv.Ascii, state: state, keys: []string{"g", "j", "l"}})
	}
	return cases
}
