package model

import (
	"strings"
	"testing"
	"time"
)

// Between two passes over the indexes a heap phase can be shorter than a tick. The
// server's count still tells that another pass has begun: with workers of its own,
// and with its indexes counted from 0.
func TestPassesAreToldWhereNoOtherPhaseIsSeenBetween(t *testing.T) {
	pass := func(seq uint64, ms int, completed, processed int64) Sample {
		p := inPhase("vacuuming indexes")
		p.IndexVacuumCount, p.IndexesTotal, p.IndexesProcessed = Some(completed), Some[int64](4), Some(processed)
		p.HeapBlksScanned, p.HeapBlksTotal = Some(Blocks(completed+1)), Some[Blocks](1000)
		p.MaxDeadTupleBytes, p.DeadTupleBytes, p.NumDeadItemIDs = Some[Bytes](65536), Some[Bytes](262144), Some[int64](29)
		s := beat(seq, ms, vacuumer(p))
		first, began := int32(1000+10*completed), int(10000*completed/7)
		tick := tickAt(ms-100, "vacuuming indexes", 0, asleep, workerRow(first, began, asleep), workerRow(first+1, began, asleep))
		tick.Rows[0].IndexVacuumCount, tick.Rows[0].IndexesProcessed = completed, Some(processed)
		s.Ticks = []Tick{tick}
		return s
	}
	stream := []Sample{beat(1, -5)}
	for i := range 30 {
		stream = append(stream, pass(uint64(i+2), 1000*(i+1), int64(7*(i/10)), int64(i%10/3)))
	}
	snap := last(fold(stream))
	run := onlyRun(t, snap)
	if got := run.IndexPass(); got != 15 {
		t.Errorf("pass %d, want 15: 14 are completed", got)
	}
	if late := onlyRun(t, last(fold(stream[12:]))); late.PassesSeen() != 8 || run.PassesSeen() != 15 || late.IndexPass() != 15 {
		t.Errorf("%d passes seen, %d by one who came after pass 7", run.PassesSeen(), late.PassesSeen())
	}
	if got := run.Parallel.Launched; got != Some(2) {
		t.Errorf("%v workers launched in this pass, want 2", got)
	}
	if m := run.Phase().Moved; m.From != 0 || m.To != 3 || m.Over != 9100*time.Millisecond {
		t.Errorf("moved %+v, want 3 indexes in this pass's time", m)
	}
	if run.Left.Range.Or(Range{}).High > 10*time.Second {
		t.Errorf("left %+v, with 3 of 4 indexes done in 9 s", run.Left)
	}
	if said := strings.Join(Verdict(snap, run), " "); !strings.Contains(said, "(pass 15)") || !strings.Contains(said, "Pass 15 of ≈1,000 ") {
		t.Errorf("said: %s", said)
	}
	if n := run.EarlierWorkers; n != 2 {
		t.Errorf("%d workers of passes before the last two, want 2", n)
	}
}
