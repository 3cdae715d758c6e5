package tui

import "testing"

// height is how many lines a layout draws.
func (l layout) height() int {
	return l.header + l.verdict + l.status + l.footer + l.paneLines()
}

func TestLayoutFillsTheScreen(t *testing.T) {
	for w := tinyWidth; w <= 220; w += 10 {
		for h := tinyHeight; h <= 90; h++ {
			for focus := paneVacuums; focus < panes; focus++ {
				for _, zoomed := range []bool{false, true} {
					l := arrange(w, h, focus, zoomed)
					if crowded := l.roomFor(64); crowded.height() != l.height() || crowded.pane[paneVacuums] < l.pane[paneVacuums] {
						t.Fatalf("%dx%d, focus %d, zoomed %v, with many vacuums: %+v, else %+v", w, h, focus, zoomed, crowded, l)
					}
					if idle := l.idle(focus); idle.height() != l.height() || idle.pane[focus] == 0 && l.pane[focus] > 0 {
						t.Fatalf("%dx%d, focus %d, zoomed %v, idle: %+v, else %+v", w, h, focus, zoomed, idle, l)
					}
					if l.height() != h {
						t.Fatalf("%dx%d, focus %d, zoomed %v: %d lines: %+v", w, h, focus, zoomed, l.height(), l)
					}
					if l.mode == modeFull && l.pane[focus] == 0 {
						t.Fatalf("%dx%d, focus %d, zoomed %v: the pane with the focus is not drawn", w, h, focus, zoomed)
					}
				}
			}
		}
	}
}

func TestLayoutDegrades(t *testing.T) {
	for _, c := range []struct {
		w, h int
		want mode
	}{
		{0, 0, modeFull}, {60, 15, modeFull}, {59, 15, modeCompact}, {60, 14, modeCompact},
		{30, 6, modeCompact}, {29, 6, modeTiny}, {30, 5, modeTiny}, {1, 1, modeTiny},
	} {
		if got := arrange(c.w, c.h, paneVacuums, false).mode; got != c.want {
			t.Errorf("%dx%d: mode %d, want %d", c.w, c.h, got, c.want)
		}
	}
	if got, want := arrange(0, 0, paneVacuums, false), arrange(80, 24, paneVacuums, false); got != want {
		t.Errorf("before a size is known: %+v, want that of 80x24: %+v", got, want)
	}
}

func TestPhasesAreBehindTabAt80x24(t *testing.T) {
	if l := arrange(80, 24, paneVacuums, false); l.pane[panePhases] != 0 || l.pane[paneProcesses] == 0 || l.pane[paneLocks] < 5 {
		t.Errorf("80x24: %+v", l)
	}
	if l := arrange(80, 24, panePhases, false); l.pane[panePhases] == 0 {
		t.Errorf("80x24 with the focus on phases: %+v", l)
	}
	if l := arrange(120, 40, paneVacuums, false); l.pane[panePhases] == 0 || l.pane[paneProcesses] == 0 || l.pane[paneLocks] == 0 {
		t.Errorf("120x40: %+v", l)
	}
}
