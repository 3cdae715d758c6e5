package model

import (
	"math"
	"strings"
	"testing"
)

// joining is an autovacuum that scans 441 pages a second, divided by the number of
// workers that share the limit, which is given for each second.
func joining(t *testing.T, workers ...int) []*Snapshot {
	t.Helper()
	var tracker Tracker
	var out []*Snapshot
	scanned := Blocks(0)
	for i, n := range workers {
		out = append(out, tracker.Step(autovacuumBeat(uint64(i+1), 1000*i, scanned, n)))
		scanned += Blocks(441 / n)
	}
	return out
}

// perSecond is a number for so many seconds, then another.
func perSecond(parts ...[2]int) []int {
	var out []int
	for _, p := range parts {
		for range p[0] {
			out = append(out, p[1])
		}
	}
	return out
}

func verdictOf(s *Snapshot) string { return strings.Join(Verdict(s, s.Active[0]), " ") }

// Measured on 16: 441 pages/s of one worker are 147 when two more have joined.
func TestWorkersThatJoinAreWhyTheRateFalls(t *testing.T) {
	s := last(joining(t, perSecond([2]int{12, 1}, [2]int{3, 2}, [2]int{20, 3})...))
	changes := s.Active[0].LimitChanges
	if len(changes) != 2 || !changes[0].At.Equal(at(12_000)) || !changes[1].At.Equal(at(15_000)) {
		t.Fatalf("two have joined, seen are %v", changes)
	}
	last := changes[1]
	if last.Old.Each() != 100 || last.New.Each() != 66 || math.Abs(float64(last.After.Or(0))-147) > 1 {
		t.Errorf("the last one: %s", last)
	}
	if want := "2 more workers joined, its limit fell from 200 to ≈66, 441 → 147 pages/s"; !strings.Contains(verdictOf(s), want) {
		t.Errorf("%q is not in %q", want, verdictOf(s))
	}
}

// The time left goes by the rate since they joined: 100,000 pages at 147 a second.
func TestTimeLeftGoesByTheLimitInForce(t *testing.T) {
	s := last(joining(t, perSecond([2]int{60, 1}, [2]int{10, 3})...))
	r := s.Active[0]
	scanned := float64(r.Progress.HeapBlksScanned.Or(0))
	left, ok := r.Whole.Middle.Get()
	if want := (100_000 - scanned) / 147; !ok || math.Abs(left.Seconds()/want-1) > 0.1 {
		t.Errorf("%v are left (%s), want %.0f s", left, r.Whole.WhyNot, want)
	}
}

func TestWorkersThatLeaveAreWhyTheRateRises(t *testing.T) {
	s := last(joining(t, perSecond([2]int{80, 3}, [2]int{14, 1})...))
	if want := "2 workers left, its limit rose from ≈66 to 200, 147 → 441 pages/s"; !strings.Contains(verdictOf(s), want) {
		t.Errorf("%q is not in %q", want, verdictOf(s))
	}
}

// A worker that is seen once, as one that goes from table to table is, changes nothing;
// nor is a minute with as many workers at its end as at its beginning worth a word.
func TestWorkersThatComeAndGoAreNotTold(t *testing.T) {
	for _, workers := range [][]int{
		perSecond([2]int{12, 1}, [2]int{1, 2}, [2]int{1, 1}, [2]int{1, 3}, [2]int{5, 1}),
		perSecond([2]int{12, 1}, [2]int{5, 2}, [2]int{5, 1}),
		perSecond([2]int{12, 1}, [2]int{80, 3}),
	} {
		if said := verdictOf(last(joining(t, workers...))); strings.Contains(said, "joined") || strings.Contains(said, "left,") {
			t.Errorf("%v: %q", workers, said)
		}
	}
}

// A table with cost options of its own takes no part: who joins does not concern it.
func TestWhoJoinsDoesNotConcernATableWithOptions(t *testing.T) {
	var tracker Tracker
	for i := range 20 {
		s := tracker.Step(autovacuumBeat(uint64(i+1), 1000*i, Blocks(100*i), 1+i/10, "autovacuum_vacuum_cost_limit=300"))
		if len(s.Active[0].LimitChanges) > 0 {
			t.Fatalf("it is told of %v", s.Active[0].LimitChanges)
		}
	}
}

func TestRatesAroundAChangeOutliveTheirReadings(t *testing.T) {
	workers := perSecond([2]int{12, 1}, [2]int{maxPoints + 30, 3})
	all := joining(t, workers...)
	then, now := all[40].Active[0].LimitChanges, last(all).Active[0].LimitChanges
	if len(now) != 1 || !now[0].After.Known() || now[0].After != then[0].After || now[0].Before != then[0].Before {
		t.Errorf("they were %v and are %v", then, now)
	}
}

func TestKeptLimitChangesAreBounded(t *testing.T) {
	var workers []int
	for i := range 3 * maxRunChanges {
		workers = append(workers, 1+i%2, 1+i%2)
	}
	if got := len(last(joining(t, workers...)).Active[0].LimitChanges); got != maxRunChanges {
		t.Errorf("%d are kept", got)
	}
}
