package model

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// heapLimit is what a tracker and its last snapshot may take.
const heapLimit = 40 << 20

// heapOf is how much the heap grows by what fold keeps.
func heapOf(t *testing.T, step func(*Tracker) *Snapshot) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	tracker := &Tracker{}
	snapshot := step(tracker)
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(tracker)
	runtime.KeepAlive(snapshot)
	if after.HeapAlloc < before.HeapAlloc {
		return 0
	}
	return after.HeapAlloc - before.HeapAlloc
}

// A vacuum that has too little memory makes thousands of passes, each with workers
// of its own. What is kept of them does not grow with their number.
func TestThirteenThousandIndexPassesStayInBounds(t *testing.T) {
	const passes = 13_000
	var lastSnap *Snapshot
	heap := heapOf(t, func(tracker *Tracker) *Snapshot {
		for i := range passes {
			ms := 1000 * (i + 1)
			row := inPhase("vacuuming heap")
			row.IndexVacuumCount = Some(int64(i + 1))
			s := beat(uint64(i+1), ms, vacuumer(row))
			for k, phase := range []Text{"scanning heap", "vacuuming indexes", "vacuuming heap"} {
				var workers []TickRow
				for w := int32(0); w < 8 && phase == "vacuuming indexes"; w++ {
					workers = append(workers, workerRow(int32(1000+i*8)+w, ms-700, asleep))
				}
				tick := tickAt(ms-900+300*k, phase, 0, asleep, workers...)
				tick.Rows[0].IndexVacuumCount = int64(i + k/2)
				s.Ticks = append(s.Ticks, tick)
			}
			lastSnap = tracker.Step(s)
		}
		return lastSnap
	})
	run := onlyRun(t, lastSnap)
	if got := run.IndexPass(); got != passes {
		t.Errorf("%d passes counted, want %d", got, passes)
	}
	if len(run.Phases) > maxSpans || len(run.Processes) > 1+2*8 {
		t.Errorf("%d spans, %d processes kept", len(run.Phases), len(run.Processes))
	}
	if heap > heapLimit {
		t.Errorf("%d MB of heap", heap>>20)
	}
}

// A VACUUM of ten thousand tables is counted as a whole; of its parts the last ones
// stay, and those of other commands are not pushed out.
func TestTenThousandTablesStayInBounds(t *testing.T) {
	const tables, perBeat = 10_000, 20
	var lastSnap *Snapshot
	heap := heapOf(t, func(tracker *Tracker) *Snapshot {
		other := vacuumer(scanning(1, 10))
		other.PID, other.Query = 99, Some[Text]("vacuum earlier")
		tracker.Step(beat(1, 1000, other))
		for i := range tables / perBeat {
			ms := 2000 + 1000*i
			relid := uint32(20000 + (i+1)*perBeat - 1)
			proc := vacuumOf("vacuum", relid, scanning(1, 10))
			s := beat(uint64(i+2), ms, proc)
			s.Poll.Listings = []Listing{{Relations: tables, RelPages: 10 * tables, Places: []Place{{RelID: relid, Number: int(relid) - 20000 + 1, PagesBefore: Blocks(10 * (relid - 20000)), RelPages: 10}}}}
			for k := range perBeat {
				tick := tickAt(ms-1000+50*k, "scanning heap", 0, asleep)
				tick.Rows[0].RelID = relid - perBeat + 1 + uint32(k)
				s.Ticks = append(s.Ticks, tick)
				s.Poll.Relations = append(s.Poll.Relations, Relation{DatID: 5, RelID: tick.Rows[0].RelID, Schema: "public", Name: Text(fmt.Sprintf("t%d", tick.Rows[0].RelID)), Kind: "r"})
			}
			lastSnap = tracker.Step(s)
		}
		return lastSnap
	})
	g := onlyGroup(t, lastSnap)
	if g.Number != Some(tables) || g.Seen != tables {
		t.Errorf("%+v", g)
	}
	if n := len(lastSnap.Ended); n > maxParts+1 {
		t.Errorf("%d ended runs are kept", n)
	}
	if oldest := lastSnap.Ended[len(lastSnap.Ended)-1]; oldest.Key.PID != 99 {
		t.Errorf("the run of another command was pushed out by %v", oldest.Key)
	}
	if heap > heapLimit {
		t.Errorf("%d MB of heap", heap>>20)
	}
}

// An hour at 20 samples a second of a leader and eight workers.
func TestAnHourOfSamplesStaysInBounds(t *testing.T) {
	heap := heapOf(t, func(tracker *Tracker) *Snapshot {
		var snap *Snapshot
		for i := range 3600 {
			ms := 1000 * (i + 1)
			s := beat(uint64(i+1), ms, vacuumer(inPhase("vacuuming indexes")))
			for k := range 20 {
				var workers []TickRow
				for w := range int32(8) {
					wait := []Opt[Wait]{asleep, onCPU, Some(Wait{"IO", "DataFileRead"})}[(k+i+int(w))%3]
					workers = append(workers, workerRow(1000+w, 100, wait))
				}
				s.Ticks = append(s.Ticks, tickAt(ms-1000+50*k, "vacuuming indexes", 0, asleep, workers...))
			}
			snap = tracker.Step(s)
		}
		return snap
	})
	if heap > heapLimit {
		t.Errorf("%d MB of heap", heap>>20)
	}
}

// A beat in which nothing ended costs what is in sight, not what is kept.
func TestAQuietBeatSharesWhatEnded(t *testing.T) {
	var tracker Tracker
	var before *Snapshot
	for i := range 2500 {
		proc := vacuumOf(Text(fmt.Sprintf("vacuum t%d", i)), uint32(20000+i), scanning(1, 10))
		proc.StatementStart = Some(at(1000 * i))
		before = tracker.Step(beat(uint64(i+1), 1000*i+500, proc))
	}
	if len(before.Ended) != maxEndedLines {
		t.Fatalf("%d ended runs, want %d", len(before.Ended), maxEndedLines)
	}
	quiet := beat(3000, 10_000_000, Process{})
	tracker.Step(quiet) // the last one ends, and its result is given up
	tracker.Step(beat(3001, 10_100_000, Process{}))
	allocated := testing.AllocsPerRun(10, func() {
		quiet.Seq, quiet.At = quiet.Seq+1, quiet.At.Add(200*time.Second)
		tracker.Step(quiet)
	})
	if allocated > 50 {
		t.Errorf("%v allocations in a beat in which nothing happened", allocated)
	}
}
