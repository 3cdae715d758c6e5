package report

import (
	"slices"
	"time"

	"example.com/vacscope/model"
)

// The rows of a run's report as programs read them, in JSON and CSV.

// results are the endings as one word.
var results = map[model.Ending]string{
	model.EndCompleted: "completed", model.EndNotCompleted: "not_completed", model.EndCancelled: "cancelled", model.EndFailed: "failed",
	model.EndGaveWay: "gave_way", model.EndNotVisible: "not_visible", model.EndLost: "lost",
}

// The sources of a run's delay beside sourceServer.
const (
	sourceSampled = "sampled"
	sourceNone    = "none"
)

func newRunRecord(r *RunReport) runRecord {
	best, estimated := r.Delay.Best(r.ProcessTime)
	source := sourceServer
	switch {
	case !best.Known():
		source = sourceNone
	case estimated:
		source = sourceSampled
	}
	p := r.Context.Parallel
	return runRecord{
		Database: r.Database, Schema: r.Schema, Table: r.Table, RelID: unlessZero(r.RelID), Command: r.Command, Statement: r.Statement,
		StartedBy: r.StartedBy, Role: r.Role, PID: r.PID, StartedAt: timestamp(r.From), FromStart: r.FromStart,
		Result: mapped(r.Result, func(e model.Ending) string { return results[e] }), SQLState: unlessZero(r.SQLState), Message: unlessZero(r.Message),
		ElapsedMS: milliseconds(r.Elapsed), UncertainMS: milliseconds(r.Uncertain + r.Within), ProcessMS: milliseconds(r.ProcessTime),
		DelayMS: mapped(best, milliseconds), DelaySource: source, IndexPasses: r.IndexPasses,
		Asked: p.Asked, Planned: p.Planned, Launched: p.Launched, HeapBytes: r.Context.HeapBytes,
		Samples: r.Samples.Taken, Missed: r.Samples.Missed,
	}
}

func phaseRecords(r *RunReport) []phaseRecord {
	return each(r.Phases.Spans, func(p Phase) phaseRecord {
		o := phaseRecord{
			Phase: p.Phase, Pass: p.Pass, Passes: p.Passes, StartedMS: milliseconds(p.Started), ElapsedMS: milliseconds(p.Wall),
			UncertainMS: milliseconds(p.Uncertain), ProcessMS: milliseconds(p.ProcessTime), DelayMS: mapped(p.Delay.Reported, milliseconds),
			SampledMS: mapped(p.Delay.Sampled, milliseconds), Disagree: p.Delay.Differ(), Complete: p.Complete,
		}
		if p.Delay.Sampled.Known() {
			o.SampledPM = model.Some(milliseconds(p.Delay.SampledError))
		}
		return o
	})
}

func columnRecords(r *RunReport) []columnRecord {
	out := []columnRecord{}
	for _, p := range r.Phases.Spans {
		for _, c := range p.Columns {
			out = append(out, columnRecord{p.Phase, p.Pass, c.Name, c.Grown, c.Value})
		}
	}
	return out
}

func waitRecords(r *RunReport) []waitRecord {
	out := []waitRecord{}
	for _, phase := range r.Samples.Phases {
		for _, w := range phase.Waits {
			out = append(out, waitRecord{
				Phase: phase.Phase, LeaderPID: w.LeaderPID, PID: w.PID, Class: w.Class.String(), Samples: w.Samples,
				Type:  mapped(w.Wait, func(w model.Wait) model.Text { return w.Type }),
				Event: mapped(w.Wait, func(w model.Wait) model.Text { return w.Event }),
			})
		}
	}
	return out
}

func minuteRecords(r *RunReport) []minuteRecord {
	return each(r.Minutes.Rows, func(m MinuteRow) minuteRecord {
		return minuteRecord{r.Minutes.Event, timestamp(m.From), milliseconds(m.For), m.Leader, m.Workers, m.Of}
	})
}

func newStreak(event string, s model.WaitStreak) streakObject {
	return streakObject{event, s.PID, s.Worker, s.Samples, timestamp(s.From), timestamp(s.To), s.Phase, s.Pass}
}

func workersRecords(r *RunReport) []workersRecord {
	return each(r.Workers.Passes, func(p WorkersPass) workersRecord {
		return workersRecord{
			Phase: p.Phase, Pass: p.Pass, Passes: p.Passes, ElapsedMS: milliseconds(p.Wall), Workers: p.Workers, LivedMS: milliseconds(p.Lived),
			Utilisation: p.Utilisation(), IdleMS: milliseconds(p.Idle), IdleSamples: p.IdleSamples,
		}
	})
}

func lives(r *RunReport) []lifeObject {
	out := []lifeObject{}
	for _, p := range r.Workers.Passes {
		for _, l := range p.Each {
			out = append(out, lifeObject{p.Phase, p.Pass, l.PID, milliseconds(l.Lived)})
		}
	}
	return out
}

func lockRecords(r *RunReport) []lockRecord {
	out := []lockRecord{}
	for n, least := range r.Locks.Least {
		for _, row := range r.Locks.Rows {
			if row.Counts[n] > 0 {
				out = append(out, newLockRecord(row, least, row.Counts[n]))
			}
		}
	}
	return out
}

func newLockRecord(row LockRow, least time.Duration, count int) lockRecord {
	return lockRecord{
		LeastMS: milliseconds(least), Count: count, Statement: unlessZero(row.Statement), LockType: unlessZero(row.LockType), Mode: unlessZero(row.Mode),
		Relation: mapped(row.Relation, model.RelationName.Display), HeldUp: unlessZero(string(row.Kind)), Doing: row.Doing, LongestMS: milliseconds(row.Longest),
	}
}

func newLockBin(b LockBin) lockBinObject {
	return lockBinObject{milliseconds(b.From), mapped(unlessZero(b.To), milliseconds), b.Waits}
}

func newImpactObject(i *Impact) impactObject {
	var io *ioObject
	if c := i.ClusterIO; c != nil {
		io = &ioObject{timestamp(c.From), timestamp(c.To), slices.Concat([]model.IOCount{}, c.Contexts)}
	}
	return impactObject{
		Verbose: slices.Concat([]model.Text{}, i.Verbose), BuffersHit: i.Usage.BuffersHit, BuffersRead: i.Usage.BuffersRead, BuffersDirtied: i.Usage.BuffersDirtied,
		WALRecords: i.Usage.WALRecords, WALFullPages: i.Usage.WALFullPages, WALBytes: i.Usage.WALBytes, ClusterWAL: i.ClusterWAL, ClusterIO: io,
	}
}

func changeRecords(r *RunReport) []changeRecord {
	return each(r.Change.Values(), func(c Changed) changeRecord { return changeRecord(c) })
}
