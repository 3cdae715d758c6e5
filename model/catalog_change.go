package model

import (
	"slices"
	"time"
)

// statisticsLag is how late the statistics of a table can be after its vacuum (13, 14).
const statisticsLag = time.Second

// rememberBefore keeps the catalog's entry of the run's table as it was before the
// vacuum: it is written once the indexes are cleaned up.
func (r *runState) rememberBefore(rel knownRelation) {
	if r.run.Before != nil || !r.run.FromStart || r.run.Key.Analyze {
		return
	}
	switch phase := r.run.Phase(); {
	case phase == nil:
	case phase.Phase == phaseInitializing, phase.Phase == phaseScanningHeap, phase.Phase == phaseVacuumingIndexes, phase.Phase == phaseVacuumingHeap:
	default:
		return
	}
	r.run.Before = &rel.Relation
}

// rememberAfter keeps the catalog's entry of the tables of runs that have ended, once
// it has been read anew and its statistics can be those of the vacuum.
func (t *Tracker) rememberAfter(at time.Time) {
	for i, run := range t.ended {
		if at.Sub(run.End.At) > 2*resultTimeElsewhere {
			return // ended runs stand with the last one first
		}
		rel, known := t.relation(run.Key.DatID, run.Key.RelID)
		if run.Before == nil || run.After != nil || !known || rel.at.Before(run.End.At) {
			continue
		}
		counted := run.countOf(rel) > run.counted.Or(run.countOf(rel))
		if late := rel.at.Sub(run.End.At) >= statisticsLag; !counted && !late || t.vacuumsAgain(run) {
			continue
		}
		described := *run
		described.After = &rel.Relation
		t.replaceEnded(i, &described)
	}
}

// vacuumsAgain tells that another run is at work on the run's relation, or has been
// since: what the catalog says then can be that one's.
func (t *Tracker) vacuumsAgain(run *Run) bool {
	same := func(o *Run) bool {
		return o.Key.RelID == run.Key.RelID && o.Key.DatID == run.Key.DatID && !o.Key.Same(run.Key) && !o.Key.Analyze
	}
	later := func(o *Run) bool { return same(o) && o.End.At.After(run.End.At) }
	return slices.ContainsFunc(t.runsInSight(), same) || slices.ContainsFunc(t.ended[:min(len(t.ended), maxUnnamed)], later)
}
