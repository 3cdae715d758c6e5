package model

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// recorded is a run as it was really watched, to its end.
type recorded struct {
	name  string
	snaps []*Snapshot // those in which it runs, after a fifth of it
	end   time.Time
	began time.Time
	datid uint32
}

// recordedRuns reads testdata/runs: samples of real servers, to be replayed.
func recordedRuns(t testing.TB) []recorded {
	t.Helper()
	files, err := filepath.Glob("testdata/runs/*.jsonl.gz")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded runs: %v", err)
	}
	var out []recorded
	for _, file := range files {
		out = append(out, replayed(t, file))
	}
	return out
}

func replayed(t testing.TB, file string) recorded {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var tracker Tracker
	var snaps []*Snapshot
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s Sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		snaps = append(snaps, tracker.Step(s))
	}
	last := snaps[len(snaps)-1]
	i := slices.IndexFunc(last.Ended, func(r *Run) bool { return r.Key.DatID == last.Server.DatID && r.Table.Or("") == "t" })
	if i < 0 || last.Ended[i].End.How != EndCompleted {
		t.Fatalf("%s: the run did not complete in it", file)
	}
	run := last.Ended[i]
	end := run.End.At.Add(-run.End.Within / 2)
	r := recorded{name: strings.TrimSuffix(filepath.Base(file), ".jsonl.gz"), end: end, began: run.Began, datid: run.Key.DatID}
	for _, s := range snaps {
		if run := r.run(s); run != nil && run.State == StateRunning {
			r.snaps = append(r.snaps, s)
		}
	}
	return r
}

// run is the recorded one in a snapshot; others may have run beside it.
func (r recorded) run(s *Snapshot) *Run {
	for _, run := range s.Active {
		if run.Key.DatID == r.datid {
			return run
		}
	}
	return nil
}

// after are the snapshots from a share of the run on.
func (r recorded) after(share float64) []*Snapshot {
	from := r.began.Add(time.Duration(share * float64(r.end.Sub(r.began))))
	var out []*Snapshot
	for _, s := range r.snaps {
		if !s.At.Before(from) {
			out = append(out, s)
		}
	}
	return out
}

// accuracy is how well the estimates of a run met its end.
type accuracy struct {
	moments, without, held int
	errors, naive          []float64 // of the run's length
	ofLeft                 []float64 // of what was really left
	width                  float64
}

func (r recorded) accuracy() accuracy {
	var a accuracy
	for _, s := range r.after(0.2) {
		run := r.run(s)
		a.moments++
		truth := r.end.Sub(s.At).Seconds()
		whole := r.end.Sub(r.began).Seconds()
		p := run.Progress
		if scanned := float64(p.HeapBlksScanned.Or(0)); scanned > 0 {
			elapsed := s.At.Sub(r.began).Seconds()
			a.naive = append(a.naive, math.Abs(elapsed*float64(p.HeapBlksTotal.Or(0))/scanned-elapsed-truth)/whole)
		}
		left, ok := run.Whole.Left.Get()
		if !ok {
			a.without++
			continue
		}
		// The end and the moment are known to a beat's part.
		const slack = 0.3
		if left.Low.Seconds()-slack <= truth && truth <= left.High.Seconds()+slack {
			a.held++
		}
		a.width += (left.High - left.Low).Seconds() / whole
		a.ofLeft = append(a.ofLeft, math.Abs(run.Whole.Middle.Or(0).Seconds()-truth)/max(truth, slack))
		a.errors = append(a.errors, math.Abs(run.Whole.Middle.Or(0).Seconds()-truth)/whole)
	}
	return a
}

func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

func (a *accuracy) add(b accuracy) {
	a.moments, a.without, a.held, a.width = a.moments+b.moments, a.without+b.without, a.held+b.held, a.width+b.width
	a.errors, a.ofLeft, a.naive = append(a.errors, b.errors...), append(a.ofLeft, b.ofLeft...), append(a.naive, b.naive...)
}

// byKind measures the recorded runs, by the first word of their names.
func byKind(t testing.TB) map[string]*accuracy {
	kinds := map[string]*accuracy{"all": {}}
	for _, r := range recordedRuns(t) {
		a := r.accuracy()
		kind, _, _ := strings.Cut(r.name, "-")
		if kinds[kind] == nil {
			kinds[kind] = &accuracy{}
		}
		kinds[kind].add(a)
		kinds["all"].add(a)
		if a.moments > 0 {
			t.Logf("%-16s %5.1f s, %2d moments, %2d without; held %3.0f %%; off by %4.1f %% of the run, %3.0f %% of what was left; range %3.0f %% wide; naive off by %3.0f %%",
				r.name, r.end.Sub(r.began).Seconds(), a.moments, a.without, a.heldPercent(), 100*median(a.errors), 100*median(a.ofLeft),
				100*a.width/float64(a.moments), 100*median(a.naive))
		}
	}
	return kinds
}

func (a *accuracy) heldPercent() float64 { return 100 * float64(a.held) / float64(a.moments) }

// What is asked of the estimate, after a fifth of a run.
const (
	leastHeld = 80 // percent of the moments
	mostOff   = 15 // percent of the run's length, median
)

func TestTimeLeftHoldsTheTrueEndOfRecordedRuns(t *testing.T) {
	for kind, a := range byKind(t) {
		if a.heldPercent() < leastHeld || 100*median(a.errors) > mostOff {
			t.Errorf("%s: the range held the end in %.0f %% of the moments, the middle was off by %.0f %% of the run", kind, a.heldPercent(), 100*median(a.errors))
		}
		if a.without*5 > a.moments {
			t.Errorf("%s: no estimate at %d of %d moments", kind, a.without, a.moments)
		}
	}
}

// Beside elapsed x total / scanned, on runs of real servers.
func BenchmarkTimeLeft(b *testing.B) {
	kinds := byKind(b)
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		a := kinds[kind]
		b.Run(kind, func(b *testing.B) {
			for range b.N {
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(a.heldPercent(), "held-%")
			b.ReportMetric(leastHeld, "least-held-%")
			b.ReportMetric(100*median(a.errors), "off-%")
			b.ReportMetric(mostOff, "limit-off-%")
			b.ReportMetric(100*median(a.naive), "naive-off-%")
		})
	}
}

// What holds at every moment of every recorded run.
func TestTimeLeftIsConsistent(t *testing.T) {
	for _, r := range recordedRuns(t) {
		done := Ratio(0)
		for _, s := range r.snaps {
			w := r.run(s).Whole
			if now := w.Done.Or(done); now < done || now > 1 {
				t.Errorf("%s: progress went from %v to %v", r.name, done, now)
			} else {
				done = now
			}
			left, ok := w.Left.Get()
			middle, both := w.Middle.Get()
			if ok != both || ok == (w.WhyNot != "") {
				t.Errorf("%s: range %v, middle %v, why not %q", r.name, ok, both, w.WhyNot)
			}
			var sum time.Duration
			for _, p := range w.Parts {
				sum += p.Middle
				if p.Left.Low < 0 || p.Left.Low > p.Middle || p.Middle > p.Left.High || p.Passes < 1 || p.How == "" {
					t.Errorf("%s: part %+v", r.name, p)
				}
			}
			if ok && (left.Low > middle || middle > left.High || sum != middle) {
				t.Errorf("%s: %v, middle %v, parts %v", r.name, left, middle, sum)
			}
		}
	}
}
