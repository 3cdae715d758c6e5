package model

import (
	"fmt"
	"slices"
	"strings"
)

// Filter chooses runs by their table and their database. The zero Filter chooses all.
type Filter struct {
	Tables    []TablePattern // any of them; none: every table
	Databases []string       // any of them, by their exact names; none: every database
}

// IsZero tells that the filter chooses all.
func (f Filter) IsZero() bool { return len(f.Tables) == 0 && len(f.Databases) == 0 }

// String says what is chosen: "public.orders, sales.* in app".
func (f Filter) String() string {
	tables := make([]string, len(f.Tables))
	for i, p := range f.Tables {
		tables[i] = p.String()
	}
	words := strings.Join(tables, ", ")
	if len(f.Databases) > 0 {
		words = strings.TrimSpace(words + " in " + strings.Join(f.Databases, ", "))
	}
	return words
}

// Filtered says what a snapshot was reduced to.
type Filtered struct {
	By Filter
	// Others is how many vacuums in sight are not in the snapshot.
	Others int
}

// Display says what the snapshot holds, and what it does not: "only public.orders: 3
// other vacuums run". It is safe to print.
func (f Filtered) Display() string {
	text := "only " + Text(f.By.String()).Display()
	switch f.Others {
	case 0:
		return text
	case 1:
		return text + ": 1 other vacuum runs"
	}
	return fmt.Sprintf("%s: %s other vacuums run", text, FormatCount(int64(f.Others)))
}

// View is the snapshot with the chosen runs only, and the lock waits around them.
// A vacuum of a partition or a TOAST table is one of its table. A vacuum whose
// table this role may not see stays: it can be one of those. One whose name is not
// known is left out.
func (f Filter) View(s *Snapshot) *Snapshot {
	if f.IsZero() {
		return s
	}
	view := *s
	view.Active, view.Ended = f.runs(s.Active), f.runs(s.Ended)
	view.Filtered = &Filtered{By: f, Others: len(s.Active) - len(view.Active)}
	view.Analyzes = slices.DeleteFunc(slices.Clone(s.Analyzes), func(a Analyze) bool {
		return !f.inDatabase(a.Database) || !f.names(a.Schema, a.Table)
	})
	view.LastVacuums = slices.DeleteFunc(slices.Clone(s.LastVacuums), func(v LastVacuum) bool {
		return !f.inDatabase(s.Server.Database) || !f.names(Some(v.Schema), Some(v.Name))
	})
	view.Queue = f.queue(s)
	view.LockWaits = slices.Clone(s.LockWaits)
	markAround(view.LockWaits, view.Active)
	view.LockWaits = slices.DeleteFunc(view.LockWaits, func(w LockWait) bool { return !w.Around && !f.waitsFor(w) })
	view.PastWaits = slices.DeleteFunc(slices.Clone(s.PastWaits), func(w LockWait) bool { return !f.waitedAround(w, &view) })
	return &view
}

// queue is what is due of the chosen tables.
func (f Filter) queue(s *Snapshot) *Queue {
	if s.Queue == nil {
		return nil
	}
	q := *s.Queue
	q.Tables = slices.DeleteFunc(slices.Clone(q.Tables), func(t QueuedTable) bool {
		owner := t.ToastOf != nil && f.names(Some(t.ToastOf.Schema), Some(t.ToastOf.Name))
		return !f.inDatabase(s.Server.Database) || !owner && !f.names(Some(t.Schema), Some(t.Name))
	})
	return &q
}

// Chooses tells whether the run is one of those that the filter shows.
func (f Filter) Chooses(r *Run) bool {
	if !f.inDatabase(r.Database) {
		return false
	}
	if owner, is := r.ToastOf.Get(); is && f.names(Some(owner.Schema), Some(owner.Name)) {
		return true
	}
	if rel := r.Relation; rel != nil && rel.PartitionOf != nil && f.names(Some(rel.PartitionOf.Schema), Some(rel.PartitionOf.Name)) {
		return true
	}
	return r.State == StateHidden || f.names(r.Schema, r.Table)
}

func (f Filter) runs(runs []*Run) []*Run {
	return slices.DeleteFunc(slices.Clone(runs), func(r *Run) bool { return !f.Chooses(r) })
}

func (f Filter) inDatabase(name Text) bool {
	return len(f.Databases) == 0 || slices.Contains(f.Databases, string(name))
}

// names tells whether a relation is one of the tables.
func (f Filter) names(schema, table Opt[Text]) bool {
	if len(f.Tables) == 0 {
		return true
	}
	t, known := table.Get()
	return known && slices.ContainsFunc(f.Tables, func(p TablePattern) bool { return p.Matches(RelationName{schema.Or(""), t}) })
}

// waitsFor tells whether a lock wait is for one of the tables.
func (f Filter) waitsFor(w LockWait) bool {
	return len(f.Tables) > 0 && f.inDatabase(w.Database.Or("")) && f.names(w.Schema, w.Table)
}

// waitedAround tells whether a wait that is over was for one of the tables, or by
// or behind a process of a run that is in the view.
func (f Filter) waitedAround(w LockWait, view *Snapshot) bool {
	if f.waitsFor(w) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(view.Active, view.Ended), func(r *Run) bool {
		ran := func(pid int32) bool {
			return r.Key.PID == pid || slices.ContainsFunc(r.Processes, func(m Member) bool { return m.PID == pid })
		}
		began := r.FirstSeen.After(w.Ended.Or(w.From)) || r.LastSeen.Before(w.From)
		return !began && (ran(w.PID) || slices.ContainsFunc(w.BlockedBy, ran))
	})
}
