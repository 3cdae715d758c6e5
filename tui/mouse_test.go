package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
)

// at is where a text stands on the screen.
func at(t *testing.T, a *App, words string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(a.View(), "\n") {
		if i := strings.Index(l, words); i >= 0 {
			return ansi.StringWidth(l[:i]), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", words, a.View())
	return 0, 0
}

func clickOn(t *testing.T, a *App, words string) {
	t.Helper()
	x, y := at(t, a, words)
	a.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
}

func wheelOn(t *testing.T, a *App, words string, button tea.MouseButton, times int) {
	t.Helper()
	x, y := at(t, a, words)
	for range times {
		a.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: button})
	}
}

// Until it is asked for, the mouse is the terminal's.
func TestMouseIsOffAtStart(t *testing.T) {
	a := screen(manySnapshot())
	clickOn(t, a, "orders_2026_03")
	if lineWith(a, glyphSelected, "orders_2026_03") != "" {
		t.Errorf("a click selects:\n%s", a.View())
	}
	if got := fmt.Sprintf("%T", update(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("m")})[0]); got != "tea.enableMouseCellMotionMsg" {
		t.Errorf("m asks for %s", got)
	}
	if got := fmt.Sprintf("%T", update(a, tea.ResumeMsg{})[0]); got != "tea.enableMouseCellMotionMsg" {
		t.Errorf("after fg the mouse is not asked for again: %s", got)
	}
	if got := fmt.Sprintf("%T", update(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("m")})[0]); got != "tea.disableMouseMsg" {
		t.Errorf("m again asks for %s", got)
	}
	if got := update(a, tea.ResumeMsg{}); len(got) > 0 {
		t.Errorf("after fg: %v", got)
	}
}

func TestClickSelectsARow(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {50, 20}} {
		a := screen(manySnapshot())
		press(a, "m")
		resize(a, size[0], size[1])
		clickOn(t, a, "orders_2026_03")
		if lineWith(a, glyphSelected, "orders_2026_03") == "" {
			t.Errorf("%v: a click on a vacuum:\n%s", size, a.View())
		}
	}
	a := screen(manySnapshot())
	press(a, "m", "j", "j", "j") // the one with many processes
	clickOn(t, a, "454000")
	if a.focus != paneProcesses || lineWith(a, glyphSelected, "454000") == "" {
		t.Errorf("a click on a process:\n%s", a.View())
	}
	clickOn(t, a, "470002")
	if a.focus != paneLocks || lineWith(a, glyphSelected, "470002") == "" {
		t.Errorf("a click on a wait:\n%s", a.View())
	}
	clickOn(t, a, "Phases ──")
	if a.focus != panePhases {
		t.Errorf("a click on a frame:\n%s", a.View())
	}
	clickOn(t, a, "Delay and process-time")
	if a.focus != paneDelay {
		t.Errorf("a click beside the phases:\n%s", a.View())
	}
}

func TestClickOnARunThatEnded(t *testing.T) {
	a := screen(roundsSnapshot())
	press(a, "m")
	_, y := at(t, a, "ended  ")
	a.Update(tea.MouseMsg{X: 10, Y: y + 1, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
	if got, want := a.run, a.snap.Ended[1]; got != want {
		t.Errorf("a click on the second that ended selects %v, want %v:\n%s", got.Key, want.Key, a.View())
	}
}

func TestWheelScrollsWhatIsUnderIt(t *testing.T) {
	a := screen(manySnapshot())
	press(a, "m")
	wheelOn(t, a, "Vacuums", tea.MouseButtonWheelDown, 4)
	wheelOn(t, a, "Vacuums", tea.MouseButtonWheelUp, 1)
	if lineWith(a, glyphSelected, "orders_2026_04") == "" || a.focus != paneVacuums {
		t.Errorf("the wheel on the vacuums:\n%s", a.View())
	}
	press(a, "?")
	before := a.helpTop
	wheelOn(t, a, "Help:", tea.MouseButtonWheelDown, 2)
	a.View()
	if lineWith(a, "Help:") == "" || a.helpTop == before && lineWith(a, " of ") == "" {
		t.Errorf("the wheel on the help:\n%s", a.View())
	}
}

// What is covered cannot be pointed at.
func TestClickDoesNotReachWhatIsCovered(t *testing.T) {
	for _, key := range []string{"?", "enter", ":"} {
		a := screen(manySnapshot())
		press(a, "m")
		x, y := at(t, a, "470002")
		selected := a.run
		press(a, key)
		a.View()
		a.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		if a.focus != paneVacuums || a.run != selected {
			t.Errorf("under %q a click gives the focus to pane %d", key, a.focus)
		}
	}
}
