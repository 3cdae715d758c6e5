package model

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whatever was seen of a real run, its process-time is divided without rest.
func TestSharesAddUpToOne(t *testing.T) {
	divided := 0
	for _, r := range everyRun(t) {
		for _, s := range r.snaps {
			run := r.run(s)
			for _, shares := range []Opt[TimeShares]{run.Shares(), run.Phase().Shares()} {
				division, ok := shares.Get()
				if !ok {
					continue
				}
				divided++
				sum := 0.0
				for class, share := range division.Of {
					sum += float64(share)
					if share < 0 || share > 1 {
						t.Errorf("%s: %s takes %v", r.name, Class(class), share)
					}
				}
				if math.Abs(sum-1) > 1e-9 {
					t.Errorf("%s: the shares add up to %v: %v", r.name, sum, division.Of)
				}
			}
		}
	}
	if divided == 0 {
		t.Error("nothing was divided")
	}
}

// What is said of runs of known kinds: what they were made for, from 5 s on mostly,
// and nothing that they were not.
func TestRecordedRunsHaveTheirVerdicts(t *testing.T) {
	throttled := []string{"delay-bound", "fewer workers"}
	kinds := map[string][]string{ // the first is what the kind is; the others are true of some of them
		"throttled": throttled, "visible": throttled, "bare": {"delay-bound"}, "bypass": {"delay-bound"}, "same": throttled,
		"passes": {"passes repeated", "delay-bound"}, "free": {"", "I/O-bound", "fewer workers"}, // not throttled: some of them waited for reads
		"direct":   {"I/O-bound"},
		"parallel": {"delay-bound", "workers unbalanced", "fewer workers"}, "huge": {"delay-bound", "workers unbalanced", "fewer workers"},
		"auto": throttled, "autopasses": {"delay-bound", "fewer workers", "passes repeated"}, "autoparallel": throttled, "aggressive": throttled, "wraparound": throttled,
		"freeze": throttled, "analyze": throttled, "changed": throttled, "cold": throttled, "samemany": throttled, "samevisible": throttled, "sameparallel": throttled,
		"pinned": {"", "held by a pin", "lock waits", "delay-bound"}, "failsafe": {"", "delay-bound", "passes repeated"}, // they change on the way
	}
	for _, r := range everyRun(t) {
		kind, _, _ := strings.Cut(r.name, "-")
		count, moments := map[string]int{}, 0
		for _, s := range r.after(0.2) {
			run := r.run(s)
			if run.Watched() < leastJudged {
				short := run.Watched() < leastJudged-time.Second                                            // a phase begins up to a beat before it is seen
				if found := Findings(s, run); short && len(found) > 0 && found[0].Rule != "held by a pin" { // that is seen at once
					t.Errorf("%s, seen for %v: %+v", r.name, run.Watched(), found)
				}
				continue
			}
			moments++
			for _, f := range Findings(s, run) {
				count[f.Rule]++
				if !slices.Contains(kinds[kind], f.Rule) {
					t.Errorf("%s: %s (%s) %s", r.name, f.Rule, f.Sentence, f.Helps)
				}
			}
		}
		t.Logf("%-16s %d moments: %v", r.name, moments, count)
		if want := kinds[kind][0]; want != "" && !holds(r.name) && float64(count[want]) < 0.6*float64(moments) {
			t.Errorf("%s: %q is said at %d of %d moments", r.name, want, count[want], moments)
		}
	}
}

// holds tells the recorded runs whose memory for dead rows is enough: from 17 on they
// take less of it.
func holds(name string) bool {
	return strings.HasPrefix(name, "passes") && (strings.HasSuffix(name, "17") || strings.HasSuffix(name, "18") || strings.HasSuffix(name, "19"))
}
