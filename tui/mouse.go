package tui

import tea "github.com/charmbracelet/bubbletea"

// place is where a pane was drawn.
type place struct{ x, y, w, h int }

func (p place) has(x, y int) bool { return x >= p.x && x < p.x+p.w && y >= p.y && y < p.y+p.h }

// clickable is a content whose rows can be pointed at.
type clickable interface {
	// rowAt is the row on a line of what was drawn, and the row under the cursor.
	rowAt(line int) (row, cursor int, ok bool)
}

// toggleMouse makes the terminal report its mouse, or leave it to the person: while
// it reports, most terminals select text only with shift held.
func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.say("mouse on: a click selects, the wheel scrolls; " + label(actMouse) + " gives it back to the terminal")
		return tea.EnableMouseCellMotion
	}
	a.say("mouse off: the terminal selects text")
	return tea.DisableMouse
}

// pointed does what a click or the wheel asks for.
func (a *App) pointed(msg tea.MouseMsg) {
	if !a.mouse || msg.Action != tea.MouseActionPress || a.layout().mode == modeTiny {
		return
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		a.wheel(msg, actUp)
	case tea.MouseButtonWheelDown:
		a.wheel(msg, actDown)
	case tea.MouseButtonLeft:
		if !a.help && a.chooser() == nil && a.page == nil && a.explainer == nil {
			a.click(msg.X, msg.Y)
		}
	}
}

// wheel scrolls what lies on top, else the pane under the mouse.
func (a *App) wheel(msg tea.MouseMsg, act action) {
	a.dirty = true
	switch {
	case a.explainer != nil:
		a.explainer.move(act)
	case a.chooser() != nil:
		a.moveInPrompt(act)
	case a.help:
		a.scrollHelp(act)
	case a.page != nil:
		a.page.content.handle(act)
	default:
		if id, ok := a.paneAt(msg.X, msg.Y); ok {
			a.handleIn(id, act)
		}
	}
}

// click gives a pane the focus, and makes the row under the mouse the one under its
// cursor.
func (a *App) click(x, y int) {
	id, ok := a.paneAt(x, y)
	if !ok {
		return
	}
	a.dirty = true
	if a.layout().mode == modeFull {
		a.focus = id
	}
	p := a.panes[id]
	line := y - a.places[id].y
	if !p.frameless {
		line--
	}
	rows, ok := p.content.(clickable)
	if !ok {
		return
	}
	row, cursor, ok := rows.rowAt(line)
	for ; ok && row < cursor; cursor-- {
		a.handleIn(id, actUp)
	}
	for ; ok && row > cursor; cursor++ {
		a.handleIn(id, actDown)
	}
}

func (a *App) paneAt(x, y int) (paneID, bool) {
	for id, p := range a.places {
		if p.has(x, y) {
			return paneID(id), true
		}
	}
	return 0, false
}
