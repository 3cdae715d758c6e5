package model

import (
	"math"
	"time"
)

// What work a page is, beside one of the heap in the scan, where nothing is slept: as
// measured without delay on 13 to 19, and wide, as it depends on the machine and on
// what the pages hold.
var (
	indexWork = amount{0.6, 1.6, 3.5}
	heapWork  = amount{0.2, 0.45, 0.9}
)

// deadTidStore is the first version that keeps the dead rows in a tree; before, each
// entry of an index was searched in their sorted list.
const deadTidStore = 170000

// workOfIndex is what work a page of an index is, by version.
func (e *estimator) workOfIndex() amount {
	if e.version >= deadTidStore {
		return indexWork
	}
	const unknown = 100_000
	steps := math.Log2(2 + float64(max(0, e.run.Memory.Items.Or(unknown))))
	return amount{0.2 * steps, 0.55 * steps, 0.9 * steps}
}

// pageOf is the time that a page of a later phase takes beside a page of the scan:
// what is slept goes by the cost of the pages, what is worked by work.
func (e *estimator) pageOf(cost, work amount) (ratio amount, asleep Opt[float64]) {
	share, known := e.asleep.Get()
	if !known {
		return amount{min(cost.low, work.low), math.Sqrt(cost.mid * work.mid), max(cost.high, work.high)}, asleep
	}
	slept := cost.times(share.mid)
	worked := work.by(amount{1 - share.high, 1 - share.mid, 1 - share.low})
	ratio = slept.plus(worked)
	if ratio.mid > 0 {
		asleep = Some(slept.mid / ratio.mid)
	}
	return ratio, asleep
}

// cost is a setting of the cost of a page, or what it is by default.
func (e *estimator) cost(name string, def float64) float64 {
	if n, ok := settingNumber(e.settings, name); ok && n >= 0 {
		return n
	}
	return def
}

// touched is what reaching a page costs, where a share of the pages is found in shared
// buffers.
func (e *estimator) touched(stay float64) float64 {
	return e.cost("vacuum_cost_page_hit", 1)*stay + e.cost("vacuum_cost_page_miss", 2)*(1-stay)
}

// dirtied is what changing a page adds, where it is not dirty yet.
func (e *estimator) dirtied() float64 { return e.cost("vacuum_cost_page_dirty", 20) }

// scanCost is what a page of the heap costs in the scan, in which nearly all that are
// read are changed; never nothing, so that others can be beside it.
func (e *estimator) scanCost() float64 {
	return max(0.1, e.touched(e.stays().mid)+e.dirtied())
}

// stays is the share of the pages that the scan reads which are found in shared buffers
// from one phase to the next. What processes did when they were awake in the scan tells
// more than mayStay: to read or write a file is what those pages take that do not stay.
func (e *estimator) stays() amount {
	const weight = 3 // samples that mayStay is worth
	files, awake := e.filesOfScan()
	gone := (weight*(1-e.mayStay()) + 2*files) / (weight + awake) // about half of such a page's time
	mid := max(0, 1-gone)
	off := 1.4 / math.Sqrt(weight+awake)
	return amount{max(0, mid-off), mid, min(1, mid+off)}
}

// mayStay is the same by the sizes alone. Shared buffers hold the pages of a table that
// fits into them, were it in use; of a larger one what is read next tends to be what was
// pushed out. Of a larger one of which the scan reads only what fits, they hold it, but
// the background writer may have written it by then, and it is to be written again.
func (e *estimator) mayStay() float64 {
	fits := e.fits(e.total)
	switch {
	case fits >= 1:
		return 1
	case e.skippable() > leastSkipped && e.fits(e.reads()) >= 1:
		const begins = 2.0 / 3 // a guess: the writer begins where buffers are wanted
		return 1 - begins*e.writtenBehind()
	}
	return fits / 3
}

// writtenBehind is the share of the pages that the scan reads which the background writer
// can write while the indexes are vacuumed, by its default settings (measured on 18: 2,182
// pages that were in shared buffers were clean after 5 s, and cost as much again).
func (e *estimator) writtenBehind() float64 {
	const perSecond = 500                                      // 100 every 200 ms
	indexes := e.indexes(indexSize).pages() * e.readPace().mid // such a page costs about as much
	return min(1, perSecond*indexes/e.reads())
}

