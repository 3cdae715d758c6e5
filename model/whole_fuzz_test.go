package model

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// dice makes choices of the bytes that a fuzz test is given; 0 when there are no more.
type dice []byte

func (d *dice) of(n int) int {
	if len(*d) == 0 {
		return 0
	}
	b := (*d)[0]
	*d = (*d)[1:]
	return int(b) % n
}

// number is one of any size that a counter can have, up to the blocks of 32 TB, and
// some that it cannot.
func (d *dice) number() int64 {
	sizes := []int64{0, 1, 19, 20, 31, 1000, 100_000, 1 << 32, math.MaxInt64, -1}
	size := sizes[d.of(len(sizes))]
	return size / int64(1+d.of(7))
}

// step is how far the server's clock goes on from a sample to the next: it can be
// set, and watching can be interrupted.
func (d *dice) step() time.Duration {
	steps := []time.Duration{time.Second, time.Second, time.Second, 2 * time.Second, 500 * time.Millisecond, 0, -time.Second, -time.Hour, time.Hour, 40 * 365 * 24 * time.Hour}
	return steps[d.of(len(steps))]
}

func (d *dice) settings() []Setting {
	values := []Text{"-1", "0", "1", "200", "10000", "2147483647", "no number", ""}
	var out []Setting
	for _, name := range []string{"shared_buffers", "vacuum_cost_page_hit", "vacuum_cost_page_miss", "vacuum_cost_page_dirty", "vacuum_cost_delay", "vacuum_cost_limit",
		"autovacuum_vacuum_cost_delay", "autovacuum_vacuum_cost_limit", "min_parallel_index_scan_size", "max_parallel_maintenance_workers", "vacuum_failsafe_age", "autovacuum_freeze_max_age"} {
		if d.of(4) > 0 {
			out = append(out, Setting{Name: name, Setting: values[d.of(len(values))], Source: "configuration file"})
		}
	}
	return out
}

func (d *dice) relation() Relation {
	rel := Relation{DatID: 5, RelID: 16384, Schema: "public", Name: "t", Kind: "r", RelPages: Blocks(d.number()), RelAllVisible: Blocks(d.number()), DeadTuples: d.number(), LiveTuples: d.number(), VacuumCount: d.number()}
	if d.of(3) > 0 {
		rel.RelTuples = Some(float64(d.number()))
	}
	if d.of(2) > 0 {
		rel.RelAllFrozen, rel.XIDAge = Some(Blocks(d.number())), Some(d.number())
	}
	for i := range d.of(4) {
		rel.Indexes = append(rel.Indexes, Index{RelID: uint32(20000 + i), AccessMethod: []Text{"btree", "gin", "brin"}[d.of(3)], RelPages: Blocks(d.number())})
	}
	return rel
}

func (d *dice) progress() Progress {
	phases := []Text{"initializing", phaseScanningHeap, phaseScanningHeap, phaseVacuumingIndexes, phaseVacuumingHeap, phaseCleaningUp, phaseTruncating, "performing final cleanup", "of a later version"}
	p := scanning(Blocks(d.number()), Blocks(d.number()))
	p.Phase = Some(phases[d.of(len(phases))])
	p.HeapBlksVacuumed, p.IndexVacuumCount = Some(Blocks(d.number())), Some(int64(d.of(4)))
	if d.of(2) > 0 {
		p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some(Bytes(d.number())), Some(Bytes(d.number())), Some(d.number())
		p.IndexesTotal, p.IndexesProcessed = Some(int64(d.of(4))), Some(int64(d.of(4)))
	} else {
		p.MaxDeadTuples, p.NumDeadTuples = Some(d.number()), Some(d.number())
	}
	if d.of(2) > 0 {
		p.DelayTime, p.Mode = Some(float64(d.number())), Some([]Text{"normal", "aggressive", "failsafe"}[d.of(3)])
	}
	return p
}

// sample is any reading of a server of any version, block size and settings.
func (d *dice) sample(seq int, at time.Time) Sample {
	proc := vacuumer(d.progress())
	if d.of(3) == 0 {
		proc.BackendType, proc.Query = Some[Text](autovacuumWorker), Some[Text]("autovacuum: VACUUM public.t (to prevent wraparound)")
	}
	if d.of(8) == 0 {
		proc.Wait = Some(Wait{"BufferPin", "BufferPin"})
	}
	s := beat(uint64(seq), 0, proc)
	s.At = at
	s.Poll.Server.VersionNum = []int{130023, 140020, 160010, 170010, 180004, 190000}[d.of(6)]
	s.Poll.Server.BlockSize = []Bytes{8192, 1024, 32768, 0}[d.of(4)]
	if d.of(2) > 0 {
		s.Poll.Settings = d.settings()
	}
	if d.of(2) > 0 {
		s.Poll.Relations = []Relation{d.relation()}
	}
	if d.of(6) == 0 {
		s.Events = append(s.Events, Event{Kind: EventPrior, Prior: &Prior{DatID: 5, RelID: 16384, Source: "x", DeadItemsPerPage: Some(float64(d.number())),
			Rates: []PhaseRate{{phaseScanningHeap, PerSecond(d.number())}, {phaseVacuumingIndexes, PerSecond(d.number())}, {phaseVacuumingHeap, PerSecond(d.number())}}}})
	}
	return s
}

// Whatever is read, what is said of the time left fits together, no number overflows
// and none is divided by zero.
func FuzzTimeLeft(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		data := make([]byte, 600)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, tracker, now, done := dice(data), Tracker{}, t0, Ratio(0)
		for seq := 1; len(d) > 0 && seq < 200; seq++ {
			now = now.Add(d.step())
			for _, run := range tracker.Step(d.sample(seq, now)).Active {
				if seq == 1 {
					done = 0
				}
				run.checkEstimates(t, fmt.Sprintf("sample %d", seq))
				if is := run.Whole.Done.Or(done); is < done {
					t.Fatalf("sample %d: progress fell from %v to %v", seq, done, is)
				} else {
					done = is
				}
			}
		}
	})
}

// checkEstimates tells whether all that is estimated of a run can be.
func (r *Run) checkEstimates(t testing.TB, name string) {
	t.Helper()
	r.Whole.check(t, name)
	if done, ok := r.Whole.Done.Get(); ok && !(done >= 0 && done <= 1) {
		t.Errorf("%s: progress %v", name, done)
	}
	if left, ok := r.Left.Range.Get(); ok && (left.Low < 0 || left.Low > left.High) {
		t.Errorf("%s: %v left of the phase", name, left)
	}
	for _, then := range []CostSettings{{}, {Delay: time.Millisecond, Limit: 1}, {Delay: 100 * time.Millisecond, Limit: 10_000}} {
		w, why := r.WhatIf(then)
		if why == "" && (w.Left.Low < 0 || w.Left.Low > w.LeftMiddle || w.LeftMiddle > w.Left.High || w.Again.Low < 0 || w.Again.Low > w.AgainMiddle || w.AgainMiddle > w.Again.High) {
			t.Errorf("%s: what if %+v: %+v", name, then, w)
		}
	}
}
