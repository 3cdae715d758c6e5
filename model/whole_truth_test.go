package model

import (
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"testing"
	"time"
)

// What is asked of the estimate, after a fifth of a run.
const (
	leastHeld = 80 // percent of the moments
	mostOff   = 15 // percent of the run's length, median
	leastTold = 80 // percent of the moments at which there has to be one

	leastBeats = 10 // of a run that is measured
)

// accuracy is how well the estimates of runs met their ends.
type accuracy struct {
	moments, stalled, held int
	errors, naive          []float64 // of the run's length
	ofLeft                 []float64 // of what was really left
	width                  []float64 // half of the range, of its middle
}

// accuracy measures one run, where its end could be foreseen.
func (r recorded) accuracy() accuracy {
	var a accuracy
	for _, s := range r.after(0.2) {
		if s.At.Before(r.foreseeable) {
			continue
		}
		run := r.run(s)
		if run.Whole.Stalled.Known() {
			a.stalled++
			continue
		}
		a.moment(run, r.end.Sub(s.At).Seconds(), s.At.Sub(r.began).Seconds())
	}
	return a
}

// moment takes one estimate, with what was really left and what was over.
func (a *accuracy) moment(run *Run, truth, over float64) {
	a.moments++
	whole := truth + over
	p := run.Progress
	if scanned := float64(p.HeapBlksScanned.Or(0)); scanned > 0 {
		a.naive = append(a.naive, math.Abs(over*float64(p.HeapBlksTotal.Or(0))/scanned-over-truth)/whole)
	}
	left, ok := run.Whole.Left.Get()
	if !ok {
		return
	}
	// The end and the moment are known to a beat's part.
	const slack = 0.3
	if left.Low.Seconds()-slack <= truth && truth <= left.High.Seconds()+slack {
		a.held++
	}
	middle := run.Whole.Middle.Or(0).Seconds()
	a.width = append(a.width, (left.High-left.Low).Seconds()/2/max(middle, slack))
	a.ofLeft = append(a.ofLeft, math.Abs(middle-truth)/max(truth, slack))
	a.errors = append(a.errors, math.Abs(middle-truth)/whole)
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func (a *accuracy) add(b accuracy) {
	a.moments, a.stalled, a.held = a.moments+b.moments, a.stalled+b.stalled, a.held+b.held
	a.errors, a.ofLeft, a.naive, a.width = append(a.errors, b.errors...), append(a.ofLeft, b.ofLeft...), append(a.naive, b.naive...), append(a.width, b.width...)
}

func (a *accuracy) heldPercent() float64 { return 100 * float64(a.held) / float64(max(1, a.moments)) }

func (a *accuracy) toldPercent() float64 {
	return 100 * float64(len(a.errors)) / float64(max(1, a.moments))
}

// byKind measures the runs of a folder by kind, and together.
func byKind(t testing.TB, folder string) map[string]*accuracy {
	kinds := map[string]*accuracy{"all": {}}
	for _, r := range recordedRuns(t, folder) {
		if len(r.snaps) < leastBeats {
			continue
		}
		a := r.accuracy()
		if kinds[r.kind()] == nil {
			kinds[r.kind()] = &accuracy{}
		}
		kinds[r.kind()].add(a)
		kinds["all"].add(a)
		t.Logf("%-20s %5.1f s: %v", r.name, r.length().Seconds(), a.String())
	}
	return kinds
}

func TestTimeLeftHoldsTheTrueEndOfRecordedRuns(t *testing.T) {
	for kind, a := range byKind(t, tunedRuns) {
		a.meets(t, kind)
	}
	byKind(t, heldOutRuns)["all"].meets(t, "held out")
	byKind(t, freshRuns)["all"].meets(t, "fresh")
}

func (a *accuracy) meets(t *testing.T, kind string) {
	t.Helper()
	if a.heldPercent() < leastHeld || 100*median(a.errors) > mostOff || a.toldPercent() < leastTold {
		t.Errorf("%s: %s", kind, a)
	}
}

// Beside elapsed x total / scanned, on runs of real servers.
func BenchmarkTimeLeft(b *testing.B) {
	for kind, a := range sorted(byKind(b, tunedRuns)) {
		b.Run(kind, func(b *testing.B) { a.report(b, true) })
	}
	for _, held := range []struct{ name, folder string }{{"held", heldOutRuns}, {"fresh", freshRuns}} {
		for kind, a := range sorted(byKind(b, held.folder)) {
			b.Run(held.name+"/"+kind, func(b *testing.B) { a.report(b, kind == "all") })
		}
	}
}

func sorted(kinds map[string]*accuracy) iter.Seq2[string, *accuracy] {
	return func(yield func(string, *accuracy) bool) {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			if !yield(kind, kinds[kind]) {
				return
			}
		}
	}
}

// report gives the figures; a kind of few runs that were held out has no limit.
func (a *accuracy) report(b *testing.B, limits bool) {
	for range b.N {
	}
	b.ReportMetric(0, "ns/op")
	held, off := "beside-held-%", "beside-off-%"
	if limits {
		held, off = "held-%", "off-%"
		b.ReportMetric(leastHeld, "least-held-%")
		b.ReportMetric(mostOff, "limit-off-%")
	}
	b.ReportMetric(a.heldPercent(), held)
	b.ReportMetric(100*median(a.errors), off)
	b.ReportMetric(100*median(a.naive), "beside-naive-off-%")
	b.ReportMetric(100*median(a.width), "beside-±-%")
}

// What holds at every moment of every recorded run.
func TestTimeLeftIsConsistent(t *testing.T) {
	for _, r := range everyRun(t) {
		done := Ratio(0)
		for _, s := range r.snaps {
			w := r.run(s).Whole
			if now := w.Done.Or(done); now < done || now > 1 {
				t.Errorf("%s: progress went from %v to %v", r.name, done, now)
			} else {
				done = now
			}
			w.check(t, r.name)
		}
	}
}

// check tells whether what is said of the time left fits together.
func (w Whole) check(t testing.TB, name string) {
	t.Helper()
	left, ok := w.Left.Get()
	middle, both := w.Middle.Get()
	if ok != both || ok == (w.WhyNot != "") {
		t.Errorf("%s: range %v, middle %v, why not %q", name, ok, both, w.WhyNot)
	}
	if w.Stalled.Known() && ok {
		t.Errorf("%s: stalled, and %v left", name, left)
	}
	var sum time.Duration
	for _, p := range w.Parts {
		sum += p.Middle
		if p.Left.Low < 0 || p.Left.Low > p.Middle || p.Middle > p.Left.High || p.Passes < 1 || p.How == "" {
			t.Errorf("%s: part %+v", name, p)
		}
		if share := p.Asleep.Or(0); !(share >= 0 && share <= 1) {
			t.Errorf("%s: %v of %s asleep", name, share, p.Phase)
		}
	}
	if ok && (left.Low < 0 || left.Low > middle || middle > left.High || left.High > longestLeft+time.Second || sum != middle) {
		t.Errorf("%s: %v, middle %v, parts %v", name, left, middle, sum)
	}
}

func (a accuracy) String() string {
	return fmt.Sprintf("%3d moments, told at %3.0f %%, stalled at %d; held %3.0f %%; off by %4.1f %% of the run, %3.0f %% of what was left; ±%3.0f %%; naive off by %3.0f %%",
		a.moments, a.toldPercent(), a.stalled, a.heldPercent(), 100*median(a.errors), 100*median(a.ofLeft), 100*median(a.width), 100*median(a.naive))
}
