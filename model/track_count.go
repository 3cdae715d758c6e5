package model

import (
	"encoding/json"
	"math"
	"time"
)

func rootSeconds(squares float64) time.Duration {
	return time.Duration(math.Sqrt(squares) * float64(time.Second))
}

// counter is what moves in a phase: its value, where it ends, and what is counted;
// unit "" where the server counts nothing.
type counter struct {
	value, total int64
	unit         string
}

// counterOf reads the counter that moves in the row's phase. A heap pass ends
// where the scan before it stopped, which is short of the heap's end when the
// memory for dead rows was full.
func counterOf(p *Progress, indexes int) counter {
	scanned, total := int64(p.HeapBlksScanned.Or(0)), int64(p.HeapBlksTotal.Or(0))
	switch p.Phase.Or("") {
	case phaseScanningHeap, "seq scanning heap":
		return counter{scanned, total, UnitBlocks}
	case phaseVacuumingHeap:
		return counter{int64(p.HeapBlksVacuumed.Or(0)), min(scanned, total), UnitBlocks}
	case phaseVacuumingIndexes, phaseCleaningUp:
		if p.IndexesTotal.Known() {
			return counter{p.IndexesProcessed.Or(0), p.IndexesTotal.Or(0), UnitIndexes}
		}
	case "acquiring sample rows", "acquiring inherited sample rows": // ANALYZE
		return counter{p.other("sample_blks_scanned"), p.other("sample_blks_total"), UnitBlocks}
	case "index scanning heap": // CLUSTER: in the index's order, so that no position tells how far
		return counter{p.other("heap_tuples_scanned"), 0, UnitRows}
	case "rebuilding index": // VACUUM FULL, CLUSTER, REPACK
		var rebuilt int64
		if json.Unmarshal(p.Other["index_rebuild_count"], &rebuilt) == nil {
			return counter{rebuilt, int64(indexes), UnitIndexes}
		}
	}
	return counter{}
}

// other is a count among the columns of other views; 0 where it is not there.
func (p *Progress) other(column string) int64 {
	var n int64
	if json.Unmarshal(p.Other[column], &n) != nil {
		return 0
	}
	return n
}

// count takes a poll's counters into the current span and the estimate of the
// time left.
func (r *runState) count(at time.Time, p *Progress) {
	r.finishCounters(p)
	span, c := r.run.Phase(), counterOf(p, len(r.run.Indexes))
	r.run.Left = Left{WhyNot: whyUncounted(p)}
	if c.unit == "" || c.total == 0 && c.unit != UnitRows {
		return
	}
	if span.Moved.Unit == "" {
		span.Moved = Moved{Unit: c.unit, From: c.value}
		if edgeSeen := len(r.run.Phases) > 1 || r.run.FromStart || r.counted.After(span.From); edgeSeen && c.unit == UnitIndexes {
			span.Moved.From = 0
		}
	}
	if n := len(r.points); n > 0 && unwatched(at.Sub(r.points[n-1].at)) {
		r.leftOut(span, r.points[n-1], point{at, c.value})
	}
	if len(r.points) == 0 && span.Moved.From < c.value {
		r.read(point{r.counted, span.Moved.From})
	}
	span.Moved.To, span.Moved.Total, span.Moved.Over = c.value, c.total, at.Sub(r.counted)
	r.read(point{at, c.value})
}

// read keeps a reading of the phase's counter.
func (r *runState) read(p point) {
	for _, kept := range []*[]point{&r.points, &r.readings} {
		if *kept = append(*kept, p); len(*kept) > maxPoints {
			*kept = (*kept)[1:]
		}
	}
}

// unwatched tells that nobody watched from one reading to the next, or that the
// server's clock was set.
func unwatched(gap time.Duration) bool { return gap < 0 || gap > mostPause }

// mostPause is the longest time between two readings in which the run was watched.
const mostPause = 2 * time.Minute

// leftOut keeps a stretch that nobody watched out of the phase's pace.
func (r *runState) leftOut(span *Span, last, now point) {
	span.idle += now.at.Sub(last.at)
	span.unseen += max(0, now.value-last.value)
	r.points, r.readings = []point{now}, []point{now}
}

