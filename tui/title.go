package tui

import (
	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// Untitled is what takes the screen's title from the terminal again; it is written
// once the program has ended, however it did.
func Untitled() string { return ansi.SetWindowTitle("") }

// retitle sets the terminal's title when it is no longer right: how far the
// selected run's phase is, then which table.
func (a *App) retitle() tea.Cmd {
	title := a.options.name()
	if a.run != nil && a.snap != nil {
		name := show(model.Text(a.snap.NameOf(a.run)))
		if done, ok := a.run.Done().Get(); ok && a.run.End == nil && a.run.Phase() != nil {
			name = model.FormatPercent(done) + " " + show(a.run.Phase().Phase) + ", " + name
		}
		title = name + " – " + title
	}
	if title == a.windowTitle {
		return nil
	}
	a.windowTitle = title
	return tea.SetWindowTitle(a.theme.chars(title))
}
