// Package early keeps bubbletea from asking the terminal for its colours.
//
// bubbletea's init asks for the background colour and waits up to five seconds
// where nothing answers, for every command, even version. It does not ask when
// the answer is already there. Packages that wait for the same imports are
// initialised in the order of their paths, so this path has to sort before
// github.com/charmbracelet/bubbletea; a test in a mute pseudo-terminal guards
// the effect. The theme is chosen without asking (--theme, COLORFGBG).
package early

import "github.com/charmbracelet/lipgloss"

func init() { lipgloss.SetHasDarkBackground(true) }
