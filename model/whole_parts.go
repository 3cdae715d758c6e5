package model

import "math"

// pieces are the phases that remain, in the server's order.
func (e *estimator) pieces() []piece {
	var out []piece
	add := func(p piece) {
		if p.passes > 0 {
			out = append(out, p)
		}
	}
	passes := e.passesLeft()
	scan := e.scanLeft()
	if passes.mid > 1 && scan.passes > 0 {
		scan.passes = int(passes.mid) // at most one more than passes are left
	}
	add(scan)
	add(e.indexPart(passes))
	add(e.heapPart(passes))
	add(e.cleanup())
	add(e.ending())
	return out
}

// passesLeft is how many passes over the indexes are still to begin.
func (e *estimator) passesLeft() amount {
	if e.withoutIndexPass() || e.failsafe || e.phase == phaseCleaningUp || e.over() {
		return amount{}
	}
	all := max(1, float64(e.run.Memory.Passes.Or(1)))
	begun := float64(e.completed)
	if e.phase == phaseVacuumingIndexes {
		begun++
	}
	if e.scanned >= e.total && e.phase != phaseScanningHeap {
		return amount{} // what was scanned last is being cleaned
	}
	left := max(all-begun, 1)
	if all <= 1 {
		return e.unlessBypassed(amount{1, 1, 1})
	}
	// How evenly the dead rows lie is not known: the last pass may not come.
	fraction := float64(e.run.Memory.Projected.Or(0))
	low, high := left, left
	if f := fraction - math.Floor(fraction); fraction > 1 && f < 0.3 {
		low = max(1, left-1)
	} else if fraction > 1 && f > 0.7 {
		high++
	}
	return amount{low, left, high}
}

// withoutIndexPass tells that there is none to come, as the run is.
func (e *estimator) withoutIndexPass() bool {
	off := e.asked.IndexCleanupOff
	if rel := e.run.Relation; rel != nil && e.run.StartedBy.Or(ByManual) != ByManual {
		off = off || optionOff(rel.RelOptions, "vacuum_index_cleanup")
	}
	bare := e.run.Relation != nil && len(e.run.Indexes) == 0
	return bare || off || e.run.Failsafe != nil
}

// Where the pages with dead rows are fewer than this share of the heap, and their
// list is short, VACUUM passes over the indexes (14+: BYPASS_THRESHOLD_PAGES and 32
// MB of the list in vacuumlazy.c).
const (
	bypassShare = 0.02
	bypassBytes = 32 << 20
	bypassFirst = 140000
)

// unlessBypassed takes into account that the index pass may be left out.
func (e *estimator) unlessBypassed(a amount) amount {
	perBlock, known := e.dead()
	if known && perBlock <= 0 {
		return amount{0, 0, 1} // none so far; some may come
	}
	long := e.run.Memory.Bytes && float64(e.run.Memory.Used) >= bypassBytes
	if !known || e.version < bypassFirst || e.completed > 0 || long {
		return a
	}
	pages := e.withDead()
	switch {
	case pages.mid < bypassShare && pages.high < bypassShare:
		return amount{}
	case pages.mid < bypassShare:
		return amount{0, 0, a.high}
	case pages.low < bypassShare:
		a.low = 0
	}
	return a
}

// indexPart is what remains of passes over the indexes.
func (e *estimator) indexPart(passes amount) piece {
	p := e.indexPass()
	full := p.left
	p.left = full.by(passes)
	if passes.mid == 0 && passes.high > 0 {
		p.left = amount{0, 0, full.mid}
	}
	p.passes = int(math.Ceil(passes.high))
	if e.phase == phaseVacuumingIndexes {
		p.left = p.left.plus(e.indexLeft())
		p.passes++
	}
	return p
}

// heapObserved is the seconds that a block of the position took in the second heap
// passes that were seen; 0 where that is too little.
func (e *estimator) heapObserved() float64 {
	blocks, secs := moved(e.run, phaseVacuumingHeap)
	if blocks < leastPaceBlocks || secs < 1 {
		return 0
	}
	return secs / blocks
}

// heapJumps tells that the position of the current heap pass jumps over much that has
// no dead rows: then the time that the others take tells more than the position.
func (e *estimator) heapJumps() bool {
	return e.phase == phaseVacuumingHeap && e.completed == 1 && e.skippable() > leastSkipped && e.scan.mid > 0
}

