package tui

import (
	"fmt"
	"io"
	"os"
	"testing"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// TestMain takes away what could make one machine draw differently from another.
func TestMain(m *testing.M) {
	for _, name := range []string{"NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLORFGBG", "RUNEWIDTH_EASTASIAN", "LC_ALL"} {
		os.Unsetenv(name)
	}
	os.Setenv("TZ", "UTC")
	os.Setenv("LANG", "C.UTF-8")
	os.Setenv("TERM", "xterm-256color")
	os.Exit(m.Run())
}

// newApp is an App with the colours of a profile.
func newApp(profile termenv.Profile, ascii bool) *App {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	return New(Options{Target: "app@db1:5432", Version: "0.1.0", Location: fixtureZone, Dark: true, ASCII: ascii, Renderer: r})
}

func resize(a *App, w, h int) { a.Update(tea.WindowSizeMsg{Width: w, Height: h}) }

// press types keys, named as bubbletea names them.
func press(a *App, keys ...string) {
	named := map[string]tea.KeyType{
		"tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown,
		"ctrl+c": tea.KeyCtrlC, "enter": tea.KeyEnter, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	for _, k := range keys {
		if t, ok := named[k]; ok {
			a.Update(tea.KeyMsg{Type: t})
			continue
		}
		if k == " " {
			a.Update(tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}})
			continue
		}
		a.Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
	}
}

// states are the screens that are designed, not left over.
func states() map[string]*model.Snapshot {
	return map[string]*model.Snapshot{
		"connecting": nil,
		"empty":      emptySnapshot(),
		"parallel":   parallelSnapshot(),
		"many":       manySnapshot(),
		"hidden":     hiddenSnapshot(),
		"waiting":    waitingSnapshot(),
		"attached":   attachedSnapshot(),
		"lost":       lostSnapshot(),
		"hostile":    hostileSnapshot(),
		"ended":      endedSnapshot(),
	}
}

// sizes are those whose frames are kept.
var sizes = [][2]int{{80, 24}, {120, 40}}

func TestFrames(t *testing.T) {
	for name, snapshot := range states() {
		for _, size := range sizes {
			t.Run(fmt.Sprintf("%s_%dx%d", name, size[0], size[1]), func(t *testing.T) {
				a := newApp(termenv.Ascii, false)
				resize(a, size[0], size[1])
				a.Update(SnapshotMsg{snapshot})
				golden.RequireEqual(t, a.View())
			})
		}
	}
}
