package model

import "time"

// vacuumdb is the application_name of vacuumdb, which sends a statement for each table
// over each of its connections.
const vacuumdb = "vacuumdb"

// openGroup begins the command that a run is part of: its statement, or for one of
// vacuumdb on a single table the connection, which goes on to others.
func (t *Tracker) openGroup(run *Run) *groupState {
	t.lastGroup++
	g := &groupState{group: Group{ID: t.lastGroup, Key: run.Key.statement(), FirstSeen: run.FirstSeen, Kind: GroupUnknown}}
	if t.oneOfVacuumdb(run) {
		g.group.Key, g.group.Kind, g.named = run.Key.session(), GroupSession, true
	}
	t.groups = append(t.groups, g)
	return g
}

// oneOfVacuumdb tells that a run is the whole of a statement of vacuumdb, as far as is
// known: the statement names its table, and not one of which it is a partition. What
// only ticks saw has no statement.
func (t *Tracker) oneOfVacuumdb(run *Run) bool {
	if t.applicationOf(run) != vacuumdb {
		return false
	}
	if !run.Statement.Known() {
		return true
	}
	names, ok := t.tablesOf(run)
	own := RelationName{run.Schema.Or(""), run.Table.Or("")}
	return ok && len(names) == 1 && (!run.Table.Known() || names[0].names(run.ToastOf.Or(own)))
}

// applicationOf is the application_name of a run's connection; "" where it is not known.
func (t *Tracker) applicationOf(run *Run) Text {
	for _, processes := range []map[int32]Process{t.sessions, t.departed} {
		if p, there := processes[run.Key.PID]; there && p.BackendStart.Or(time.Time{}).Equal(run.Key.BackendStart) {
			return p.ApplicationName.Or("")
		}
	}
	return run.ApplicationName.Or("")
}

// tablesOf reads the tables that a run's statement names.
func (t *Tracker) tablesOf(run *Run) ([]RelationName, bool) {
	limit := None[int]()
	if n, known := settingInt(t.settings, "track_activity_query_size"); known {
		limit = Some(n)
	}
	return tablesOf(run.Statement.Or(""), limit)
}

// session is the key of a run's connection, which no statement has.
func (k RunKey) session() RunKey {
	return RunKey{PID: k.PID, BackendStart: k.BackendStart, StatementStart: k.BackendStart}
}

// holds tells that a process still runs the command: its statement, or its connection.
func (g *Group) holds(proc Process) bool {
	same := proc.BackendStart.Or(time.Time{}).Equal(g.Key.BackendStart)
	if g.Kind == GroupSession {
		return same
	}
	return same && proc.Active() && proc.StatementStart.Or(time.Time{}).Equal(g.Key.StatementStart)
}
