package model

import "time"

// GroupKind says what a command over several relations was given.
type GroupKind string

// The kinds of groups.
const (
	GroupTree     GroupKind = "tree"     // one table with its partitions or inheritance children
	GroupList     GroupKind = "list"     // several tables by name
	GroupDatabase GroupKind = "database" // none: all tables of the database
	GroupTable    GroupKind = "table"    // one table: with its TOAST relation, or its ANALYZE half
	GroupSession  GroupKind = "session"  // a connection of vacuumdb: a statement for each table
	GroupUnknown  GroupKind = "unknown"  // its text does not tell
)

// Group is one command that vacuums several relations, one after the other, or
// analyzes what it vacuumed; or a connection of vacuumdb, which does so by a statement
// for each. Its runs carry its ID. An autovacuum worker's way from
// table to table is none: each table is a statement of its own there.
type Group struct {
	ID       uint64
	Key      RunKey // of its statement: without relation; in GroupSession it began with the connection
	Kind     GroupKind
	Command  string // VACUUM, VACUUM FULL
	Database Text
	// Root is the tree's root, or the one table named.
	Root                Opt[RelationName]
	FirstSeen, LastSeen time.Time

	// Number is the place of the relation that it is at, or was last at, counted from
	// 1: TOAST relations have that of their table. In a tree and a database it comes
	// from the catalog and is an estimate, in a list from the statement. With AtLeast
	// it is the number of tables seen: others can have been too short to be seen, or
	// come before the watching began.
	Number  Opt[int]
	AtLeast bool
	// Total is how many there are; absent when that is not known. That of a database
	// is an estimate (≈): it counts tables that the role may not vacuum, too.
	Total Opt[int]
	// PagesDone of PagesTotal is how far it is by relpages: estimates, as of each
	// table's last VACUUM or ANALYZE. Absent in a list, without the catalog, and where
	// its tables turned out to be larger by far.
	PagesDone, PagesTotal Opt[Blocks]

	// Completed, Unfinished and Unclear count its runs that are over by their ending:
	// those that completed, those that did not, and those of which that is not known.
	Completed, Unfinished, Unclear int
	// Seen is how many runs of it were seen.
	Seen int
	// Analyzing tells that it is in an ANALYZE half now.
	Analyzing bool
	// End is its last run's, nil while it goes on.
	End *End

	ahead time.Duration // as a Run's
}

// Elapsed is how long the command has taken, or took up to its last sight if it is over
// or the server does not answer.
func (g *Group) Elapsed() time.Duration {
	return max(0, g.LastSeen.Add(g.ahead).Sub(g.Key.StatementStart))
}

// Several tells that the command is known to be more than one vacuum of one relation.
func (g *Group) Several() bool {
	return g.Seen > 1 || g.Kind == GroupTree || g.Kind == GroupDatabase || g.Kind == GroupList
}

// Done is PagesDone of PagesTotal; absent when one is not known.
func (g *Group) Done() Opt[Ratio] {
	done, total := g.PagesDone.Or(0), g.PagesTotal.Or(0)
	if !g.PagesDone.Known() || total == 0 {
		return None[Ratio]()
	}
	return Some(min(1, Ratio(done)/Ratio(total)))
}

// GroupOf is the group that a run belongs to; nil for a command of one relation.
func (s *Snapshot) GroupOf(r *Run) *Group {
	for _, g := range s.Groups {
		if r.Group != 0 && g.ID == r.Group {
			return g
		}
	}
	return nil
}

// EstimatedTotal tells that Total is an estimate.
func (g *Group) EstimatedTotal() bool { return g.Kind == GroupDatabase }

// statement is the key of a run's statement.
func (k RunKey) statement() RunKey {
	return RunKey{PID: k.PID, BackendStart: k.BackendStart, StatementStart: k.StatementStart}
}

// Same tells whether two keys mean the same run.
func (k RunKey) Same(o RunKey) bool {
	return k.PID == o.PID && k.RelID == o.RelID && k.Analyze == o.Analyze &&
		k.BackendStart.Equal(o.BackendStart) && k.StatementStart.Equal(o.StatementStart)
}
