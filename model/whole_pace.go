package model

import (
	"math"
	"time"
)

// estimator is what is known of one run's pace at one moment.
type estimator struct {
	r        *runState
	run      *Run
	version  int
	settings []Setting
	prior    *Prior
	source   Text
	phase    Text
	asked    Statement // what the run's statement says

	total, scanned, vacuumed float64 // blocks of the heap
	completed                int     // index passes
	scan                     amount  // seconds for each block of the position in the scan
	scanHow                  string
	asleep                   Opt[float64] // share of the scan slept
}

func newEstimator(r *runState, t *Tracker) *estimator {
	p := r.run.Progress
	e := &estimator{
		r: r, run: &r.run, version: t.server.VersionNum, settings: t.settings, prior: t.priorOf(&r.run), phase: r.run.Phase().Phase,
		asked: parseStatement(r.run.Statement.Or("")),
		total: float64(p.HeapBlksTotal.Or(0)), scanned: float64(p.HeapBlksScanned.Or(0)), vacuumed: float64(p.HeapBlksVacuumed.Or(0)),
		completed: int(p.IndexVacuumCount.Or(0)),
	}
	e.scanned, e.vacuumed = min(e.scanned, e.total), min(e.vacuumed, e.total)
	e.asleep = sleptShare(&r.run, phaseScanningHeap)
	e.scan, e.scanHow = e.scanPace()
	return e
}

// How much must have been seen of a phase before its pace tells of what follows.
const (
	leastPaceTime   = 2 * time.Second
	leastPaceBlocks = 20
)

// whyNot says why there is no estimate; "" when there can be one.
func (e *estimator) whyNot() string {
	switch {
	case e.phase == phaseInitializing:
		return "it has not begun to read the table"
	case e.total <= 0:
		return "the table has no pages"
	case e.phase == phaseScanningHeap && e.scan.mid <= 0:
		return "it takes some seconds of the scan to tell"
	case e.scan.mid <= 0 && (e.phase == phaseVacuumingIndexes || e.phase == phaseVacuumingHeap) && !e.paceWithoutScan():
		return "of its pace too little has been seen"
	}
	return ""
}

// paceWithoutScan tells whether what was seen suffices although no scan was.
func (e *estimator) paceWithoutScan() bool {
	return e.scanned >= e.total && (e.phase == phaseVacuumingHeap && e.heapObserved() > 0 || e.phase == phaseVacuumingIndexes && len(e.ends()) > 0)
}

// sleptShare is how much of its process-time a run slept in a kind of phase.
func sleptShare(run *Run, phase Text) Opt[float64] {
	var slept, all time.Duration
	known := false
	for i := range run.Phases {
		span := &run.Phases[i]
		if span.Phase != phase {
			continue
		}
		d := span.Delay
		if !run.Delay.Reported.Known() {
			d.Reported = None[time.Duration]()
		}
		best, _ := d.Best(span.ProcessTime)
		v, ok := best.Get()
		known = known || ok
		slept, all = slept+v, all+span.ProcessTime
	}
	if !known || all < time.Second {
		return None[float64]()
	}
	return Some(min(1, slept.Seconds()/all.Seconds()))
}

// moved sums what was passed in a kind of phase, and the time that took.
func moved(run *Run, phase Text) (blocks, secs float64) {
	for i := range run.Phases {
		if s := &run.Phases[i]; s.Phase == phase && s.Moved.Unit == UnitBlocks {
			blocks += max(0, float64(s.Moved.To-s.Moved.From))
			secs += s.Moved.Over.Seconds()
		}
	}
	return blocks, secs
}

