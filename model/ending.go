package model

import (
	"slices"
	"time"
)

// resultTime is how long after a run's end its table's count may still rise: the
// statistics of 13 and 14 are half a second late, and they are read once a beat.
const resultTime = 3 * time.Second

// resultTimeElsewhere is the same for a relation of another database, which is
// read at most once a minute.
const resultTimeElsewhere = 80 * time.Second

// resultTime is for how long after the run's end its result may still show.
func (t *Tracker) resultTime(run *Run) time.Duration {
	if run.Key.DatID == t.server.DatID {
		return resultTime
	}
	return resultTimeElsewhere
}

// rememberCount keeps the table's count of such vacuums while the run goes on. VACUUM
// FULL, CLUSTER and REPACK are not counted by the server.
func (r *Run) rememberCount(rel knownRelation) {
	if (r.Command == "VACUUM" || r.Key.Analyze) && r.StartedBy.Known() && !rel.at.Before(r.FirstSeen) {
		r.counted, r.countedAt = Some(r.countOf(rel)), rel.at
		r.mark = markOf(rel)
	}
}

// countOf is the count that this run raises if it completes.
func (r *Run) countOf(rel knownRelation) int64 {
	switch manual := r.StartedBy.Or("") == ByManual; {
	case r.Key.Analyze && manual:
		return rel.AnalyzeCount
	case r.Key.Analyze:
		return rel.AutoanalyzeCount
	case manual:
		return rel.VacuumCount
	}
	return rel.AutovacuumCount
}

// judge decides on ended runs whose result was not visible yet, once their
// table's count has been read again.
func (t *Tracker) judge(at time.Time) {
	for i, run := range t.ended {
		if at.Sub(run.End.At) > 2*resultTimeElsewhere {
			return // ended runs stand with the last one first
		}
		if !run.End.Open {
			continue
		}
		how, open := t.resultOf(run, at)
		said, isSaid := t.ownResult(run)
		if isSaid {
			how, open = said.How, false
		}
		if !open || how != run.End.How {
			judged, end := *run, *run.End
			end.How, end.Open, end.SQLState, end.Message = how, open, said.SQLState, said.Message
			judged.End = &end
			t.replaceEnded(i, &judged)
			t.countEnding(&judged)
		}
	}
}

// resultOf is how a run ended, as far as the counts tell by now.
func (t *Tracker) resultOf(run *Run, at time.Time) (how Ending, open bool) {
	late := at.Sub(run.End.At) >= t.resultTime(run)
	rel, known := t.relation(run.Key.DatID, run.Key.RelID)
	switch {
	case !known || rel.at.Before(run.End.At):
		return EndNotVisible, !late
	case rel.completed(run):
		return EndCompleted, false
	case !run.counted.Known():
		return EndNotVisible, !late // too short for its count to be read while it ran
	case run.countOf(rel) > run.counted.Or(0):
		risen := run.countOf(rel) - run.counted.Or(0)
		switch {
		case risen == 1 && rel.completedLater(run):
			return t.unfinished(run), false
		case risen >= t.candidates(run, rel.at):
			return EndCompleted, false
		}
		return EndNotVisible, false // another one of the table can have raised it
	case t.updated(run, rel):
		return EndCompleted, false
	case rel.at.Sub(run.End.At) < resultTime-time.Second:
		return EndNotVisible, !late
	}
	return t.unfinished(run), false
}

// unfinished is how a run ended that did not raise its count.
func (t *Tracker) unfinished(run *Run) Ending {
	switch {
	case t.gaveWay(run):
		return EndGaveWay
	case isOff(t.settings, "track_counts"):
		return EndNotVisible // no vacuum raises a count
	}
	return EndNotCompleted
}

// completed tells that one was completed of the relation since the run was first
// seen: no other can have been, as each locks the table. For a run that only ticks
// saw nobody knows which of the two times is meant.
func (rel knownRelation) completed(run *Run) bool {
	byHand, byAuto := rel.LastVacuum, rel.LastAutovacuum
	if run.Key.Analyze {
		byHand, byAuto = rel.LastAnalyze, rel.LastAutoanalyze
	}
	by, known := run.StartedBy.Get()
	within := func(at Opt[time.Time]) bool {
		return at.Known() && !at.Or(run.FirstSeen).Before(run.FirstSeen) && !at.Or(run.FirstSeen).After(run.End.At)
	}
	return (by == ByManual || !known) && within(byHand) || by != ByManual && within(byAuto)
}

// readingTime is how much later than the time of a sample its rows can have been read,
// at most: what ends in between is not in them.
const readingTime = 200 * time.Millisecond

// completedLater tells that a vacuum which raises the same count was completed after
// the run had ended: one that may still be in sight, with its ANALYZE half.
func (rel knownRelation) completedLater(run *Run) bool {
	last := rel.LastAutovacuum
	switch manual := run.StartedBy.Or("") == ByManual; {
	case run.Key.Analyze && manual:
		last = rel.LastAnalyze
	case run.Key.Analyze:
		last = rel.LastAutoanalyze
	case manual:
		last = rel.LastVacuum
	}
	return last.Known() && last.Or(run.End.At).After(run.End.At.Add(readingTime))
}

