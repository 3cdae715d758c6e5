package model

import (
	"slices"
	"time"
)

// schedule is the order in which the processes of an index pass come to the end of
// its indexes, in pages that each of them has gone through by then.
type schedule struct {
	ends []float64 // ascending; one for each index
}

func (s schedule) pages() float64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// indexSize is the pages of an index.
func indexSize(ix Index) float64 { return float64(max(1, ix.RelPages)) }

// scheduleOf follows the server: each process takes the next index of the list when
// it is done with one; the leader begins with those that workers may not have.
func scheduleOf(indexes []Index, size func(Index) float64, workers int, settings []Setting) schedule {
	at := make([]float64, 1+max(0, workers)) // what each process has gone through
	var s schedule
	take := func(process int, ix Index) {
		at[process] += size(ix)
		s.ends = append(s.ends, at[process])
	}
	for _, ix := range indexes {
		if workers > 0 && WhyNoWorker(ix, settings) != "" {
			take(0, ix)
		}
	}
	for _, ix := range indexes {
		if workers > 0 && WhyNoWorker(ix, settings) != "" {
			continue
		}
		first := 0
		for i := range at {
			if at[i] < at[first] {
				first = i
			}
		}
		take(first, ix)
	}
	slices.Sort(s.ends)
	return s
}

// workers is how many the next index pass, or the current one, will have.
func (e *estimator) workers() int {
	p := e.run.Parallel
	if n, ok := p.Launched.Get(); ok && (isIndexPhase(e.phase) || e.completed > 0) {
		return n
	}
	return p.Planned.Or(0)
}

// indexes is what a pass over the indexes goes through, in pages or another size, and how.
func (e *estimator) indexes(size func(Index) float64) schedule {
	return scheduleOf(e.run.Indexes, size, e.workers(), e.settings)
}

// indexPass is a whole pass over the indexes, from what tells most of it: indexes
// that ended in this pass, earlier passes, a prior, and else the scan's pace.
func (e *estimator) indexPass() piece {
	s := e.indexes(e.weight())
	p := piece{phase: phaseVacuumingIndexes, passes: 1, asleep: sleptShare(e.run, phaseVacuumingIndexes)}
	if secs, ok := e.passesSeen(); ok {
		p.left, p.how = about(secs, 1.12), "as the passes before"
		p.left.low *= 1 - 0.4*e.fits(e.total) // pages that stayed in memory cost less again
		p.left.mid *= 1 - 0.15*e.fits(e.total)
		return p
	}
	p = e.foreseenPass(p, s)
	if seen, how, ok := e.byEnds(s); ok {
		p.left, p.how, p.asleep = seen.with(p.left), how, sleptShare(e.run, phaseVacuumingIndexes)
	}
	return p
}

// foreseenPass is a whole pass over the indexes as a prior, else the scan's pace, tell.
func (e *estimator) foreseenPass(p piece, s schedule) piece {
	if pace, ok := e.priorPace(phaseVacuumingIndexes); ok && s.pages() > 0 {
		p.left, p.how = pace.times(e.indexes(indexSize).pages()), "rate of "+show(e.prior.Source)
		return p
	}
	ratio, asleep := e.pageOf(e.indexCost(), e.workOfIndex())
	pages := s.pages()
	p.how, p.asleep = "by the indexes' size, at the scan's pace", asleep
	if pages <= 0 {
		pages, p.how = e.total/4, "a guess: sizes of indexes are not known"
		ratio = ratio.by(about(1, 4))
	}
	p.left = e.readPace().by(ratio).times(pages)
	if e.workers() > 0 {
		p.left.high *= 1.25 // whether they come, and how they share the limit, is not seen yet
	}
	return p
}

// passesSeen is how long an index pass took, of those that were seen whole: what is
// between the last ones and all.
func (e *estimator) passesSeen() (secs float64, ok bool) {
	var sum, last time.Duration
	n := 0
	for i := range e.run.Phases {
		s := &e.run.Phases[i]
		wall, passes := s.Wall-s.idle, s.Passes
		if i == len(e.run.Phases)-1 && !s.Complete { // of the current one, the passes before this
			wall, passes = e.r.counted.Sub(s.From)-s.idle, s.Passes-1
		}
		if s.Phase == phaseVacuumingIndexes && passes > 0 && (s.Complete || i > 0 || e.run.FromStart) {
			sum, n = sum+wall, n+passes
			last = wall / time.Duration(passes)
		}
	}
	if n == 0 || sum <= 0 {
		return 0, false
	}
	secs = (sum.Seconds()/float64(n) + last.Seconds()) / 2
	return secs, secs > 0
}

// indexLeft is what is left of the current pass over the indexes.
func (e *estimator) indexLeft() amount {
	span := e.run.Phase()
	whole, over := e.indexPass().left, e.r.worked(span.To).Seconds()
	if !e.run.FromStart && len(e.run.Phases) == 1 {
		// Attached in the middle: it has gone on for longer than was seen.
		return amount{0, max(whole.mid-over, 0) / 2, max(whole.high-over, 0.3*over)}
	}
	e.overdue = over > whole.mid
	return remaining(whole, over)
}

// remaining is what is left of something after a time: when the time is nearly over,
// a part of it, as then the estimate was too short. The longer it goes on beyond that,
// the less the estimate says, and the more the time that it has taken.
func remaining(whole amount, over float64) amount {
	over = max(0, over)
	left := whole.less(over)
	late := over * over / max(over+whole.mid, 1e-9) // grows to the time that it took
	beyond := max(0, over-whole.mid)
	left.mid = max(left.mid, 0.15*late, 0.5*beyond)
	left.high = max(left.high, 0.5*late, 3*beyond)
	left.low = min(left.low, left.mid)
	return left
}
