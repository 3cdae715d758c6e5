package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// Every action that is built is found by its own words, and enter does it.
func TestActionsAreFoundByTheirLetters(t *testing.T) {
	for _, b := range bindings() {
		if !b.Enabled() || b.action == actPalette {
			continue
		}
		a := screen(parallelSnapshot())
		press(a, ":")
		typeText(a, b.Help().Desc)
		if found := a.choices(a.prompt.input.Value()); len(found) == 0 || found[0].action != b.action {
			t.Errorf("%q finds %v", b.Help().Desc, found)
		}
		if lineWith(a, glyphSelected, b.Help().Key, b.Help().Desc) == "" {
			t.Errorf("%q is not on the screen with its key:\n%s", b.Help().Desc, a.View())
		}
	}
	a := screen(parallelSnapshot())
	press(a, ":")
	typeText(a, "pasdrw") // letters of: pause drawing
	press(a, "enter")
	if !a.paused || a.prompt != nil || lineWith(a, "Actions") != "" {
		t.Errorf("enter does not pause:\n%s", a.View())
	}
	press(a, ":")
	typeText(a, "quit")
	if _, cmd := a.Update(tea.KeyMsg{Type: tea.KeyEnter}); !isQuit(cmd) {
		t.Error("enter on quit does not quit")
	}
}

func TestActionListMovesAndCloses(t *testing.T) {
	a := screen(parallelSnapshot())
	press(a, ":", "down", "down", "up")
	if lineWith(a, glyphSelected, "previous pane") == "" {
		t.Errorf("one down:\n%s", a.View())
	}
	press(a, "esc")
	if lineWith(a, "Actions") != "" || a.prompt != nil {
		t.Errorf("esc does not close the list:\n%s", a.View())
	}
	press(a, ":")
	typeText(a, "#")
	if lineWith(a, "no action has these letters") == "" {
		t.Errorf("nothing is found:\n%s", a.View())
	}
	press(a, "enter")
	if a.prompt != nil {
		t.Error("enter on nothing does not close the list")
	}
}

// What is not possible now is dim with its reason in the list, and says it when its
// key is pressed; the next key takes that away.
func TestImpossibleActionSaysWhy(t *testing.T) {
	a := screen(parallelSnapshot())
	resize(a, 50, 20)
	press(a, "z")
	if lineWith(a, "z: on a terminal this small") == "" {
		t.Errorf("z on a small terminal says nothing:\n%s", a.View())
	}
	press(a, "j")
	if strings.Contains(a.View(), "terminal this small") {
		t.Errorf("the reason stays:\n%s", a.View())
	}
	press(a, ":")
	typeText(a, "fills")
	if lineWith(a, "║ on a terminal this small") == "" {
		t.Errorf("the list does not say why:\n%s", a.View())
	}
}

func TestToastGoesByTheServersClock(t *testing.T) {
	a := screen(parallelSnapshot())
	a.say("a toast")
	s := parallelSnapshot()
	s.Now = s.Now.Add(toastShown / 2)
	a.Update(SnapshotMsg{s})
	if lineWith(a, "a toast") == "" {
		t.Errorf("a toast is gone at once:\n%s", a.View())
	}
	s = parallelSnapshot()
	s.Now = s.Now.Add(toastShown)
	a.Update(SnapshotMsg{s})
	if lineWith(a, "a toast") != "" {
		t.Errorf("a toast stays:\n%s", a.View())
	}
}
