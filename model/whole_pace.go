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
	overdue  bool      // the pass over the indexes takes longer than estimated
	failsafe bool      // it is in failsafe mode, or will be when the server looks next

	total, scanned, vacuumed float64 // blocks of the heap
	completed                int     // index passes
	scan                     amount  // seconds for each block of the position in the scan
	scanHow                  string
	asleep                   Opt[amount] // share of the scan slept
	scanRates                []movement  // of the first scan in windows, the slowest one first; none outside it
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
	e.asleep = sleptRange(&r.run, phaseScanningHeap)
	e.failsafe = e.run.Failsafe != nil || t.failsafeAge(e.run.Relation) != ""
	if e.run.Failsafe != nil {
		e.asleep = Some(amount{0, 0, sharePrecision})
	}
	e.scan, e.scanHow = e.scanPace()
	if e.phase == phaseScanningHeap && e.completed <= 0 && r.run.FromStart {
		e.scanRates = ratesOf(r.points)
		if pace := paceIn(e.scanRates); pace > 0 {
			r.readPace = pace
		}
	}
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
	if share, ok := sleptRange(run, phase).Get(); ok {
		return Some(share.mid)
	}
	return None[float64]()
}

// A share slept is not known better than to sharePrecision: so much of a run that
// seems to do nothing but sleep may be work.
const sharePrecision = 0.025

// sleptRange is the same as a range, as under the settings in force. What was sampled is
// known to the samples' error.
func sleptRange(run *Run, phase Text) Opt[amount] {
	var slept, all, half time.Duration
	known := false
	for i := range run.Phases {
		span := &run.Phases[i]
		if span.Phase != phase {
			continue
		}
		v, of, off, ok := span.slept(run)
		known = known || ok
		slept, all, half = slept+v, all+of, half+off
	}
	if !known || all < time.Second {
		return None[amount]()
	}
	mid, off := min(1, slept.Seconds()/all.Seconds()), max(sharePrecision, half.Seconds()/all.Seconds())
	mid = min(mid, 1-off/3) // nothing sleeps all of its time
	return Some(amount{max(0, mid-off), mid, min(1, mid+off)})
}

// slept is how much of its process-time a span would have slept under the settings in
// force, and to what that is known: about one error.
func (s *Span) slept(run *Run) (slept, all, off time.Duration, known bool) {
	d := s.Delay
	if !run.Delay.Reported.Known() {
		d.Reported = None[time.Duration]()
	}
	best, estimated := d.Best(s.ProcessTime)
	v, known := best.Get()
	if estimated {
		off = d.SampledError / 2 // of a 95 % interval
	}
	return max(0, v+s.stretch), max(0, s.ProcessTime-min(s.stood, s.ProcessTime)+s.stretch), off, known
}

// moved sums what was passed in a kind of phase, and the time that took.
func moved(run *Run, phase Text) (blocks, secs float64) {
	for i := range run.Phases {
		if s := &run.Phases[i]; s.Phase == phase && s.Moved.Unit == UnitBlocks {
			blocks += max(0, float64(s.Moved.To-s.Moved.From-s.unseen))
			secs += max(0, s.Moved.Over-s.idle).Seconds()
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
	if secs >= leastPaceTime.Seconds() {
		e.r.paceSeen = true // it may be much shorter under other cost settings
	}
	if blocks < leastPaceBlocks || secs <= 0 || !e.r.paceSeen {
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
	if e.asleep.Or(amount{}).mid > 0.5 {
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
