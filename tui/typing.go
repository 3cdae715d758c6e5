package tui

import (
	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// typedInPrompt takes a key while a prompt has them. Those that leave the program
// keep their meaning, and up and down move in what is listed.
func (a *App) typedInPrompt(msg tea.KeyMsg) tea.Cmd {
	a.dirty, a.toast = true, toast{}
	switch msg.Type {
	case tea.KeyEsc:
		a.endPrompt(false)
	case tea.KeyEnter:
		return a.endPrompt(true)
	case tea.KeyCtrlC, tea.KeyCtrlZ:
		return a.press(actionOf(msg, a.seeks()))
	case tea.KeyUp, tea.KeyDown:
		a.moveInPrompt(actionOf(msg, a.seeks()))
	default:
		if a.prompt.edit(msg) {
			a.promptChanged()
		}
	}
	return nil
}

// moveInPrompt moves among the actions to choose from, else in the focused pane.
func (a *App) moveInPrompt(act action) {
	if a.chooser != nil {
		a.chooser.list.move(act, len(a.choices()))
		return
	}
	a.pressInPane(act)
}

func (a *App) promptChanged() {
	if a.goingTo {
		return
	}
	if a.chooser != nil {
		a.chooser.list.cursor = 0
		return
	}
	a.narrow(a.prompt.input.Value())
}

// endPrompt closes the prompt: kept, its filter stays or its action is done; else
// there is no filter.
func (a *App) endPrompt(kept bool) tea.Cmd {
	if a.goingTo {
		typed := a.prompt.input.Value()
		a.prompt, a.goingTo = nil, false
		if !kept || typed == "" {
			return nil
		}
		return a.goTo(typed)
	}
	chooser := a.chooser
	if chooser == nil {
		if !kept {
			a.narrow("")
		}
		a.prompt = nil
		return nil
	}
	choices := a.choices()
	a.prompt, a.chooser = nil, nil
	if kept && chooser.list.cursor < len(choices) {
		return a.press(choices[chooser.list.cursor].action)
	}
	return nil
}

// promptHint says what there is for what was typed, and how to leave the prompt.
func (a *App) promptHint() string {
	if a.goingTo {
		return "12:14:05  +5m  -30s  40%   enter goes there  esc closes"
	}
	if a.chooser != nil {
		return model.FormatCounted(len(a.choices()), "action", "actions") + "   enter does it  esc closes"
	}
	const keys = "enter keeps it  esc clears it"
	if a.snap == nil || !a.narrowing.filter.set() {
		return keys
	}
	return notes(a.narrowing.filter.count(a.narrowing.counts(a.snap)), keys)
}

// narrow lists only what has the text; "" lists everything.
func (a *App) narrow(text string) {
	a.narrowing.filter.text = text
	a.showAgain()
}
