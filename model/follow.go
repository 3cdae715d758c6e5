package model

import "strings"

// Follow says whether a vacuum that runs takes notice of a change of a setting.
type Follow struct {
	// Follows is absent where it depends on the new value or the direction.
	Follows Opt[bool]
	// Why is a sentence on it, and on what would reach the vacuum.
	Why string
}

// Follows tells what a change would do to a running vacuum. Measured on 13 to 19: a
// VACUUM that a person started keeps its values until its statement ends; a worker
// of autovacuum takes over what a reload brings, from 16 on at once, before only
// where it makes it slower.
func Follows(c Change, r *Run, versionNum int) Follow {
	no := func(why string) Follow { return Follow{Some(false), why} }
	yes := func(why string) Follow { return Follow{Some(true), why} }
	by, known := r.StartedBy.Get()
	switch {
	case c.Scope == ScopeNext:
		return no("It is for the next VACUUM that is started from here.")
	case r.State == StateEnded:
		return no("It has ended.")
	case !known:
		return Follow{Why: "Who started it is not visible to this role."}
	case by == ByManual:
		return no("A VACUUM that was started by a statement keeps its settings to its end: only cancelling it and starting it again brings new ones.")
	case c.OfTable() && c.Table != r.TableName():
		return no("It vacuums another table.")
	case c.OfTable():
		return no("Storage parameters are read when a table's vacuum begins: its next one follows.")
	case c.Scope == ScopeRole:
		return no("Autovacuum's workers belong to no role: this is for sessions of the role that begin later.")
	case c.Scope == ScopeDatabase:
		return no("A worker reads the settings of its database when it starts: later workers follow.")
	case !isCost(c.Name):
		return no("It is read when a table's vacuum begins: the worker's next table follows.")
	}
	return r.followsCost(c, versionNum, no, yes)
}

// TableName is the run's table, of a TOAST relation the one that it belongs to.
func (r *Run) TableName() RelationName {
	return r.ToastOf.Or(RelationName{Schema: r.Schema.Or(""), Name: r.Table.Or("")})
}

// followsCost is Follows for a cost setting of the server and a worker of autovacuum.
func (r *Run) followsCost(c Change, versionNum int, no, yes func(string) Follow) Follow {
	own := r.ownCost(c.Name)
	switch {
	case own != "":
		return no("The table's own " + own + " goes before it.")
	case versionNum >= 160000:
		return yes("Autovacuum's workers follow a reload within a moment.")
	}
	return Follow{Why: "Before 16 a running worker only follows to slower: faster comes with its next table, and cancelling what it does now lets it go there."}
}

// ownCost is the table's storage parameter that goes before a cost setting of the
// server; "" for none.
func (r *Run) ownCost(setting string) string {
	for _, kind := range []string{"cost_delay", "cost_limit"} {
		name := "autovacuum_vacuum_" + kind
		if r.Relation == nil || !strings.HasSuffix(setting, kind) {
			continue
		}
		if _, given := optionNumber(r.Relation.autovacuumOptions(), name); given {
			return name
		}
	}
	return ""
}

func isCost(name string) bool {
	return strings.HasPrefix(name, "vacuum_cost_") || strings.HasPrefix(name, "autovacuum_vacuum_cost_")
}
