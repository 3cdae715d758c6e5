package tui

import (
	"io"
	"unicode/utf8"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// What goes to the terminal beside the screen: the clipboard, the bell.

// send writes a sequence to the terminal. It moves no cursor and draws nothing, so
// that it can stand between two frames.
func (a *App) send(sequence string) tea.Cmd {
	to := a.options.Terminal
	if to == nil {
		return nil
	}
	return func() tea.Msg {
		_, _ = io.WriteString(to, sequence) // a terminal that is gone ends the program elsewhere
		return nil
	}
}

// Summary is the selected run in a few plain lines, as it is drawn; "" when none is
// selected.
func (a *App) Summary() string {
	if a.run == nil {
		return ""
	}
	return report.Summary(a.snap, a.run, a.options.Location)
}

// copySummary puts the summary into the clipboard.
func (a *App) copySummary() tea.Cmd { return a.copied(a.Summary()) }

// copyMsg is a text that a dialog wants in the clipboard.
type copyMsg struct{ text string }

// copied puts a text into the clipboard, by OSC 52. The terminal does not say whether
// it did.
func (a *App) copied(text string) tea.Cmd {
	n := utf8.RuneCountInString(text)
	a.say("copied " + model.FormatCount(int64(n)) + " characters; your terminal must allow OSC 52")
	return a.send(ansi.SetSystemClipboard(text))
}
