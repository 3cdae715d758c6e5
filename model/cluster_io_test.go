package model

import (
	"testing"
	"time"
)

// ioAt is a beat in which the server had counted so many reads in context vacuum.
func ioAt(seq uint64, ms int, reads int64, processes ...Process) Sample {
	s := beat(seq, ms, processes...)
	s.Poll.IO = &IORead{ResetAt: Some(at(-5000000)), Contexts: []IOCount{{Context: "normal", Hits: 7}, {Context: "vacuum", Reads: reads, ReadBytes: Bytes(reads) * 8192}}}
	return s
}

// vacuumReads is what a run is said to have read, and between which times.
func vacuumReads(t *testing.T, r *Run) (reads int64, from, to int) {
	t.Helper()
	io := r.ClusterIO
	if io == nil {
		return -1, 0, 0
	}
	if len(io.Contexts) != 1 || io.Contexts[0].Context != "vacuum" || io.Contexts[0].ReadBytes != Bytes(io.Contexts[0].Reads)*8192 {
		t.Errorf("contexts %+v", io.Contexts)
		return 0, 0, 0
	}
	ms := func(t time.Time) int { return int(t.Sub(t0).Milliseconds()) }
	return io.Contexts[0].Reads, ms(io.From), ms(io.To)
}

func TestIOWhileARunWentOn(t *testing.T) {
	v := vacuumer(scanning(1, 10))
	reset := ioAt(5, 4000, 50)
	reset.Poll.IO.ResetAt = Some(at(3500))
	gap := beat(4, 3000)
	gap.Events = []Event{{At: at(2500), Kind: EventLost}, {At: at(2900), Kind: EventConnected}}
	for _, c := range []struct {
		what           string
		stream         []Sample
		reads          int64 // -1: not known
		since, through int
	}{
		{"a reading before it and one after", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), beat(3, 2000), ioAt(4, 3000, 150)}, 50, -5, 3000},
		{"one in the beat that sees it gone is from before its end", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), ioAt(3, 2000, 110), ioAt(4, 3000, 150)}, 50, -5, 3000},
		{"the reading before it is old", []Sample{ioAt(1, -20000, 0), beat(2, -5, v), ioAt(3, 1000, 100, v), ioAt(4, 2000, 120, v), beat(5, 3000), ioAt(6, 4000, 150)}, 50, 1000, 4000},
		{"the only reading before it is old", []Sample{ioAt(1, -20000, 100), beat(2, -5, v), beat(3, 1000), ioAt(4, 2000, 150)}, 50, -20000, 2000},
		{"it is seen from its middle", []Sample{beat(1, 1000, v), ioAt(2, 2000, 100, v), beat(3, 3000), ioAt(4, 4000, 150)}, 50, 2000, 4000},
		{"it goes on", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), ioAt(3, 2000, 150, v)}, -1, 0, 0},
		{"nothing is read after it", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), beat(3, 2000), beat(4, 3000)}, -1, 0, 0},
		{"nothing is read before it", []Sample{beat(1, -5), beat(2, 1000, v), beat(3, 2000), ioAt(4, 3000, 150)}, -1, 0, 0},
		{"the counts were reset", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), beat(3, 2000), beat(4, 3000), reset}, -1, 0, 0},
		{"its end was not watched", []Sample{ioAt(1, -5, 100), beat(2, 1000, v), beat(3, 2000, v), gap, ioAt(5, 4000, 150)}, -1, 0, 0},
	} {
		s := last(fold(c.stream))
		var r *Run
		if len(s.Ended) > 0 {
			r = s.Ended[0]
		} else {
			r = onlyRun(t, s)
		}
		if reads, from, to := vacuumReads(t, r); reads != c.reads || from != c.since || to != c.through {
			t.Errorf("%s: %d reads from %d to %d ms, want %d from %d to %d", c.what, reads, from, to, c.reads, c.since, c.through)
		}
	}
}

// What was said of a run does not change with later readings, and not in snapshots.
func TestIOOfARunIsSaidOnce(t *testing.T) {
	v := vacuumer(scanning(1, 10))
	snaps := fold([]Sample{ioAt(1, -5, 100), beat(2, 1000, v), beat(3, 2000), ioAt(4, 3000, 150), ioAt(5, 4000, 900)})
	if r := snaps[2].Ended[0]; r.ClusterIO != nil {
		t.Errorf("before the reading it is %+v", r.ClusterIO)
	}
	if reads, _, _ := vacuumReads(t, snaps[4].Ended[0]); reads != 50 {
		t.Errorf("%d reads after another reading", reads)
	}
}
