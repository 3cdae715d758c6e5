package model

import (
	"iter"
	"slices"
)

// Chosen follows the vacuums that somebody waits for to their ends: those in sight
// at the first snapshot, or, when there was none, the first that begins. What is
// followed is a command: its vacuums of all its tables, one after the other. The
// zero Chosen has not yet chosen.
type Chosen struct {
	commands []statementKey
	runs     []*Run // ended or in sight, in the order in which they were first seen
	settled  map[relationOf]Ending
	quiet    int // snapshots in a row in which none of them was at work
}

// statementKey is one statement; each table of an autovacuum worker is one of its own.
type statementKey struct {
	pid                     int32
	datID                   uint32
	backendStart, statement int64 // in nanoseconds since 1970
}

func statementOf(k RunKey) statementKey {
	return statementKey{k.PID, k.DatID, k.BackendStart.UnixNano(), k.StatementStart.UnixNano()}
}

// relationOf is one relation of a command.
type relationOf struct {
	statementKey
	relID uint32
}

func relationKeyOf(r *Run) relationOf { return relationOf{statementOf(r.Key), r.Key.RelID} }

// maxChosen bounds the runs that are kept for their summaries; the endings of all
// are counted.
const maxChosen = maxEndedFull

// quietEnd is for how many snapshots nothing of the commands is seen before they
// are over: between two tables of one command there can be a moment without.
const quietEnd = 2

// Step takes the next snapshot and tells whether all that was chosen has ended, with
// every result that can become visible.
func (c *Chosen) Step(s *Snapshot) (done bool) {
	if s.At.IsZero() || s.Blind || s.Link.Lost {
		return false
	}
	if len(c.commands) == 0 {
		c.choose(s)
	}
	working := c.take(slices.All(s.Active)) || slices.ContainsFunc(s.Analyzes, func(a Analyze) bool {
		return slices.ContainsFunc(c.commands, func(of statementKey) bool { return of.pid == a.PID })
	})
	open := c.take(slices.Backward(s.Ended)) // the last one to end is the first of them
	if working || open || len(c.commands) == 0 {
		c.quiet = 0
		return false
	}
	c.quiet++
	return c.quiet >= quietEnd
}

// choose takes all in sight; one that began and ended between two snapshots was
// the first.
func (c *Chosen) choose(s *Snapshot) {
	runs := s.Active
	if len(runs) == 0 && len(s.Ended) > 0 {
		runs = s.Ended[len(s.Ended)-1:]
	}
	for _, r := range runs {
		if of := statementOf(r.Key); !slices.Contains(c.commands, of) {
			c.commands = append(c.commands, of)
		}
	}
}

// take notes the runs of the chosen commands and tells whether one of them has no
// result yet.
func (c *Chosen) take(runs iter.Seq2[int, *Run]) (open bool) {
	if c.settled == nil {
		c.settled = map[relationOf]Ending{}
	}
	for _, r := range runs {
		if _, is := c.settled[relationKeyOf(r)]; is || !slices.Contains(c.commands, statementOf(r.Key)) {
			continue
		}
		c.keep(r)
		if r.End == nil || r.End.Open {
			open = true
			continue
		}
		c.settled[relationKeyOf(r)] = r.End.How
	}
	return open
}

// keep holds the newest state of a run.
func (c *Chosen) keep(r *Run) {
	for i, kept := range c.runs {
		waited := kept.Key.RelID == 0 && statementOf(kept.Key) == statementOf(r.Key) // for its lock, and is known now
		if waited || relationKeyOf(kept) == relationKeyOf(r) {
			c.runs[i] = r
			return
		}
	}
	c.runs = append(c.runs, r)
	c.runs = c.runs[max(0, len(c.runs)-maxChosen):]
}

// Runs are the runs of the chosen commands, the first one first; of very many the
// last.
func (c *Chosen) Runs() []*Run { return c.runs }

// Endings counts how they ended.
func (c *Chosen) Endings() map[Ending]int {
	counts := map[Ending]int{}
	for _, how := range c.settled {
		counts[how]++
	}
	return counts
}
