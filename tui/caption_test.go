package tui

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

func captionOf(over, last bool) *model.Caption {
	c := &model.Caption{Scenario: "old-snapshot", Stage: 1, Stages: 2, Title: "a report is still open", Happens: "Rows were updated.", Look: "H lists who keeps them."}
	if over {
		c.Seen = "VACUUM removed 0 dead rows."
	}
	if last {
		c.Stage = 2
	}
	return c
}

// A caption stands above the panes; at the end of a step it has what came of it and the key.
func TestCaptionTellsWhatADemonstrationShows(t *testing.T) {
	for _, test := range []struct {
		over, last  bool
		shows, lack []string
	}{
		{false, false, []string{"old-snapshot, step 1 of 2: a report is still open", "Rows were updated.", "Look: H lists who keeps them."}, []string{"goes on ┐"}},
		{true, false, []string{"VACUUM removed 0 dead rows.", "Rows were updated.", "Look: H lists who keeps them.", "n goes on ┐"}, nil},
		{true, true, []string{"step 2 of 2", "the end: q quits ┐"}, []string{"n goes on"}},
	} {
		s := parallelSnapshot()
		s.Caption = captionOf(test.over, test.last)
		a := screen(s)
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			resize(a, size[0], size[1])
			screen := ansi.Strip(a.View())
			if lines := strings.Split(screen, "\n"); len(lines) != size[1] {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, text := range test.shows {
				if !strings.Contains(screen, text) {
					t.Errorf("%v: %q is not on the screen:\n%s", size, text, screen)
				}
			}
			for _, text := range test.lack {
				if strings.Contains(screen, text) {
					t.Errorf("%v: %q is on the screen:\n%s", size, text, screen)
				}
			}
		}
	}
}

// However long the title is, the key stands beside it.
func TestCaptionWithALongTitleHasItsKey(t *testing.T) {
	s := parallelSnapshot()
	s.Caption = captionOf(true, false)
	s.Caption.Title = model.Text(strings.Repeat("a report is still open, ", 10))
	a := screen(s)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		resize(a, size[0], size[1])
		if screen := ansi.Strip(a.View()); !strings.Contains(screen, "step 1 of 2: a report is still open,") || !strings.Contains(screen, " n goes on ┐") {
			t.Errorf("%v:\n%s", size, screen)
		}
	}
}

// The key goes on where a step is over, and says else why not.
func TestNextStepOnlyWhereOneIsOver(t *testing.T) {
	asked := 0
	for _, test := range []struct {
		caption *model.Caption
		asks    int
		says    string
	}{
		{nil, 0, "n: this step goes on"},
		{captionOf(false, false), 0, "n: this step goes on"},
		{captionOf(true, false), 1, ""},
		{captionOf(true, true), 0, "n: this was the last step"},
	} {
		asked = 0
		s := parallelSnapshot()
		s.Caption = test.caption
		a := screen(s)
		a.options.NextStep = func() { asked++ }
		press(a, "n")
		if asked != test.asks || !strings.Contains(a.View(), test.says) {
			t.Errorf("%+v: asked %d times\n%s", test.caption, asked, a.View())
		}
	}
	a := screen(parallelSnapshot())
	press(a, "n")
	if !strings.Contains(a.View(), "only a scenario has steps") {
		t.Errorf("without a scenario:\n%s", a.View())
	}
}
