package model

import (
	"math"
	"testing"
	"time"
)

// sameRuns are the recorded runs over the same table with other settings than the
// first one (same-base).
var sameRuns = map[string]CostSettings{
	"same-w1-18": {5 * time.Millisecond, 100}, "same-w2-18": {10 * time.Millisecond, 250}, "same-w3-18": {20 * time.Millisecond, 125},
	"same-w4-18": {2 * time.Millisecond, 80}, "same-w5-18": {0, 100},
}

// prediction is what was said of a run with other settings, and how it really was.
type prediction struct {
	name       string
	said, took float64 // seconds
	held       bool
	off        float64 // of what it took
}

// predictions are made at 30 % of the first run, with its settings known or not.
func predictions(t testing.TB, known bool) []prediction {
	t.Helper()
	base := replayed(t, "testdata/runs/same-base-18.jsonl.gz")
	if length := base.end.Sub(base.began); length < 20*time.Second {
		t.Fatalf("the run took %v only", length)
	}
	run := *base.run(base.after(0.3)[0])
	if known {
		c := CostSettings{10 * time.Millisecond, 100}
		ms, _ := c.perUnit(run.Whole.Pace.PageCost)
		run.Whole.Pace.Settings, run.Whole.Pace.Low, run.Whole.Pace.Middle, run.Whole.Pace.High = Some(c), ms, ms, ms
	}
	var out []prediction
	for _, name := range []string{"same-w1-18", "same-w2-18", "same-w3-18", "same-w4-18", "same-w5-18"} {
		w, why := run.WhatIf(sameRuns[name])
		if why != "" {
			t.Fatal(why)
		}
		other := replayed(t, "testdata/runs/"+name+".jsonl.gz")
		p := prediction{name: name, said: w.AgainMiddle.Seconds(), took: other.end.Sub(other.began).Seconds()}
		p.off = math.Abs(p.said-p.took) / p.took
		p.held = w.Again.Low.Seconds() <= p.took && p.took <= w.Again.High.Seconds()
		t.Logf("known %v, %s: %.1f s said (%v), took %.1f s: off by %.0f %%, held %v", known, name, p.said, w.Again, p.took, 100*p.off, p.held)
		out = append(out, p)
	}
	return out
}

func TestWhatIfMeetsTheTimeThatOtherSettingsTook(t *testing.T) {
	for _, known := range []bool{true, false} {
		var off []float64
		for _, p := range predictions(t, known) {
			off = append(off, p.off)
		}
		if m := 100 * median(off); m > 15 {
			t.Errorf("settings known %v: off by %.0f %%", known, m)
		}
	}
}

func BenchmarkWhatIf(b *testing.B) {
	for range b.N {
	}
	var off []float64
	for _, p := range predictions(b, true) {
		off = append(off, 100*p.off)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(off), "off-%")
	b.ReportMetric(15, "limit-off-%")
}
