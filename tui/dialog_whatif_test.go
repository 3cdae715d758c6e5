package tui

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// A cell opens what brings its settings: a new run, or a change that the run follows.
func TestACellOpensTheChangeThatBringsIt(t *testing.T) {
	a := acted(newApp(termenv.Ascii, false), serverOfActions(), 120, 40, wholeSnapshot())
	act(a, "w", "j", "j", "l", "enter")
	if d, ok := a.dialog.(*planDialog); !ok || d.plan.CostDelay != "5ms" || d.plan.CostLimit != "500" || d.replace == nil || d.plan.Parallel.Or(0) != 8 {
		t.Errorf("%T %+v", a.dialog, a.dialog)
	}
	a = acted(newApp(termenv.Ascii, false), serverOfActions(), 120, 40, wholeAutovacuumSnapshot())
	act(a, "w", "k", "k", "enter")
	d, ok := a.dialog.(*settingsDialog)
	if !ok {
		t.Fatalf("%T", a.dialog)
	}
	if c, staged := d.change(); !staged || c.Name != autovacuumDelay || c.Value.Or("") != "0ms" {
		t.Errorf("%+v", c)
	}
}

// Before 16 a running worker goes no faster for a change: only a new run does.
func TestBefore16AnAutovacuumIsNoRunThatFollows(t *testing.T) {
	s := wholeAutovacuumSnapshot()
	s.Server.VersionNum = 150018
	a := acted(newApp(termenv.Ascii, false), serverOfActions(), 120, 40, s)
	act(a, "w", "enter")
	if _, ok := a.dialog.(*planDialog); !ok {
		t.Errorf("%T", a.dialog)
	}
}

func TestReadOnlyTellsWhatIfAndOpensNothing(t *testing.T) {
	f := serverOfActions()
	f.readOnly = true
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, wholeSnapshot())
	act(a, "w", "enter")
	if _, ok := a.dialog.(*whatIfDialog); !ok || !strings.Contains(a.View(), "read-only") {
		t.Errorf("%T\n%s", a.dialog, a.View())
	}
}
