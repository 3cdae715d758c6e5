package model

import (
	"fmt"
	"math"
	"testing"
	"time"
)

// sameRuns are recorded runs over one table each: the first under its settings, the
// others under those named (.ci/capture).
var sameRuns = map[string]struct {
	base CostSettings
	then map[string]CostSettings
}{
	"same": {settingsOf(10, 100), map[string]CostSettings{
		"w1": settingsOf(5, 100), "w2": settingsOf(10, 250), "w3": settingsOf(20, 125), "w4": settingsOf(2, 80), "w5": settingsOf(0, 100)}},
	"samemany": {settingsOf(10, 250), map[string]CostSettings{
		"w1": settingsOf(5, 200), "w2": settingsOf(10, 600), "w3": settingsOf(20, 300), "w4": settingsOf(2, 100)}},
	"samevisible": {settingsOf(20, 100), map[string]CostSettings{
		"w1": settingsOf(10, 100), "w2": settingsOf(20, 250), "w3": settingsOf(20, 70), "w4": settingsOf(5, 80)}},
	"sameparallel": {settingsOf(10, 150), map[string]CostSettings{
		"w1": settingsOf(5, 150), "w2": settingsOf(10, 400), "w3": settingsOf(20, 200), "w4": settingsOf(2, 50)}},
}

func settingsOf(delay, limit int) CostSettings {
	return CostSettings{Delay: time.Duration(delay) * time.Millisecond, Limit: limit}
}

// prediction is how far what was said of a run with other settings was from how it
// really was.
type prediction struct {
	off  float64 // of what it took
	held bool
}

// predictions are made at 30 % of the first run, with its settings known or not.
func predictions(t testing.TB, table string, known bool) []prediction {
	t.Helper()
	base := replayed(t, fmt.Sprintf("%s/%s-base-18.jsonl.gz", tunedRuns, table))
	if base.length() < 20*time.Second {
		t.Fatalf("%s: the run took %v only", table, base.length())
	}
	run := *base.run(base.after(0.3)[0])
	if known {
		c := sameRuns[table].base
		ms, _ := c.perUnit(run.Whole.Pace.PageCost)
		run.Whole.Pace.Settings, run.Whole.Pace.Low, run.Whole.Pace.Middle, run.Whole.Pace.High = Some(c), ms, ms, ms
	}
	var out []prediction
	for name, then := range sameRuns[table].then {
		w, why := run.WhatIf(then)
		if why != "" {
			t.Fatalf("%s: %s", table, why)
		}
		took := replayed(t, fmt.Sprintf("%s/%s-%s-18.jsonl.gz", tunedRuns, table, name)).length()
		p := prediction{off: math.Abs((w.AgainMiddle - took).Seconds()) / took.Seconds(), held: w.Again.Low <= took && took <= w.Again.High}
		t.Logf("%-12s known %-5v %s: %5.1f s said (%s), took %5.1f s: off by %3.0f %%, held %v",
			table, known, name, w.AgainMiddle.Seconds(), FormatRange(w.Again), took.Seconds(), 100*p.off, p.held)
		out = append(out, p)
	}
	return out
}

// mostOffWhatIf is the median error that is allowed, in percent.
const mostOffWhatIf = 15

func TestWhatIfMeetsTheTimeThatOtherSettingsTook(t *testing.T) {
	for table := range sameRuns {
		for _, known := range []bool{true, false} {
			if off, _ := summary(predictions(t, table, known)); off > mostOffWhatIf {
				t.Errorf("%s, settings known %v: off by %.0f %%", table, known, off)
			}
		}
	}
}

// summary is the median error and how many ranges held, both in percent.
func summary(ps []prediction) (off, held float64) {
	var all []float64
	for _, p := range ps {
		all = append(all, 100*p.off)
		if p.held {
			held += 100 / float64(len(ps))
		}
	}
	return median(all), held
}

func BenchmarkWhatIf(b *testing.B) {
	for _, table := range []string{"same", "samemany", "samevisible", "sameparallel"} {
		for name, known := range map[string]bool{"known": true, "unknown": false} {
			off, held := summary(predictions(b, table, known))
			b.Run(table+"/"+name, func(b *testing.B) {
				for range b.N {
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(off, "off-%")
				b.ReportMetric(mostOffWhatIf, "limit-off-%")
				b.ReportMetric(held, "beside-held-%")
			})
		}
	}
}