// scanPace is the seconds that a block of the scan's position takes: since the cost
// settings in force were seen to change, else between all of it and its last third, which
// tells of what nobody saw; none before there is enough of it.
func (e *estimator) scanPace() (amount, string) {
	if s := e.r.steadySpan(); e.phase == phaseScanningHeap && e.r.changedIn(e.run.Phase()) && s.pages >= leastPaceBlocks && s.over >= leastPaceTime {
		secs := s.over.Seconds()
		return about(secs/float64(s.pages), e.steadiness()+0.6/secs), "its pace since its cost settings changed"
	}
	blocks, secs := moved(e.run, phaseScanningHeap)
	if blocks < leastPaceBlocks || secs < leastPaceTime.Seconds() {
		if rate, ok := e.prior.rate(phaseScanningHeap); ok {
			e.source = e.prior.Source
			return about(1/rate, 1.5), "rate of " + show(e.prior.Source)
		}
		return amount{}, ""
	}
	pace := about(secs/blocks, e.steadiness()+0.6/secs)
	if e.phase == phaseScanningHeap {
		if recent := lastThird(e.r.points); recent > 0 {
			pace = mix(pace, recent)
		}
	}
	return pace, "its pace so far"
}

// steadiness is the factor to which a pace that was seen for long is known: one that
// sleep decides changes less than one that depends on what else the machine does.
func (e *estimator) steadiness() float64 {
	if e.asleep.Or(0) > 0.5 {
		return 1.08
	}
	return 1.25
}

// mix takes a recent pace into that of a longer time: where they differ much, the
// recent one counts, as something has changed.
func mix(pace amount, recent float64) amount {
	const much = 1.6
	mid := math.Sqrt(pace.mid * recent)
	if ratio := recent / pace.mid; ratio > much || ratio < 1/much {
		mid = recent
	}
	return amount{min(pace.low, recent, mid), mid, max(pace.high, recent, mid)}
}

// lastThird is the seconds a block took in the last third of what was seen of the
// phase; 0 where that is too short.
func lastThird(points []point) float64 {
	if len(points) < 4 {
		return 0
	}
	last := points[len(points)-1]
	seen := last.at.Sub(points[0].at)
	for i := len(points) - 2; i >= 0; i-- {
		over := last.at.Sub(points[i].at)
		if over < seen/3 || over < leastPaceTime {
			continue
		}
		if n := last.value - points[i].value; n > 0 {
			return over.Seconds() / float64(n)
		}
	}
	return 0
}

// What work a page is, beside one of the heap in the scan, where nothing is slept:
// wide, as it depends on the machine and on what the pages hold.
var (
	indexWork = amount{0.25, 1.6, 6}
	heapWork  = amount{0.1, 0.6, 2}
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
	return amount{0.1 * steps, 0.5 * steps, 1.3 * steps}
}

// pageOf is the time that a page of a later phase takes beside a page of the scan:
// what is slept goes by the cost of the pages, what is worked by work.
func (e *estimator) pageOf(cost, work amount) (ratio amount, asleep Opt[float64]) {
	share, known := e.asleep.Get()
	if !known {
		return amount{min(cost.low, work.low), math.Sqrt(cost.mid * work.mid), max(cost.high, work.high)}, asleep
	}
	slept, worked := cost.times(share), work.times(1-share)
	ratio = slept.plus(worked)
	if ratio.mid > 0 {
		asleep = Some(slept.mid / ratio.mid)
	}
	return ratio, asleep
}

// cost is a setting of the cost of a page, or what it is by default.
func (e *estimator) cost(name string, def float64) float64 {
	if s, ok := findSetting(e.settings, name); ok {
		if n, number := s.number(); number {
			return n
		}
	}
	return def
}

// touched is what reaching a page costs, and dirtied what changing it adds. Which
// pages are found in shared buffers is not known.
func (e *estimator) touched() amount {
	hit, miss := e.cost("vacuum_cost_page_hit", 1), e.cost("vacuum_cost_page_miss", 2)
	stay := e.stays(e.total)
	return amount{min(hit, miss), hit*stay + miss*(1-stay), max(hit, miss)}
}

func (e *estimator) dirtied() float64 { return e.cost("vacuum_cost_page_dirty", 20) }

// past is the seconds that the run took so far: as seen, or, where its start was
// not, as its pace makes likely.
func (e *estimator) past() float64 {
	if e.run.FromStart {
		return max(0, e.run.LastSeen.Sub(e.run.Began).Seconds())
	}
	over := e.scan.mid * e.scanned
	if e.completed > 0 {
		over += float64(e.completed)*e.indexPass().left.mid + e.heapPace().left.mid*e.vacuumed
	}
	return max(over, e.run.Watched().Seconds())
}
