package model

import "math"

// skipRun is how many all-visible pages must stand in a row for VACUUM to skip them
// (SKIP_PAGES_THRESHOLD in vacuumlazy.c).
const skipRun = 32

// scanLeft is the time left of the scan, over all passes. The position alone tells
// where all pages are read; where many are all-visible, and skipped, the dead rows
// found so far of all that the statistics know of tell as well.
func (e *estimator) scanLeft() piece {
	left := e.total - e.scanned
	if left <= 0 {
		return piece{}
	}
	p := piece{phase: phaseScanningHeap, passes: 1, left: e.scan.times(left), asleep: e.asleep, how: e.scanHow}
	skipped := e.skippable()
	if skipped <= leastSkipped {
		return p
	}
	p.how += ", all-visible pages skipped"
	if found, ok := e.found().Get(); ok && e.run.FromStart {
		_, secs := moved(e.run, phaseScanningHeap)
		p.left = both(p.left, secs*(1-found)/found, skipped)
		return p
	}
	// Those that are skipped may all come, or all have passed.
	p.left.low *= 1 - skipped
	p.left.high = max(p.left.high, e.scan.high*left/(1-min(skipped, 0.9)))
	return p
}

// leastSkipped is the share of all-visible pages under which skipping does not matter.
const leastSkipped = 0.1

// both takes a second estimate in, the more so the more is skipped.
func both(a amount, other, weight float64) amount {
	mid := a.mid*(1-weight) + other*weight
	return amount{min(a.low, 0.8*other, mid), mid, max(a.high, 1.25*other, mid)}
}

// skippable is the share of the heap that the catalog has as all-visible (for one
// that also freezes, all-frozen): as of the last vacuum, so that pages changed since
// are among it.
func (e *estimator) skippable() float64 {
	rel := e.run.Relation
	if rel == nil || rel.RelPages < skipRun {
		return 0
	}
	visible := float64(rel.RelAllVisible)
	if e.aggressive() {
		frozen, known := rel.RelAllFrozen.Get()
		if !known {
			return 0
		}
		visible = float64(frozen)
	}
	return max(0, min(1, visible/float64(rel.RelPages)))
}

// aggressive tells that only pages that are all-frozen are skipped.
func (e *estimator) aggressive() bool {
	mode := e.run.Progress.Mode.Or("")
	return mode == "aggressive" || mode == "failsafe" || e.run.StartedBy.Or("") == ByAutovacuumWraparound ||
		e.asked.Freeze
}

// found is the share of the dead rows of the statistics that the scan has found; only
// in the first pass, which has the list from its beginning. Where no index pass follows
// the list is that of a single page.
func (e *estimator) found() Opt[float64] {
	rel, items := e.run.Relation, e.run.Memory.Items
	n, known := items.Get()
	if rel == nil || rel.DeadTuples <= 0 || !known || n <= 0 || e.completed > 0 || e.phase != phaseScanningHeap || e.withoutIndexPass() {
		return None[float64]()
	}
	return Some(max(0.001, min(0.995, float64(n)/float64(rel.DeadTuples))))
}

// dead says how the dead rows lie: how many there are for each block of the position
// in the scan, and for each that was read. Where pages are skipped the statistics'
// share of rows tells how many were read.
func (e *estimator) dead() (perBlock float64, known bool) {
	items, ok := e.run.Memory.Items.Get()
	from := 0.0
	if span := e.lastScan(); span != nil && span.Moved.Unit == UnitBlocks {
		from = float64(span.Moved.From)
	}
	if scanned := e.scanned - from; ok && scanned > leastPaceBlocks {
		return float64(max(0, items)) / scanned, true
	}
	if e.prior != nil {
		if n, ok := e.prior.DeadItemsPerPage.Get(); ok {
			return n, true
		}
	}
	return 0, false
}

// lastScan is the last span of the heap scan; nil where none was seen.
func (e *estimator) lastScan() *Span {
	for i := len(e.run.Phases) - 1; i >= 0; i-- {
		if e.run.Phases[i].Phase == phaseScanningHeap {
			return &e.run.Phases[i]
		}
	}
	return nil
}

// rowsPerPage is how many rows a page holds, by the catalog; a guess without it.
func (e *estimator) rowsPerPage() float64 {
	const guess = 60
	rel := e.run.Relation
	if rel == nil || rel.RelPages <= 0 || rel.RelTuples.Or(0) <= 0 {
		return guess
	}
	return max(1, rel.RelTuples.Or(0)/float64(rel.RelPages))
}

// reads is how many pages the scan really reads in all: those that are not all-visible
// by the catalog, and those with dead rows since, which stand together, else nothing
// would be skipped.
func (e *estimator) reads() float64 {
	share := 1 - e.skippable()
	dead := float64(e.run.Memory.Items.Or(0))
	if rel := e.run.Relation; rel != nil {
		dead = max(dead, float64(rel.DeadTuples))
	}
	return max(1, min(e.total, max(share*e.total, dead/e.rowsPerPage())))
}

// withDead is the share of the blocks of the heap's position that have dead rows: at
// least as many as the rows fill, at most one for each row.
func (e *estimator) withDead() amount {
	perBlock, known := e.dead()
	if !known {
		return amount{0.02, 0.6, 1}
	}
	low, high := min(1, perBlock/e.rowsPerPage()), min(1, perBlock)
	if e.skippable() > leastSkipped {
		read := e.reads() / e.total
		return amount{min(low, read), read, max(read, min(high, 2*read))}
	}
	// Between rows that fell anywhere and rows that lie as far apart as they can.
	return amount{low, max(low, (1-math.Exp(-perBlock)+high)/2), high}
}
