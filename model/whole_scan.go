package model

import (
	"cmp"
	"math"
	"slices"
)

// skipRun is how many all-visible pages must stand in a row for VACUUM to skip them
// (SKIP_PAGES_THRESHOLD in vacuumlazy.c).
const skipRun = 32

// scanLeft is the time left of the scan, over all passes. The position alone tells
// where all pages are read; where many are all-visible, and skipped, the dead rows
// found so far of all that the statistics know of tell as well.
func (e *estimator) scanLeft() piece {
	left := e.total - e.scanned
	if left <= 0 || e.phase == phaseCleaningUp || e.over() {
		return piece{}
	}
	p := piece{phase: phaseScanningHeap, passes: 1, left: e.scan.times(left), asleep: sleptShare(e.run, phaseScanningHeap), how: e.scanHow}
	if e.failsafe && e.run.Failsafe == nil {
		awake := 1 - e.asleep.Or(amount{}).mid
		slow := min(left, e.untilLooked())
		p.left = amount{p.left.low * awake, e.scan.mid * (slow + (left-slow)*awake), p.left.high}
	}
	skipped := e.skippable()
	if skipped <= leastSkipped {
		p.left.low *= 1 - e.maySkip() // what it may skip may come still
		return p
	}
	p.how += ", all-visible pages skipped"
	if found, ok := e.found().Get(); ok && e.run.FromStart {
		_, secs := moved(e.run, phaseScanningHeap)
		p.left = both(p.left, secs*(1-found)/found, skipped)
		return p
	}
	p.left = e.scanBetweenJumps(left, skipped)
	return p
}

// failsafeEvery is how many bytes of the table the server scans until it looks again
// whether the failsafe mode is due (FAILSAFE_EVERY_PAGES in vacuumlazy.c).
const failsafeEvery = 4 << 30

// untilLooked is how many blocks are scanned until the server looks whether the failsafe
// mode is due: then, and before a pass over the indexes. From then on it sleeps no more.
func (e *estimator) untilLooked() float64 {
	const byDefault = 8192
	size := float64(e.run.HeapBytes.Or(0)) / max(1, e.total)
	if size <= 0 {
		size = byDefault
	}
	every := failsafeEvery / size
	until := every - math.Mod(e.scanned, every)
	if full, ok := e.r.fullAt(e.run.Progress).Get(); ok && !e.withoutIndexPass() {
		until = min(until, float64(full)-e.scanned)
	}
	return max(0, until)
}

// scanBetweenJumps is the time left of a scan that skips pages, where the statistics do
// not tell how many dead rows there are: none but those pages take time. All that were
// not skippable at the last vacuum are read, and all may be. In between nothing is
// known; what was changed since then stands together, so that half of it is as likely
// over as not, unless there would have to be more of it in what is left.
func (e *estimator) scanBetweenJumps(left, skipped float64) amount {
	pace := e.readPace()
	if !(e.r.readPace > 0) {
		return amount{e.scan.low * left * (1 - skipped), e.scan.mid * left, max(e.scan.high, pace.high) * left}
	}
	passed, secs := moved(e.run, phaseScanningHeap)
	read := secs / pace.mid
	unseen := max(0, e.scanned-passed) // of these all may have been read
	least := max(0, e.deadPages()-read-unseen)
	middle := min(left, max(least, min(read, left*read/max(1, passed))))
	return amount{pace.low * 0.8 * min(least, middle), pace.mid * middle, pace.high * left}
}

// leastSkipped is the share of all-visible pages under which skipping does not matter.
const leastSkipped = 0.1

// both takes a second estimate in, the more so the more is skipped.
func both(a amount, other, weight float64) amount {
	mid := a.mid*(1-weight) + other*weight
	return amount{min(a.low, 0.8*other, mid), mid, max(a.high, 1.25*other, mid)}
}

// evenly tells that the position has moved on so evenly since the scan began that none
// of the pages passed can have been skipped: those take no time.
func (e *estimator) evenly() bool {
	const least, most = 5, 1.6 // windows; the fastest beside the one in the middle
	if rates := e.scanRates; len(rates) >= least {
		e.r.even = rates[len(rates)-1].perSecond() < most*rates[len(rates)/2].perSecond()
	}
	return e.r.even
}