// fits is the share of so many pages that shared buffers can hold; a guess where their
// size was not read.
func (e *estimator) fits(pages float64) float64 {
	const guess = 0.5
	buffers, ok := settingInt(e.settings, "shared_buffers")
	if !ok || buffers <= 0 || pages <= 0 {
		return guess
	}
	return min(1, float64(buffers)/pages)
}

// filesOfScan is how many of the samples of processes awake in the scan read or wrote
// files of tables.
func (e *estimator) filesOfScan() (files, awake float64) {
	for i := range e.run.Phases {
		if e.run.Phases[i].Phase != phaseScanningHeap {
			continue
		}
		for _, w := range e.run.Phases[i].Waits {
			switch w.Class {
			case ClassIO:
				files += float64(w.Samples)
				awake += float64(w.Samples)
			case ClassCPU, ClassWAL:
				awake += float64(w.Samples)
			}
		}
	}
	return files, awake
}

// heapCost is what a page costs in the second pass beside the scan: as much, where it
// has left shared buffers or was written by a checkpoint in between; else, as it is
// dirty still, almost nothing. The free space map is reached for each page, too.
func (e *estimator) heapCost() amount {
	stay, dirty, freeSpace := e.stays(), e.dirtied(), e.touched(1)
	of := func(stay float64) float64 {
		again := stay*e.writtenBetween() + 1 - stay
		return (e.touched(stay) + freeSpace + dirty*again) / e.scanCost()
	}
	return around(of(stay.mid), of(stay.high), 1.1*of(stay.low))
}

// writtenBetween is the share of the dirty pages that a checkpoint writes between the
// scan of a page and its second pass.
func (e *estimator) writtenBetween() float64 {
	const byDefault = 5 * time.Minute
	timeout := byDefault.Seconds()
	if s, ok := settingInt(e.settings, "checkpoint_timeout"); ok && s > 0 {
		timeout = float64(s)
	}
	scan := e.scan.mid * (e.total - e.scanned) // and what it took, whatever it would take now
	for i := range e.run.Phases {
		if span := &e.run.Phases[i]; span.Phase == phaseScanningHeap {
			scan += span.Wall.Seconds()
		}
	}
	return min(1, scan/timeout)
}

// indexCost is what a page of an index costs beside one of the heap in the scan. It is
// changed when a dead row's entry is on it.
func (e *estimator) indexCost() amount {
	changed := e.indexChanged()
	of := func(stay, changed float64) float64 {
		return (e.touched(stay) + e.dirtied()*changed) / e.scanCost()
	}
	stay := e.stays()
	return around(of(stay.mid/2, changed), of(stay.high, 0.75*changed), of(0, min(1, 1.2*changed)))
}

// indexPages is how many pages indexes have, of an access method or, "", of all.
func indexPages(indexes []Index, method Text) (pages float64) {
	for _, ix := range indexes {
		if method == "" || ix.AccessMethod == method {
			pages += float64(max(0, ix.RelPages))
		}
	}
	return pages
}

// indexChanged is the share of the pages of the indexes on which a dead row's entry is.
func (e *estimator) indexChanged() float64 {
	pages, changed := 0.0, 0.0
	for _, ix := range e.run.Indexes {
		pages, changed = pages+indexSize(ix), changed+indexSize(ix)*e.changedOf(ix)
	}
	if pages <= 0 {
		return 1
	}
	return changed / pages
}

// changedOf is the same of one index: the fewer entries fit on a page, the fewer pages
// have one of a dead row. A partial index has fewer than this knows of.
func (e *estimator) changedOf(ix Index) float64 {
	perBlock, known := e.dead()
	if rel := e.run.Relation; known && rel != nil && rel.RelTuples.Or(0) > 0 {
		return 1 - math.Exp(-min(rel.RelTuples.Or(0), perBlock*e.total)/indexSize(ix))
	}
	return 1
}

// weight gives the size of an index in pages that take as long as those of the table's
// indexes do on average: what is slept for a page goes by what it costs.
func (e *estimator) weight() func(Index) float64 {
	touched, dirtied := e.touched(e.stays().mid/2), e.dirtied()
	cost := func(changed float64) float64 { return max(0.1, touched+dirtied*changed) }
	average, asleep := cost(e.indexChanged()), e.asleep.Or(amount{}).mid
	return func(ix Index) float64 {
		return indexSize(ix) * (1 - asleep + asleep*cost(e.changedOf(ix))/average)
	}
}
