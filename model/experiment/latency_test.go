package experiment

import (
	"math"
	"testing"
	"time"
)

// Percentiles are those of the values to the width of a bucket, and absent where no value
// lies above them.
func TestPercentilesOfLatency(t *testing.T) {
	var h Histogram
	for i := 1000; i > 0; i-- {
		h.Add(time.Duration(i) * time.Millisecond)
	}
	for p, want := range map[int]float64{50: 500, 95: 950, 99: 990} {
		got := float64(h.Percentile(p).Or(0)) / float64(time.Millisecond)
		if math.Abs(got-want)/want > 0.02 {
			t.Errorf("P%d is %v ms, want about %v", p, got, want)
		}
	}
	if h.N != 1000 || h.Max != time.Second {
		t.Errorf("%d values up to %s", h.N, h.Max)
	}
	var few Histogram
	for range 99 {
		few.Add(0)
	}
	if few.Percentile(99).Known() || !few.Percentile(95).Known() || (Histogram{}).Percentile(50).Known() {
		t.Error("a percentile is known that the values do not hold, or is not where they do")
	}
}

// A window is 60 s, and at most a fifth of the run: before, during and after a vacuum
// lies what was due then.
func TestWindowsAroundAggressiveVacuums(t *testing.T) {
	for _, c := range []struct {
		run    time.Duration
		window float64 // in seconds
	}{{10 * time.Minute, 60}, {50 * time.Second, 10}} {
		l := NewLatency(began, c.run)
		for s := 0.5; s < c.run.Seconds(); s++ {
			l.Add(at(s), time.Duration(s*float64(time.Second)))
		}
		from, to := c.run.Seconds()/2, c.run.Seconds()/2+c.window
		run := Run{At: began, Duration: c.run, Measures: Measures{Latency: l, Vacuums: []Vacuum{
			vacuumed(1, 2, VacuumNormal), vacuumed(from, to, VacuumAggressive),
		}}}
		windows := run.Windows()
		if len(windows) != 1 {
			t.Fatalf("%d windows, want that of the aggressive vacuum", len(windows))
		}
		w := windows[0]
		for what, h := range map[string]Histogram{"before": w.Before, "during": w.During, "after": w.After} {
			if math.Abs(float64(h.N)-c.window) > c.window/slicesInWindow {
				t.Errorf("run of %s: %d statements %s the vacuum, want about %v", c.run, h.N, what, c.window)
			}
		}
		if w.Before.Max >= w.During.Max || w.During.Max >= w.After.Max {
			t.Errorf("the windows are not one after another: %s, %s, %s", w.Before.Max, w.During.Max, w.After.Max)
		}
		if n := l.Whole().N; n != int64(c.run.Seconds()) {
			t.Errorf("%d statements in all", n)
		}
	}
}

// A day's run has no more slices than are kept, and its windows are still 60 s.
func TestLatencyOfADay(t *testing.T) {
	l := NewLatency(began, 24*time.Hour)
	if n := 24 * time.Hour / l.Slice; n > mostSlices {
		t.Errorf("%d slices", n)
	}
	if l.Slice > 20*time.Second || time.Minute%l.Slice != 0 {
		t.Errorf("a slice is %s", l.Slice)
	}
}

// What a slice keeps does not grow with the number of statements.
func TestLatencyKeepsCounts(t *testing.T) {
	l := NewLatency(began, time.Hour)
	for i := range 200_000 {
		l.Add(began, time.Duration(i%5000)*time.Microsecond)
	}
	if n := len(l.Slices[0].Buckets); len(l.Slices) != 1 || n > 500 {
		t.Errorf("%d slices, %d buckets", len(l.Slices), n)
	}
}