// heapPace is the seconds for each block of the position in the second heap pass: as
// it was seen, else by the pages that have dead rows.
func (e *estimator) heapPace() piece {
	p := piece{phase: phaseVacuumingHeap, passes: 1, asleep: sleptShare(e.run, phaseVacuumingHeap)}
	if seen := e.heapObserved(); seen > 0 && !e.heapJumps() {
		_, secs := moved(e.run, phaseVacuumingHeap)
		p.left, p.how = about(seen, 1.12+0.8/(1+secs)), "its pace so far"
		if recent := lastThird(e.r.points); e.phase == phaseVacuumingHeap && recent > 0 {
			p.left = mix(p.left, recent)
		}
		cheaper := e.cheaperLater(seen)
		p.left.low *= 1 - 0.9*cheaper
		p.left.mid *= 1 - 0.35*cheaper
		return p
	}
	if pace, ok := e.priorPace(phaseVacuumingHeap); ok {
		p.left, p.how = pace, "rate of "+show(e.prior.Source)
		return p
	}
	ratio, asleep := e.pageOf(e.heapCost(), heapWork)
	p.asleep, p.how = asleep, "by the pages with dead rows, at the scan's pace"
	p.left = e.readPace().by(ratio).by(e.withDead())
	return p
}

// cheaperLater is how much of the heap passes to come may be pages that stayed in shared
// buffers, where those so far had not: of a table that is larger than these its end.
func (e *estimator) cheaperLater(seen float64) float64 {
	left := e.total - e.vacuumed
	if left <= 0 || e.scan.mid <= 0 {
		return 0
	}
	return min(1, e.fits(e.total)*e.total/left) * min(1, seen/e.scan.mid)
}

// heapPart is what remains of the second heap passes.
func (e *estimator) heapPart(passes amount) piece {
	begun := e.phase == phaseVacuumingIndexes || e.phase == phaseVacuumingHeap
	if e.withoutIndexPass() || e.phase == phaseCleaningUp || e.over() || passes.high == 0 && !begun {
		return piece{}
	}
	p := e.heapPace()
	now, later := e.scanned-e.vacuumed, e.total-max(e.scanned, e.vacuumed)
	if !begun {
		now, later = 0, e.total-e.vacuumed
	}
	pace := p.left
	p.left = pace.times(max(0, now))
	if e.heapJumps() {
		whole := pace.times(e.scanned)
		if seen := paceIn(ratesOf(e.r.points)); seen > 0 {
			whole = about(seen*e.reads(), 1.3)
		}
		p.left = remaining(whole, e.run.Phase().Wall.Seconds())
	}
	switch {
	case passes.mid > 0:
		p.left = pace.times(max(0, now) + max(0, later))
	case passes.high > 0:
		p.left.high += pace.times(max(0, later)).mid
	}
	if passes.low == 0 {
		p.left.low = min(p.left.low, pace.low*max(0, now))
	}
	p.passes = int(math.Ceil(passes.high))
	if begun {
		p.passes++
	}
	return p
}

// over tells that only the end is left.
func (e *estimator) over() bool {
	switch e.phase {
	case phaseInitializing, phaseScanningHeap, phaseVacuumingIndexes, phaseVacuumingHeap, phaseCleaningUp:
		return false
	}
	return true
}

// cleanup is the last look at the indexes: at once for most, a walk through the whole
// for GIN, and for BRIN a look at new pages.
func (e *estimator) cleanup() piece {
	if e.over() || e.withoutIndexPass() {
		return piece{}
	}
	pages, gin := indexPages(e.run.Indexes, ""), indexPages(e.run.Indexes, "gin")
	p := piece{phase: phaseCleaningUp, passes: 1, left: amount{0, 0.02, 0.6}, how: "short for most kinds of index"}
	if gin > 0 && pages > 0 {
		p.left, p.how = e.indexPass().left.times(0.5*gin/pages).plus(p.left), "GIN indexes are read through"
		p.left.low, p.left.high = 0, 2.5*p.left.high
	}
	if e.phase == phaseCleaningUp {
		p.left = remaining(p.left, e.run.Phase().Wall.Seconds())
	}
	return p
}

// ending is truncation and the last writes.
func (e *estimator) ending() piece {
	p := piece{phase: "performing final cleanup", passes: 1, left: amount{0, 0.1, 0.9}, how: "short, if the table's end is not cut off"}
	if e.over() {
		p.left = remaining(p.left, e.run.Phase().Wall.Seconds())
	}
	return p
}