// judges tells that the statistics of the run's table can tell how it ended.
func (t *Tracker) judges(r *Run) bool {
	return r.counted.Known() || (r.Command == "VACUUM" || r.Key.Analyze) && r.Key.DatID == t.server.DatID && len(r.Phases) > 0
}

// candidates is how many vacuums of the relation can have raised the count between
// its reading while the run went on and a time: the run, and others that ended then.
func (t *Tracker) candidates(run *Run, until time.Time) int64 {
	n := int64(1)
	for _, o := range t.ended {
		same := o != run && o.Key.DatID == run.Key.DatID && o.Key.RelID == run.Key.RelID && o.Key.Analyze == run.Key.Analyze
		if same && !otherCount(o, run) && !o.End.At.Before(run.countedAt) && !o.End.At.After(until) {
			n++
		}
	}
	return n
}

// otherCount tells that two runs raise different counts; one that only ticks saw
// can raise either.
func otherCount(a, b *Run) bool {
	x, known := a.StartedBy.Get()
	y, both := b.StartedBy.Get()
	return known && both && (x == ByManual) != (y == ByManual)
}

// gaveWay tells whether the run was an autovacuum for which a session waited when it
// was last seen, and can have waited about deadlock_timeout when it ended: then that
// session cancels it. With a beat as long as that, the wait is mostly seen once.
func (t *Tracker) gaveWay(run *Run) bool {
	timeout, known := settingInt(t.settings, "deadlock_timeout")
	if !known || run.StartedBy.Or("") != ByAutovacuum || run.blocking.IsZero() {
		return false
	}
	waited := run.End.At.Sub(run.blocking)
	const about = 0.7
	return waited >= time.Duration(about*float64(timeout)*float64(time.Millisecond))
}

// endMissing ends the runs that this poll does not show.
func (t *Tracker) endMissing(at time.Time) {
	how := EndNotVisible
	if t.gap {
		how = EndLost
	}
	keep := t.active[:0:0]
	var gone []*Run
	for _, r := range t.active {
		if r.run.LastSeen.Equal(at) {
			keep = append(keep, r)
			continue
		}
		gone = append(gone, t.end(r, at, how))
	}
	t.active = keep
	t.keepRuns(gone)
}

// endAll ends every run at the latest when the server was started again, or another
// one answered.
func (t *Tracker) endAll(at time.Time, another bool) {
	var gone []*Run
	for _, r := range t.active {
		run := t.end(r, at, EndLost)
		if !another {
			run.End.Restarted = Some(at)
		}
		gone = append(gone, run)
	}
	t.active = nil
	t.keepRuns(gone)
}

// end returns the run as it ended.
func (t *Tracker) end(r *runState, at time.Time, how Ending) *Run {
	gone := at
	switch {
	case how == EndLost && r.run.LastSeen.Before(at):
		gone = r.run.LastSeen
	case !r.goneAt.IsZero():
		gone = r.goneAt
	}
	t.describeOwn(r)
	if how != EndLost {
		r.countWAL(t.wal)
	}
	r.run.State = StateEnded
	r.run.Whole = Whole{Done: r.run.Whole.Done, WhyNot: "it has ended"}
	if how == EndCompleted {
		r.run.Whole.Done = Some(Ratio(1))
	}
	r.run.End = &End{At: gone, How: how, Within: gone.Sub(r.run.LastSeen), Open: how == EndNotVisible && (t.judges(&r.run) || r.run.Own != nil)}
	for i := range r.run.Processes {
		r.run.Processes[i].Alive = false
	}
	return r.publish()
}

// keepRuns puts runs that ended, in their order, before those that ended earlier:
// the last one first. The list is made anew only when there are any, because
// snapshots share it.
func (t *Tracker) keepRuns(gone []*Run) {
	if len(gone) == 0 {
		return
	}
	ended := make([]*Run, 0, len(gone)+len(t.ended))
	for _, run := range slices.Backward(gone) {
		ended = append(ended, run)
	}
	parts := map[uint64]int{}
	for _, run := range gone {
		parts[run.Group]++
		t.countEnding(run)
	}
	for _, run := range t.ended {
		if parts[run.Group]++; run.Group == 0 || parts[run.Group] <= maxParts {
			ended = append(ended, run)
		}
	}
	for i := maxEndedFull; i < min(len(ended), maxEndedFull+len(gone)); i++ {
		ended[i] = lineOf(ended[i])
	}
	t.ended = ended[:min(len(ended), maxEndedLines)]
}

// replaceEnded puts a run in the place of one that ended, in a list made anew, because
// snapshots share it.
func (t *Tracker) replaceEnded(i int, run *Run) {
	t.ended = slices.Clone(t.ended)
	t.ended[i] = run
}

// lineOf keeps of an ended run what one line shows.
func lineOf(r *Run) *Run {
	line := *r
	line.Phases, line.Processes, line.Earlier, line.Indexes, line.History, line.Relation, line.Notices = nil, nil, nil, nil, nil, nil, nil
	line.ClusterIO, line.ioFrom = nil, nil
	line.Changes, line.LimitChanges, line.Before, line.After, line.Keeper = nil, nil, nil, nil, nil
	line.Streaks, line.minutes, line.minute, line.LockWaits = nil, nil, Minute{}, LockTally{}
	return &line
}