// estimate says how long the phase still takes, up to the end of its counter or,
// in a heap scan, up to where the memory for dead rows will be full.
func (r *runState) estimate(p *Progress) {
	c := counterOf(p, len(r.run.Indexes))
	if c.unit == "" || c.total == 0 || len(r.points) == 0 {
		return
	}
	end, full := c.total, r.fullAt(p)
	if stop, ok := full.Get(); ok {
		end = min(end, stop)
	}
	left, why := leftInPhase(r.points, end, c.unit)
	r.run.Left = Left{Range: left, WhyNot: why, UntilFull: full.Known(), Done: Some(min(1, Ratio(float64(c.value)/float64(c.total))))}
}

// fullAt is the block at which the memory for dead rows will be full at the rate
// at which it filled so far; absent when it will hold all.
func (r *runState) fullAt(p *Progress) Opt[int64] {
	projected, ok := r.run.Memory.Projected.Get()
	if !ok || projected <= 1 {
		return None[int64]()
	}
	from := r.run.Phase().Moved.From
	all := float64(int64(p.HeapBlksTotal.Or(0)) - from)
	return Some(from + int64(all/float64(projected)))
}

// whyUncounted says why a phase has no counter.
func whyUncounted(p *Progress) string {
	phase := p.Phase.Or("")
	switch {
	case phase == phaseInitializing:
		return "nothing is counted while initializing"
	case isIndexPhase(phase) && !p.IndexesTotal.Known():
		return "before 17 the server does not count indexes"
	case phase == phaseScanningHeap || phase == phaseVacuumingHeap:
		return "the relation has no pages"
	}
	if phase == "index scanning heap" {
		return "rows are counted, and how many there are is not known"
	}
	return "the server counts nothing in this phase"
}

// movedFrom is where a phase's counter stands when the phase begins: known for
// the heap positions, which are never reset, and for index counts, which are.
func (r *runState) movedFrom(phase Text) Moved {
	switch {
	case phase == phaseScanningHeap && (r.scanned.Known() || r.run.FromStart):
		return Moved{Unit: UnitBlocks, From: int64(r.scanned.Or(0)), To: int64(r.scanned.Or(0))}
	case phase == phaseVacuumingHeap && (r.vacuumed.Known() || r.run.FromStart):
		return Moved{Unit: UnitBlocks, From: int64(r.vacuumed.Or(0)), To: int64(r.vacuumed.Or(0))}
	}
	return Moved{}
}

// finishCounters remembers the heap positions, and gives the last span of each
// heap phase its final one: positions stand still once their phase is over, so
// the poll after it still tells how far it went.
func (r *runState) finishCounters(p *Progress) {
	r.scanned, r.vacuumed = p.HeapBlksScanned, p.HeapBlksVacuumed
	current := len(r.run.Phases) - 1
	scan, heap := false, false
	for i := current - 1; i >= 0 && i >= current-3; i-- {
		span := &r.run.Phases[i]
		switch {
		case span.Phase == phaseScanningHeap && !scan && r.run.Phases[current].Phase != phaseScanningHeap:
			span.finish(int64(p.HeapBlksScanned.Or(0)), int64(p.HeapBlksTotal.Or(0)))
			scan = true
		case span.Phase == phaseVacuumingHeap && !heap && r.run.Phases[current].Phase == phaseScanningHeap:
			span.finish(int64(p.HeapBlksVacuumed.Or(0)), int64(p.HeapBlksTotal.Or(0)))
			heap = true
		}
	}
}

func (s *Span) finish(to, total int64) {
	if s.Moved.Unit == UnitBlocks && to >= s.Moved.To {
		s.Moved.To, s.Moved.Total, s.Moved.Over = to, total, s.Wall
	}
}

// scanFrom is the block at which the current heap scan began.
func (r *runState) scanFrom(phase Text) Opt[Blocks] {
	if span := r.run.Phase(); phase == phaseScanningHeap && span.Moved.Unit == UnitBlocks {
		return Some(Blocks(span.Moved.From))
	}
	return None[Blocks]()
}
