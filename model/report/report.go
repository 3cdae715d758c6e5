package report

import (
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Report is what recordings say of the vacuums in them, in order.
type Report struct {
	Runs []RunReport
}

// RunReport is the report of one vacuum of one relation. Each of its parts says why
// it holds nothing where it does.
type RunReport struct {
	Database      model.Text
	Schema, Table model.Opt[model.Text] // absent when not known
	ToastOf       model.Opt[model.RelationName]
	RelID         uint32
	PID           int32
	Command       string // VACUUM, VACUUM FULL, ..., ANALYZE for the second half of a VACUUM (ANALYZE)
	Statement     model.Opt[model.Text]
	StartedBy     model.Opt[string] // model.ByManual, ...; absent when masked
	Role          model.Opt[model.Text]
	// From is when the run began, to Uncertain; in a run that is not FromStart when it
	// was first seen.
	From      time.Time
	Uncertain time.Duration
	FromStart bool
	// Result is how it ended; absent while it goes on.
	Result model.Opt[model.Ending]
	// SQLState and Message are the server's words where it did not complete; "" else.
	SQLState string
	Message  model.Text
	// Elapsed is the time on the wall from From to its end, or to its last sight, and is
	// known to Uncertain and Within.
	Elapsed, Within time.Duration
	// ProcessTime is the sum over its processes of the time each was seen.
	ProcessTime time.Duration
	Delay       model.Delay
	// IndexPasses is how many passes over the indexes have begun.
	IndexPasses int
	// History is how process-time and delay grew.
	History []model.DelayPoint

	Context Context
	Phases  Phases
	Samples Samples
	Minutes Minutes
	Workers Workers
	Locks   Locks
	Impact  Impact
	Change  Change
}

// Part is what every part of a run's report has.
type Part struct {
	// Missing is why the part holds nothing, as a clause; "" when it holds something.
	Missing string
}

// Options say what a report is to show.
type Options struct {
	// Only chooses runs; nil: all of them.
	Only func(*model.Run) bool
	// WaitEvent is the event that is counted by minute; "" is DefaultEvent.
	WaitEvent string
	// MinWaits are the thresholds of lock waits; none: DefaultMinWaits.
	MinWaits []time.Duration
	// Origin is what is known beside the samples.
	Origin Origin
}

// Build makes the report of the runs that a stream has shown, in the order in which
// they began, from its last snapshot. A run that this role could not see has none.
func Build(s *model.Snapshot, o Options) Report {
	runs := slices.Concat(s.Ended, s.Active)
	slices.SortStableFunc(runs, func(a, b *model.Run) int { return a.FirstSeen.Compare(b.FirstSeen) })
	var out Report
	for _, r := range runs {
		if r.State != model.StateHidden && (o.Only == nil || o.Only(r)) {
			out.Runs = append(out.Runs, newRunReport(s, r, o))
		}
	}
	return out
}

func newRunReport(s *model.Snapshot, r *model.Run, o Options) RunReport {
	out := RunReport{
		Database: r.Database, Schema: r.Schema, Table: r.Table, ToastOf: r.ToastOf, RelID: r.Key.RelID, PID: r.Key.PID,
		Command: r.Command, Statement: r.Statement, StartedBy: r.StartedBy, Role: r.Role,
		From: r.WatchedFrom(), FromStart: r.FromStart,
		ProcessTime: r.ProcessTime, Delay: r.Delay, IndexPasses: r.IndexPass(), History: r.History,
		Context: newContext(s, r, o.Origin), Phases: newPhases(r), Samples: newSamples(s, r),
		Minutes: newMinutes(r, o.WaitEvent), Workers: newWorkers(r), Locks: newLocks(s, r, o.MinWaits), Impact: newImpact(r), Change: newChange(r),
	}
	if len(r.Phases) > 0 && r.FromStart {
		out.Uncertain = r.Phases[0].Uncertain
	}
	end := r.LastSeen
	if r.End != nil {
		out.Result, out.SQLState, out.Message = model.Some(r.End.How), r.End.SQLState, r.End.Message
		out.Within = r.End.Within / 2
		end = r.End.At.Add(-out.Within)
	}
	out.Elapsed = max(0, end.Sub(out.From))
	return out
}

// Name is the relation as a person names it.
func (r *RunReport) Name() string {
	full := name(r.Schema, r.Table, r.RelID)
	if owner, toast := r.ToastOf.Get(); toast {
		return full + " (TOAST of " + owner.Display() + ")"
	}
	return full
}

// unseen is why a part that comes from the run's phases holds nothing; "" where
// there are phases.
func unseen(r *model.Run) string {
	switch {
	case len(r.Phases) > 0:
		return ""
	case r.OnlyWaited() || r.State == model.StateWaiting:
		return "it was seen waiting for its table lock, and in no phase"
	case r.End != nil:
		return "too many runs came after it: of this one only its line was kept"
	}
	return "no phase of it was seen"
}
