package model

import (
	"slices"
	"testing"
	"time"
)

// A scan of so many beats, a second each, of which the server counts 900 ms as slept.
func scannedFor(beats int) []Sample {
	samples := []Sample{beat(1, -5)}
	for i := range beats {
		ms := (i + 1) * 1000
		p := scanning(Blocks(i), 1_000_000)
		p.DelayTime = Some(float64(ms) * 0.9)
		s := beat(uint64(i+2), ms, vacuumer(p))
		s.Ticks = []Tick{tickAt(ms-500, "scanning heap", float64(ms-500)*0.9, asleep)}
		samples = append(samples, s)
	}
	return samples
}

func TestHistoryHasAPointForEachBeat(t *testing.T) {
	run := onlyRun(t, last(fold(scannedFor(120))))
	if len(run.History) != 120 {
		t.Fatalf("%d points", len(run.History))
	}
	for i, p := range run.History {
		if want := time.Duration(i+1) * 900 * time.Millisecond; p.Reported != Some(want) {
			t.Fatalf("point %d: reported %v, want %v", i, p.Reported, want)
		}
		if i > 0 && (p.Since-run.History[i-1].Since != time.Second || p.ProcessTime < run.History[i-1].ProcessTime) {
			t.Fatalf("points %d and %d: %+v %+v", i-1, i, run.History[i-1], p)
		}
	}
	if now := run.Now(); now != run.History[119] || now.ProcessTime != run.ProcessTime || now.Sampled != run.Delay.Sampled {
		t.Errorf("the last point is %+v, the run stands at %+v", run.History[119], now)
	}
}

func TestHistoryOfALongRunIsThinned(t *testing.T) {
	run := onlyRun(t, last(fold(scannedFor(5000))))
	if n := len(run.History); n > maxHistory || n < maxHistory/2 {
		t.Fatalf("%d points after 5000 beats", n)
	}
	step := run.History[1].Since - run.History[0].Since
	for i := 1; i < len(run.History); i++ {
		if got := run.History[i].Since - run.History[i-1].Since; got != step {
			t.Fatalf("points %d and %d are %v apart, the first two %v", i-1, i, got, step)
		}
	}
	if left := run.Now().Since - run.History[len(run.History)-1].Since; left < 0 || left >= step {
		t.Errorf("the last point is %v old, with %v between two", left, step)
	}
}

// Published histories stay what they are, also where a clone goes another way.
func TestPublishedHistoriesAreNeverWrittenAgain(t *testing.T) {
	samples := scannedFor(2 * maxHistory)
	var tracker Tracker
	var snaps []*Snapshot
	var copies [][]DelayPoint
	keep := func(s *Snapshot) {
		for _, r := range s.Active {
			snaps, copies = append(snaps, s), append(copies, slices.Clone(r.History))
		}
	}
	for i, s := range samples {
		if i == maxHistory/3 {
			clone := tracker.Clone()
			for _, other := range scannedFor(maxHistory / 2)[i/2:] {
				other.At = s.At
				keep(clone.Step(other))
			}
		}
		keep(tracker.Step(s))
	}
	for i, s := range snaps {
		if !slices.Equal(s.Active[0].History, copies[i]) {
			t.Fatalf("the history of snapshot %d was written", i)
		}
	}
}

func TestNothingIsRememberedOfARunThatWaits(t *testing.T) {
	snaps := fold(storedStream(t, "pg18-vacuum-waits-for-lock.json"))
	if h := snaps[1].Active[0].History; len(h) != 0 {
		t.Errorf("%d points of a run that has not begun", len(h))
	}
}
