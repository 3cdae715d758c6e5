package model

import (
	"slices"
	"time"
)

// process takes one row of pg_stat_activity with its progress.
func (t *Tracker) process(at time.Time, proc Process, p *Poll) {
	progress := proc.Progress
	switch {
	case progress != nil && progress.View == ViewAnalyze:
		t.analyzes = append(t.analyzes, t.analyze(proc))
		if isHalf(proc) {
			t.running(at, proc)
		}
	case progress != nil:
		t.running(at, proc)
	case t.waitsToBegin(proc, p.Locks):
		t.waiting(at, proc, p)
	}
}

// isHalf tells an ANALYZE that is the second half of a VACUUM (ANALYZE), or of an
// autovacuum that does both.
func isHalf(proc Process) bool {
	if p := proc.Progress; p == nil || p.View != ViewAnalyze || proc.Masked {
		return false
	}
	query := proc.Query.Or("")
	_, auto := AutovacuumTarget(query)
	return auto || parseStatement(query).Command == "VACUUM"
}

// waitsToVacuum tells a VACUUM (FULL), CLUSTER or REPACK that waits for its lock
// and therefore has no progress row.
func waitsToVacuum(proc Process) bool {
	if !proc.Active() || proc.LeaderPID.Known() || proc.BackendType.Or("") == autovacuumWorker {
		return false
	}
	if (proc.Wait.Or(Wait{}) != Wait{"Lock", "relation"}) {
		return false
	}
	command := parseStatement(proc.Query.Or("")).Command
	return command != "" && command != "ANALYZE"
}

// waitsToBegin tells whether the lock that a vacuum waits for is its table's. A
// vacuum waits for others too: for the catalog when it is done, between tables.
// Until the lock table has been read, the first relation lock of a statement counts.
func (t *Tracker) waitsToBegin(proc Process, locks []Lock) bool {
	if !waitsToVacuum(proc) {
		return false
	}
	first := !t.knows(proc)
	for _, lock := range locks {
		if lock.PID != proc.PID {
			continue
		}
		switch lock.Mode {
		case "ShareUpdateExclusiveLock", "AccessExclusiveLock":
			return lock.LockType == "relation"
		case "AccessShareLock": // to look up the table's name
			return lock.LockType == "relation" && first
		}
		return false
	}
	return first || t.find(keyOf(proc)) != nil
}

// knows tells whether the statement of a process has vacuumed a relation already.
func (t *Tracker) knows(proc Process) bool {
	key := keyOf(proc)
	same := func(run *Run) bool {
		return run.Key.PID == key.PID && run.Key.StatementStart.Equal(key.StatementStart)
	}
	worked := func(r *runState) bool { return same(&r.run) && r.run.State == StateRunning }
	return slices.ContainsFunc(t.active, worked) || slices.ContainsFunc(t.ended[:min(len(t.ended), maxUnnamed)], same)
}

// running takes a process that has a vacuum, cluster or repack progress row.
func (t *Tracker) running(at time.Time, proc Process) {
	r := t.findOrEnter(at, keyOf(proc))
	r.become(proc)
	r.progress(at, *proc.Progress, t.server.BlockSize)
}

// waiting takes a process that waits to vacuum. Its relation is known from the
// lock table, once that has been read.
func (t *Tracker) waiting(at time.Time, proc Process, p *Poll) {
	key := keyOf(proc)
	for _, lock := range p.Locks {
		if lock.PID == proc.PID && lock.RelID != 0 {
			key.RelID = lock.RelID
		}
	}
	r := t.findOrEnter(at, key)
	r.become(proc)
	r.waits(at, key.RelID, proc.BlockedBy)
}

func keyOf(proc Process) RunKey {
	key := RunKey{
		PID:            proc.PID,
		BackendStart:   proc.BackendStart.Or(time.Time{}),
		StatementStart: proc.StatementStart.Or(time.Time{}),
		DatID:          proc.DatID.Or(0),
	}
	if proc.Progress != nil {
		key.RelID, key.Analyze = proc.Progress.RelID, proc.Progress.View == ViewAnalyze
	}
	return key
}

// find returns the active run of the key. A process waiting for its lock is the
// run that begins once the lock is there; its relation may not be known before.
func (t *Tracker) find(key RunKey) *runState {
	for _, r := range t.active {
		if r.is(key) {
			return r
		}
	}
	return nil
}

// findOrEnter returns the active run of the key, which begins if there is none.
func (t *Tracker) findOrEnter(at time.Time, key RunKey) *runState {
	if r := t.find(key); r != nil {
		return r
	}
	return t.enter(at, key)
}

// enter begins a run. It is seen from its start when the poll before did not see
// it, or when its statement is younger than the time since then.
func (t *Tracker) enter(at time.Time, key RunKey) *runState {
	r := &runState{run: Run{Key: key, FirstSeen: at, LastSeen: at}}
	r.run.ioFrom = t.ioBeforeNow(at)
	before := t.previous
	if r.walFrom = t.walBefore; !r.walFrom.Known() {
		r.walFrom = t.wal
	}
	r.run.FromStart = !before.IsZero() || (!key.StatementStart.IsZero() && at.Sub(key.StatementStart) < t.watch.Interval)
	if r.run.FromStart {
		r.run.Began = latest(before, key.StatementStart, key.BackendStart, t.lastReadOf(key.PID))
	}
	for _, seen := range []map[int32]Process{t.departed, t.sessions} {
		if proc, ok := seen[key.PID]; ok && proc.BackendStart.Or(time.Time{}).Equal(key.BackendStart) {
			r.become(proc)
		}
	}
	t.active = append(t.active, r)
	return r
}

// lastReadOf is when the process was last seen at work on another relation.
func (t *Tracker) lastReadOf(pid int32) time.Time {
	var out time.Time
	for _, r := range t.active {
		if r.run.Key.PID == pid {
			out = latest(out, r.lastRead)
		}
	}
	return out
}

func latest(times ...time.Time) time.Time {
	out := times[0]
	for _, tm := range times[1:] {
		if tm.After(out) {
			out = tm
		}
	}
	return out
}
