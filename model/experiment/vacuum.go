package experiment

import (
	"slices"
	"time"

	"example.com/vacscope/model"
)

// VacuumKind is how thorough a vacuum is.
type VacuumKind string

// The kinds of vacuums, as the column mode calls them (19).
const (
	VacuumNormal     VacuumKind = "normal"
	VacuumAggressive VacuumKind = "aggressive"
	VacuumFailsafe   VacuumKind = "failsafe"
)

// Vacuum is one vacuum of a table, from its start to its end, delay included.
type Vacuum struct {
	Table      string
	Start, End time.Time
	// Kind is "" where it is not known: of a vacuum that had not ended, before 19.
	Kind      VacuumKind
	StartedBy string // model.ByManual, model.ByAutovacuum, ...
	// PagesFrozen and TuplesFrozen are what the server logged of it; absent where it did not.
	PagesFrozen, TuplesFrozen model.Opt[int64]
}

// Lasted is how long it took.
func (v Vacuum) Lasted() time.Duration { return max(0, v.End.Sub(v.Start)) }

// Thorough tells that it visited all pages that are not frozen: an aggressive vacuum, or
// one that became a failsafe.
func (v Vacuum) Thorough() bool { return v.Kind == VacuumAggressive || v.Kind == VacuumFailsafe }

// Vacuuming is how long a run's tables were vacuumed.
type Vacuuming struct {
	// Sum adds up the vacuums' times, workers not counted; Union is the time in which at
	// least one of them ran.
	Sum, Union time.Duration
	Count      map[VacuumKind]int
}

// Overlaps tells whether a vacuum was at work while the run was.
func (r Run) Overlaps(v Vacuum) bool {
	return v.Start.Before(r.At.Add(r.Duration)) && v.End.After(r.At)
}

// Vacuuming adds up the vacuums of a run, as far as they lie in it.
func (r Run) Vacuuming() Vacuuming {
	out := Vacuuming{Count: map[VacuumKind]int{}}
	end := r.At.Add(r.Duration)
	var reached time.Time
	for _, v := range slices.SortedFunc(slices.Values(r.Vacuums), func(a, b Vacuum) int { return a.Start.Compare(b.Start) }) {
		out.Count[v.Kind]++
		from, to := later(v.Start, r.At), earlier(v.End, end)
		if !to.After(from) {
			continue
		}
		out.Sum += to.Sub(from)
		if from = later(from, reached); to.After(from) {
			out.Union += to.Sub(from)
			reached = to
		}
	}
	return out
}

// Share is the part of a run in which at least one vacuum ran; absent for a run of no
// length.
func (v Vacuuming) Share(run time.Duration) model.Opt[model.Ratio] {
	return ratio(int64(v.Union), int64(run))
}

// FirstAggressive is the first vacuum of a run that was aggressive or failsafe.
func (r Run) FirstAggressive() model.Opt[Vacuum] {
	var first model.Opt[Vacuum]
	for _, v := range r.Vacuums {
		if f, found := first.Get(); v.Thorough() && (!found || v.Start.Before(f.Start)) {
			first = model.Some(v)
		}
	}
	return first
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
