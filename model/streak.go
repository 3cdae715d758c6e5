package model

import (
	"fmt"
	"time"
)

// Streak is how many autovacuums of the run's table in a row ended without
// completing, up to the run, as far as they were seen.
func (s *Snapshot) Streak(r *Run) int {
	n := 0
	completed := r.lastCompleted()
	for _, o := range s.Ended {
		same := o.Key.RelID == r.Key.RelID && o.Key.DatID == r.Key.DatID && o.Command == "VACUUM" && o.StartedBy.Or(ByManual) != ByManual
		later := r.End != nil && o.End.At.After(r.End.At)
		if !same || later {
			continue
		}
		gaveWay := o.End.How == EndGaveWay || o.End.How == EndNotCompleted
		if !gaveWay || !o.End.At.After(completed) {
			break
		}
		n++
	}
	return n
}

// lastCompleted is when a vacuum of the table completed last, by the statistics;
// zero when they know of none.
func (r *Run) lastCompleted() time.Time {
	if r.Relation == nil {
		return time.Time{}
	}
	return latest(r.Relation.LastVacuum.Or(time.Time{}), r.Relation.LastAutovacuum.Or(time.Time{}))
}

// streakSentence tells of an autovacuum that ends without completing time and
// again; "" before the second time.
func streakSentence(s *Snapshot, r *Run) string {
	n := s.Streak(r)
	if r.StartedBy.Or(ByManual) == ByManual || n == 0 || r.End != nil && n < 2 {
		return ""
	}
	times := "once"
	if n > 1 {
		times = fmt.Sprintf("%d times in a row", n)
	}
	sentence := "Autovacuum of this table ended without completing " + times
	if r.End == nil {
		sentence += " before"
	}
	switch last := r.lastCompleted(); {
	case r.Relation == nil:
		return sentence + "."
	case last.IsZero():
		return sentence + "; the statistics know of no vacuum of it that completed."
	default:
		return sentence + "; a vacuum of it completed last " + FormatDuration(s.At.Sub(last)) + " ago."
	}
}