// ratesOf are the rates of readings in windows, the slowest one first.
func ratesOf(points []point) []movement {
	if len(points) == 0 {
		return nil
	}
	const beat = minWindow * 9 / 10 // from a reading to the next, which do not come to the millisecond
	rates := movedRates(points, max(beat, points[len(points)-1].at.Sub(points[0].at)/windowsUsed))
	slices.SortFunc(rates, func(a, b movement) int { return cmp.Compare(a.perSecond(), b.perSecond()) })
	return rates
}

// paceIn is the seconds that a page took in the window in the middle, where pages are
// skipped in few of them, of two in the slower; 0 where there are too few windows.
func paceIn(rates []movement) float64 {
	const least = 2
	if len(rates) < least {
		return 0
	}
	return 1 / rates[(len(rates)-1)/2].perSecond()
}

// readPace is the seconds that a page which is really read takes in the scan: more
// than one of its position where pages are skipped. In most windows none is, as those
// that are take no time; where they lie scattered, the dead rows tell.
func (e *estimator) readPace() amount {
	if e.skippable() <= leastSkipped {
		return e.scan
	}
	blocks, secs := moved(e.run, phaseScanningHeap)
	read := e.readAtLeast()
	switch {
	case e.r.readPace > 0 && read >= 1:
		return around(e.r.readPace, 0.8*e.r.readPace, min(secs/read, 4*e.r.readPace))
	case e.r.readPace > 0:
		return about(e.r.readPace, 1.5)
	case secs <= 0 || read < 1:
		return e.scan.by(about(1, 3))
	}
	return around(secs/math.Sqrt(read*max(read, blocks)), secs/max(read, blocks), secs/read)
}

// readAtLeast is how many pages the scan has read at least: those that the dead rows
// which it found fill.
func (e *estimator) readAtLeast() float64 {
	if found, ok := e.found().Get(); ok {
		return e.deadPages() * found
	}
	return float64(max(0, e.run.Memory.Items.Or(0))) / e.rowsPerPage()
}

// skippable is the share of the heap that the scan skips, as far as the catalog tells:
// as of the last vacuum, so that pages changed since are among it.
func (e *estimator) skippable() float64 {
	if e.evenly() {
		return 0
	}
	return e.maySkip()
}

// maySkip is the same by the catalog alone. Before 18 it does not tell how many of the
// all-visible pages are all-frozen: they all may be, where the position was seen to jump.
func (e *estimator) maySkip() float64 {
	rel, aggressive := e.run.Relation, e.aggressive()
	if rel != nil && aggressive && !rel.RelAllFrozen.Known() && e.jumps() {
		aggressive = false
	}
	return rel.skippable(aggressive)
}

// jumps tells that the first scan passed pages much faster than it passed most: more than
// what is read and not changed explains.
func (e *estimator) jumps() bool {
	const least, much = 2, 4 // windows; the fastest beside the one in the middle
	if rates := e.scanRates; len(rates) >= least && rates[len(rates)-1].perSecond() > much*rates[(len(rates)-1)/2].perSecond() {
		e.r.jumped = true
	}
	return e.r.jumped
}

// skippable is the share of a table that is all-visible, or all-frozen, where only such
// pages are skipped. 0 where that is not known.
func (rel *Relation) skippable(onlyFrozen bool) float64 {
	if rel == nil || rel.RelPages < skipRun {
		return 0
	}
	pages := rel.RelAllVisible
	if onlyFrozen {
		pages = rel.RelAllFrozen.Or(0)
	}
	return max(0, min(1, float64(pages)/float64(rel.RelPages)))
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

// deadPages is how many pages the scan reads at least, in all: those that are not
// all-visible by the catalog, and those that the dead rows since fill, which stand
// together, else nothing would be skipped.
func (e *estimator) deadPages() float64 {
	share := 1 - e.skippable()
	dead := float64(e.run.Memory.Items.Or(0))
	if rel := e.run.Relation; rel != nil {
		dead = max(dead, float64(rel.DeadTuples))
	}
	return max(1, min(e.total, max(share*e.total, dead/e.rowsPerPage())))
}

// reads is how many pages the scan reads in all: by the time that it took so far, and
// at least deadPages.
func (e *estimator) reads() float64 {
	least := e.deadPages()
	_, secs := moved(e.run, phaseScanningHeap)
	if pace := e.readPace().mid; pace > 0 && e.r.readPace > 0 {
		return min(e.total, max(least, secs/pace/e.found().Or(1)))
	}
	return least
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
