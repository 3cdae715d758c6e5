package model

import (
	"slices"
	"time"
)

// maxMinutes is how many Minutes of a run are kept: when there are more, they are
// merged by tens, and from then on each is ten times as long. A Minute has some 400
// bytes.
const maxMinutes = 24 * 60

// mergedMinutes is how many are merged into one.
const mergedMinutes = 10

// Minute counts the samples of a run in one minute of the server's clock, or in ten of
// them, a hundred and so on where the run is long.
type Minute struct {
	From  time.Time
	For   time.Duration // how long it is: a minute, or more
	Waits []MinuteWait
}

// MinuteWait counts the samples of the leader, or of all workers, in one wait event.
type MinuteWait struct {
	// Wait is absent for samples on CPU (or in code that is not instrumented).
	Wait    Opt[Wait]
	Worker  bool
	Samples int
}

// Minutes are the samples of the run by time, as far as there are any.
func (r *Run) Minutes() []Minute {
	if len(r.minute.Waits) == 0 {
		return r.minutes
	}
	return append(r.minutes[:len(r.minutes):len(r.minutes)], r.minute)
}

// minutes is a bounded list of Minutes. Published slices are never written again: what
// is over is appended behind their end, and merging makes a new list.
type minutes struct {
	over    []Minute
	current Minute
	length  time.Duration // of each; 0 is a minute
}

// add counts a sample.
func (m *minutes) add(at time.Time, w MinuteWait) {
	if m.length == 0 {
		m.length = time.Minute
	}
	if from := at.Truncate(m.length); !from.Equal(m.current.From) {
		m.close()
		m.begin(at.Truncate(m.length))
	}
	m.current.add(w)
}

// begin makes the minute the current one, which can be the last of those just merged.
func (m *minutes) begin(from time.Time) {
	m.current = Minute{From: from, For: m.length}
	if n := len(m.over); n > 0 && m.over[n-1].From.Equal(from) {
		m.current, m.over = m.over[n-1], m.over[:n-1]
	}
}

// close ends the current minute.
func (m *minutes) close() {
	if len(m.current.Waits) == 0 {
		return
	}
	if m.over = append(m.over, m.current); len(m.over) == maxMinutes {
		m.merge()
	}
}

// merge makes the minutes ten times as long.
func (m *minutes) merge() {
	m.length *= mergedMinutes
	var merged []Minute
	for _, one := range m.over {
		from := one.From.Truncate(m.length)
		if n := len(merged); n == 0 || !merged[n-1].From.Equal(from) {
			merged = append(merged, Minute{From: from, For: m.length})
		}
		for _, w := range one.Waits {
			merged[len(merged)-1].add(w)
		}
	}
	m.over = merged
}

func (m *Minute) add(w MinuteWait) {
	for i := range m.Waits {
		if e := &m.Waits[i]; e.Wait == w.Wait && e.Worker == w.Worker {
			e.Samples += w.Samples
			return
		}
	}
	m.Waits = append(m.Waits, w)
}

// clone returns minutes that append to lists of their own.
func (m minutes) clone() minutes {
	m.over = m.over[:len(m.over):len(m.over)]
	m.current.Waits = slices.Clone(m.current.Waits)
	return m
}
