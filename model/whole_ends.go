package model

import (
	"math"
	"slices"
	"time"
)

// indexEnd is a moment at which indexes of the current pass were seen to have ended.
type indexEnd struct {
	n int // how many were done by then
	// after is how long the pass had worked, under the cost settings in force; it is
	// known to within, half of the time between two readings.
	after, within time.Duration
}

// indexesDone is what was seen of the current pass over the indexes (17+).
type indexesDone struct {
	ends   []indexEnd
	readAt time.Time     // of the last reading, else when the pass began
	idle   time.Duration // of the span, when the pass began
}

// passBegins notes that the counter of the phase, and a pass over the indexes, begins.
func (r *runState) passBegins(at time.Time, span *Span) {
	r.points, r.readings, r.counted = nil, nil, at
	r.indexes = indexesDone{readAt: at, idle: span.idle}
}

// worked is how long the current pass has worked, under the settings in force.
func (r *runState) worked(at time.Time) time.Duration {
	return max(0, at.Sub(r.counted)-(r.run.Phase().idle-r.indexes.idle))
}

// readIndexes takes how many indexes of the current pass are done. They ended half-way
// between two readings, which is as well as it is known.
func (r *runState) readIndexes(at time.Time, done Opt[int64]) {
	seen, before := &r.indexes, 0
	if len(seen.ends) > 0 {
		before = seen.ends[len(seen.ends)-1].n
	}
	within := at.Sub(seen.readAt) / 2
	seen.readAt = at
	if n := int(done.Or(0)); n > before && within > 0 { // else the clock was set back
		r.pulse.beats(at)
		seen.ends = append(seen.ends, indexEnd{n, max(0, r.worked(at)-within), within})
	}
}

// repace makes the ends count as under other settings.
func (d *indexesDone) repace(factor float64) {
	d.ends = slices.Clone(d.ends)
	for i := range d.ends {
		d.ends[i].after = time.Duration(factor * float64(d.ends[i].after))
	}
}

// ends are the moments at which indexes of the current pass were seen to end.
func (e *estimator) ends() []indexEnd {
	if e.phase != phaseVacuumingIndexes {
		return nil
	}
	return e.r.indexes.ends
}

// byEnds is a whole pass over the indexes, by the last of its indexes that were seen to
// end.
func (e *estimator) byEnds(s schedule) (whole amount, how string, ok bool) {
	ends := e.ends()
	if len(ends) == 0 || ends[len(ends)-1].after <= 0 {
		return amount{}, "", false
	}
	last := ends[len(ends)-1]
	secs, sharp := last.after.Seconds(), last.within.Seconds()/last.after.Seconds()
	if total := len(s.ends); total > 0 && last.n <= total {
		done := s.ends[last.n-1] / s.pages()
		return about(secs/done, 1.08+0.4*(1-done)+sharp), "by the size of the indexes that are done", true
	}
	total := float64(max(1, e.run.Phase().Moved.Total))
	return about(secs*total/float64(last.n), 1.5+sharp), "by the number of indexes that are done", true
}

// with takes another estimate of the same in: each counts the more, the better it is
// known. Where they contradict each other neither is known as well as it seemed.
func (a amount) with(b amount) amount {
	if !(a.low > 0 && b.low > 0) {
		return a
	}
	const least = 0.05
	ea, eb := max(least, math.Log(a.high/a.low)/2), max(least, math.Log(b.high/b.low)/2)
	apart := math.Log(b.mid / a.mid)
	mid := a.mid * math.Exp(apart*ea*ea/(ea*ea+eb*eb))
	off := ea * eb / math.Hypot(ea, eb) * max(1, math.Abs(apart)/math.Hypot(ea, eb))
	return about(mid, math.Exp(off))
}
