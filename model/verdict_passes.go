package model

import (
	"fmt"
	"time"
)

func memorySentence(r *Run) string {
	m := r.Memory
	made := r.IndexPass()
	switch {
	case !m.Known():
		return ""
	case r.End != nil && made > 1:
		return fmt.Sprintf("It made %s passes over the indexes, for lack of %s.", FormatCount(int64(made)), memorySetting(r))
	case r.End != nil:
		return ""
	}
	projected, ok := m.Projected.Get()
	scans := r.Phase().Phase == phaseScanningHeap
	passes := "≈" + FormatCount(int64(m.Passes.Or(0)))
	switch {
	case m.Fill() >= 1 && scans:
		return "The memory for dead rows is full: an index pass is due."
	case !scans && m.Passes.Or(1) > 1:
		return fmt.Sprintf("Pass %s of %s over the indexes, for lack of %s.", FormatCount(int64(r.Phase().LastPass())), passes, memorySetting(r))
	case ok && projected > 1:
		return fmt.Sprintf("Its %s will not hold the dead rows: %s index passes.", memorySetting(r), passes)
	}
	return ""
}

// memorySetting is the setting that limits the memory for dead rows of the run.
func memorySetting(r *Run) string {
	if r.StartedBy.Or(ByManual) == ByManual {
		return "maintenance_work_mem"
	}
	return "autovacuum_work_mem (-1: maintenance_work_mem)"
}

// judgePasses finds a run whose memory does not hold its dead rows.
func judgePasses(_ *Snapshot, r *Run) (Finding, bool) {
	sentence := memorySentence(r)
	if sentence == "" || r.Watched() < leastJudged {
		return Finding{}, false
	}
	f := Finding{Sentence: sentence}
	passes := r.Memory.Passes.Or(0)
	if r.End != nil {
		passes = r.IndexPass()
	}
	if passes > 1 {
		f.Helps = r.onePass(passes-1) + ", in its next run."
	}
	return f, true
}

// onePass says what memory that holds all dead rows would spare, so many passes.
func (r *Run) onePass(spared int) string {
	memory := "Enough of it"
	if needed, ok := r.Memory.Needed.Get(); ok {
		memory = "≈" + FormatBytes(needed)
	}
	passes := mark(r.End == nil, FormatCounted(spared, "pass", "passes"))
	if length, ok := r.passLength().Get(); ok {
		passes += " of ≈" + FormatDuration(length)
		if spared > 1 {
			passes += fmt.Sprintf(" (≈%s in all)", FormatDuration(time.Duration(spared)*length))
		}
	}
	return memory + " would spare " + passes
}

// passLength is the mean length of the passes over the indexes, of those that are over
// or, where they are told apart no more, of all; absent before the first has ended.
func (r *Run) passLength() Opt[time.Duration] {
	var wall time.Duration
	n := 0
	for i := range r.Phases {
		span := &r.Phases[i]
		if span.Phase == phaseVacuumingIndexes && (span.Complete || span.Passes > 1) {
			wall += span.Wall
			n += span.Passes
		}
	}
	if n == 0 {
		return None[time.Duration]()
	}
	return Some(wall / time.Duration(n))
}
