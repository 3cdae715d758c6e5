package model

import (
	"strings"
	"testing"
)

// Each thing is explained once in its subject, by a short line first.
func TestExplanationsAreWhole(t *testing.T) {
	const short = 60 // characters, beside the name at 80 columns
	subjects := map[Subject]bool{}
	for _, s := range Explanations() {
		if subjects[s.Subject] {
			t.Errorf("%s stands there twice", s.Subject)
		}
		subjects[s.Subject] = true
		names := map[string]bool{}
		for _, e := range append([]Explanation{s.About}, s.Of...) {
			switch {
			case e.Name == "" || e.What == "":
				t.Errorf("%s: not explained: %+v", s.Subject, e)
			case len([]rune(e.What)) > short && e != s.About:
				t.Errorf("%s, %s: longer than %d characters: %s", s.Subject, e.Name, short, e.What)
			case strings.HasSuffix(e.What, ".") || e.More != "" && !strings.HasSuffix(e.More, "."):
				t.Errorf("%s, %s: the first line ends without a full stop, the rest with one: %+v", s.Subject, e.Name, e)
			case names[e.Name] && e != s.About:
				t.Errorf("%s: %s stands there twice", s.Subject, e.Name)
			}
			names[e.Name] = true
		}
	}
}

// All phases that the server has, all endings and all settings that vacuums obey most
// have a text; so has whatever finds something.
func TestWhatARowShowsIsExplained(t *testing.T) {
	for _, phase := range []string{
		"initializing", phaseScanningHeap, phaseVacuumingIndexes, phaseVacuumingHeap, phaseCleaningUp, phaseTruncating, "performing final cleanup",
		"seq scanning heap", "index scanning heap", "sorting tuples", "writing new heap", "catch-up", "swapping relation files", "rebuilding index",
	} {
		if len(Explain(SubjectNames, phase)) != 1 {
			t.Errorf("phase %q is not explained", phase)
		}
	}
	for _, end := range []Ending{EndCompleted, EndNotCompleted, EndCancelled, EndFailed, EndGaveWay, EndNotVisible, EndLost} {
		if len(Explain(SubjectEndings, string(end))) != 1 {
			t.Errorf("ending %q is not explained", end)
		}
	}
	for _, r := range Rules() {
		if e := r.Explain(); e.Name == "" || e.What == "" || e.Source == "" || !strings.Contains(e.More, r.Helps) {
			t.Errorf("rule %+v is explained by %+v", r.Name, e)
		}
	}
}
