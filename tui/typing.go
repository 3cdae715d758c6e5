package tui

import tea "github.com/charmbracelet/bubbletea"

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
		if a.prompt.edit(msg) && a.prompt.changed != nil {
			a.prompt.changed(a.prompt.input.Value())
		}
	}
	return nil
}

// moveInPrompt moves among the actions to choose from, else in the focused pane.
func (a *App) moveInPrompt(act action) {
	if c := a.chooser(); c != nil {
		c.list.move(act, len(a.choices(a.prompt.input.Value())))
		return
	}
	a.pressInPane(act)
}

// endPrompt closes the prompt, and does what it was for.
func (a *App) endPrompt(kept bool) tea.Cmd {
	p := a.prompt
	a.prompt = nil
	return p.ended(p.input.Value(), kept)
}

// openFilter opens a prompt whose text narrows what is listed; kept, it stays the filter,
// else there is none.
func (a *App) openFilter() {
	a.prompt = newPrompt(label(actFilter), a.narrowing.filter.text, promptUse{
		hint: a.filterHint, changed: a.narrow,
		ended: func(_ string, kept bool) tea.Cmd {
			if !kept {
				a.narrow("")
			}
			return nil
		},
	})
}

// filterHint says how much there is for what was typed.
func (a *App) filterHint() string {
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
