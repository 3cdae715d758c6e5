package model

import "time"

// Balance is how evenly the processes of a parallel pass over the indexes are at
// work in it.
type Balance struct {
	// Wall is the length of the pass, so far.
	Wall    time.Duration
	Workers int // launched for it
	// Life is how long the workers lived in the pass, together.
	Life time.Duration
	// IdleTail is the leader's time in IPC/ParallelFinish: it has no index left and
	// waits for workers. An estimate from samples.
	IdleTail time.Duration
}

// Busy is the part of the pass that its processes, leader and workers, were at work
// in it, on average: 1 when all of them were to its end.
func (b Balance) Busy() Ratio {
	all := b.Wall.Seconds() * float64(1+b.Workers)
	if all <= 0 {
		return 0
	}
	return min(1, Ratio((b.Wall+b.Life-b.IdleTail).Seconds()/all))
}

// Balance is that of the current pass over the indexes, else of the last one; absent
// without workers, and where passes were too short to be seen one by one.
func (r *Run) Balance() Opt[Balance] {
	span := r.lastIndexPass()
	if span == nil || span.Passes > 1 || !span.Complete && span.Wall < MinShareWindow {
		return None[Balance]()
	}
	b := Balance{Wall: span.Wall}
	for _, m := range r.Processes {
		if !m.Worker || m.FirstSeen.After(span.To) || m.LastSeen.Before(span.From) {
			continue
		}
		b.Workers++
		b.Life += earliest(m.LastSeen, span.To).Sub(latest(m.FirstSeen, span.From))
	}
	for _, w := range span.Waits {
		if w.Class == ClassLeader {
			b.IdleTail += w.Weight
		}
	}
	if b.Workers == 0 || b.Wall <= 0 {
		return None[Balance]()
	}
	return Some(b)
}

func (r *Run) lastIndexPass() *Span {
	for i := len(r.Phases) - 1; i >= 0; i-- {
		if r.Phases[i].Phase == phaseVacuumingIndexes {
			return &r.Phases[i]
		}
	}
	return nil
}

func earliest(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// Rounds is how many indexes the busiest process has to take, were they all alike:
// the leader works as well.
func Rounds(indexes, workers int) int { return (indexes + workers) / (1 + workers) }

// workersFor is the smallest number of workers, above those launched and at most one
// for each index but the leader's, that makes fewer rounds; absent where none does.
func workersFor(indexes, launched int) Opt[int] {
	for n := launched + 1; n < indexes; n++ {
		if Rounds(indexes, n) < Rounds(indexes, launched) {
			return Some(n)
		}
	}
	return None[int]()
}
