package model

import (
	"cmp"
	"slices"
	"time"
)

// maxPastWaits is how many lock waits are kept after they ended.
const maxPastWaits = 1000

// LockWait is one wait of a session for a heavyweight lock, or of a vacuum that is
// held up without one (Kind).
type LockWait struct {
	PID int32
	// Kind is HeldCleanup or HeldTruncate for a vacuum that is held up; "" for a
	// heavyweight lock.
	Kind HeldKind
	// At is the block that a HeldCleanup waits for; absent in index phases.
	At Opt[Blocks]
	// BlockedBy are the blocking pids, de-duplicated; 0 is a prepared transaction.
	// Empty beyond the 50 processes that a beat asks for.
	BlockedBy []int32
	// Blockers says what is known of them, in the same order; of a HeldCleanup it has
	// the suspects, most likely first, and BlockedBy is empty.
	Blockers []Blocker
	LockType Opt[Text] // absent until the lock table was read for it
	Mode     Opt[Text]
	RelID    Opt[uint32]
	Database Opt[Text]
	// Schema and Table are absent when not known.
	Schema, Table Opt[Text]
	// From is when the wait began: exactly (pg_locks.waitstart, 14+) if Exact, else
	// when it was first seen.
	From   time.Time
	Exact  bool
	Waited Opt[time.Duration] // 14+: exact; 13, and for a moment at the beginning: absent
	// SeenFor is how long it has been seen waiting.
	SeenFor time.Duration
	Role    Opt[Text]
	Query   Opt[Text]
	// Masked tells that this role may not see what the session does: that it waits is
	// known from the lock table.
	Masked bool
	// Around tells that a vacuum's process or relation is in the chain.
	Around bool
	// GivesWay is when a blocking autovacuum will be cancelled for this wait, about:
	// deadlock_timeout (this session's) after the wait began. Absent when none
	// blocks, or the one that does is to prevent wraparound and gives no way.
	GivesWay Opt[time.Time]
	// Ended is when the wait was first seen to be over; absent while it lasts.
	Ended Opt[time.Time]

	statement time.Time
	notBefore time.Time // the wait was not there yet: the beat before, or its statement's start
	datid     uint32    // of RelID: 0 for a shared catalog
	near      []nearRun // the runs that it is, or was, around
}

// HowLong is for how long the wait has lasted, in words: exactly where the server
// tells since when (14+), else as long as it was seen at least.
func (w LockWait) HowLong() string {
	if exact, ok := w.Waited.Get(); ok {
		return FormatDuration(exact)
	}
	return "at least " + FormatDuration(w.SeenFor)
}

// Blocker is one process, or prepared transaction, that another waits for.
type Blocker struct {
	PID             int32 // 0: a prepared transaction
	GID             Opt[Text]
	Suspect         bool // it may be the one: the server does not tell who is
	BackendType     Opt[Text]
	State           Opt[Text]
	Role            Opt[Text]
	ApplicationName Opt[Text]
	XactStart       Opt[time.Time]
	Query           Opt[Text] // its current, or when it is idle its last statement
	Vacuum          bool      // it is a vacuum's leader or worker
	AntiWraparound  bool      // an autovacuum that no lock request cancels
	Waits           bool      // it waits for a lock itself
}

// LastSeen is when the wait was last seen.
func (w LockWait) LastSeen() time.Time { return w.From.Add(w.SeenFor) }

// MayVacuum tells that a session which this role may not see waits for the lock that a
// VACUUM takes; ANALYZE, CREATE INDEX CONCURRENTLY and some forms of ALTER TABLE take
// it too.
func (w LockWait) MayVacuum() bool {
	return w.Masked && w.LockType.Or("") == "relation" && w.Mode.Or("") == "ShareUpdateExclusiveLock"
}

// isSame tells whether both are the same wait.
func (w LockWait) isSame(o LockWait) bool {
	return w.PID == o.PID && w.Kind == o.Kind && w.statement.Equal(o.statement) && w.RelID.Or(0) == o.RelID.Or(w.RelID.Or(0))
}

// lockWaits derives who waits now from the processes and the lock table, and
// keeps the waits around vacuums that are over.
func (t *Tracker) lockWaits(at time.Time, p *Poll) {
	before := t.waits
	t.waits = nil
	for _, proc := range p.Processes {
		if proc.WaitsForLock() {
			t.waits = append(t.waits, t.lockWait(at, proc, p.Locks, before))
		}
	}
	for _, r := range t.active {
		if w, ok := r.run.heldWait(at); ok {
			t.waits = append(t.waits, w)
		}
	}
	markAround(t.waits, t.runsInSight())
	t.describeBlockers()
	t.noteNear()
	slices.SortStableFunc(t.waits, func(a, b LockWait) int { return byWait(b, a) })
	t.keepEnded(at, before)
}

// byWait orders waits by how long they have lasted.
func byWait(a, b LockWait) int { return cmp.Compare(a.Waited.Or(a.SeenFor), b.Waited.Or(b.SeenFor)) }

// runsInSight are the runs as they are now; they are written on.
func (t *Tracker) runsInSight() []*Run {
	runs := make([]*Run, len(t.active))
	for i, r := range t.active {
		runs[i] = &r.run
	}
	return runs
}

// lockWait is the wait of one process, continuing the one seen before.
func (t *Tracker) lockWait(at time.Time, proc Process, locks []Lock, before []LockWait) LockWait {
	w := LockWait{
		PID: proc.PID, BlockedBy: proc.BlockedBy, Database: proc.Database, Role: proc.Role, Query: proc.Query,
		Masked: proc.Masked, From: at, statement: proc.StatementStart.Or(time.Time{}),
	}
	w.notBefore = latest(w.statement, t.previousOr(at))
	for _, old := range before {
		if old.PID == w.PID && old.Kind == "" && old.statement.Equal(w.statement) {
			w.From, w.Exact, w.notBefore, w.near = old.From, old.Exact, old.notBefore, old.near
			w.LockType, w.Mode, w.datid, w.RelID, w.Schema, w.Table = old.LockType, old.Mode, old.datid, old.RelID, old.Schema, old.Table
		}
	}
	t.lockOf(&w, locks)
	w.SeenFor = max(0, at.Sub(w.From))
	if w.Exact {
		w.Waited = Some(w.SeenFor)
	}
	return w
}

// lockOf takes what the lock table says of the wait.
func (t *Tracker) lockOf(w *LockWait, locks []Lock) {
	for _, lock := range locks {
		if lock.PID != w.PID {
			continue
		}
		if w.RelID.Known() && w.RelID.Or(0) != lock.RelID {
			w.Schema, w.Table = None[Text](), None[Text]() // it waits for another one now
		}
		w.LockType, w.Mode = Some(lock.LockType), Some(lock.Mode)
		if since, ok := lock.WaitStart.Get(); ok {
			w.From, w.Exact, w.notBefore = since, true, since
		}
		if lock.RelID != 0 {
			w.datid, w.RelID = lock.DatID, Some(lock.RelID)
		}
		if rel, ok := t.relation(lock.DatID, lock.RelID); ok {
			w.Schema, w.Table = Some(rel.Schema), Some(rel.Name)
		}
		return
	}
}

// keepEnded moves waits around vacuums that are over to the log.
func (t *Tracker) keepEnded(at time.Time, before []LockWait) {
	var ended []LockWait
	for _, old := range before {
		goesOn := slices.ContainsFunc(t.waits, func(w LockWait) bool { return w.isSame(old) })
		if !goesOn {
			t.tally(old)
		}
		if old.Around && !goesOn {
			old.Ended = Some(at)
			ended = append(ended, old)
		}
	}
	if len(ended) > 0 {
		log := append(ended, t.pastWaits...)
		t.pastWaits = log[:min(len(log), maxPastWaits)]
	}
}

// describeBlockers says of each wait's blockers who they are, and whether one of
// them is an autovacuum that will give way.
func (t *Tracker) describeBlockers() {
	for _, r := range t.active {
		r.run.blocking = time.Time{}
	}
	timeout, known := settingInt(t.settings, "deadlock_timeout")
	for i := range t.waits {
		w := &t.waits[i]
		if w.Kind != "" {
			continue // its holders were read for it
		}
		for _, pid := range w.BlockedBy {
			b := t.blocker(pid)
			w.Blockers = append(w.Blockers, b)
			t.blocks(pid, w.notBefore)
			if known && b.Vacuum && b.BackendType.Or("") == autovacuumWorker && !b.AntiWraparound {
				w.GivesWay = Some(w.From.Add(time.Duration(timeout) * time.Millisecond))
			}
		}
	}
}

// blocks notes for the run of a blocking process since when a session can have waited
// for it.
func (t *Tracker) blocks(pid int32, from time.Time) {
	for _, r := range t.active {
		if r.run.Key.PID == pid && (r.run.blocking.IsZero() || from.Before(r.run.blocking)) {
			r.run.blocking = from
		}
	}
}

// autovacuumWorker is the backend_type of autovacuum's workers.
const autovacuumWorker = "autovacuum worker"

func (t *Tracker) blocker(pid int32) Blocker {
	b := Blocker{PID: pid}
	if proc, ok := t.sessions[pid]; ok {
		b.BackendType, b.State, b.Role, b.XactStart, b.Query = proc.BackendType, proc.State, proc.Role, proc.XactStart, proc.Query
		b.ApplicationName = proc.ApplicationName
		b.Waits = proc.WaitsForLock()
	}
	for _, r := range t.active {
		if r.run.has(pid) {
			b.Vacuum = true
			b.AntiWraparound = r.run.StartedBy.Or("") == ByAutovacuumWraparound
		}
	}
	return b
}

// has tells whether a live process of the run has this pid.
func (r *Run) has(pid int32) bool {
	return r.Key.PID == pid || slices.ContainsFunc(r.Processes, func(m Member) bool { return m.Alive && m.PID == pid })
}

// markAround marks the waits whose chain holds a process of one of the vacuums or a
// relation being vacuumed by them, through any number of steps.
func markAround(waits []LockWait, runs []*Run) {
	vacuums, relations := map[int32]bool{}, map[relationKey]bool{}
	for _, r := range runs {
		vacuums[r.Key.PID] = true
		if r.Key.RelID != 0 {
			relations[relationKey{r.Key.DatID, r.Key.RelID}], relations[relationKey{0, r.Key.RelID}] = true, true
		}
		for _, m := range r.Processes {
			vacuums[m.PID] = vacuums[m.PID] || m.Alive
		}
	}
	blockers := make(map[int32][]int32, len(waits))
	near := map[int32]bool{}
	for _, w := range waits {
		blockers[w.PID] = w.BlockedBy
		near[w.PID] = relations[relationKey{w.datid, w.RelID.Or(0)}] || w.MayVacuum()
	}
	for i := range waits {
		waits[i].Around = reaches(waits[i].PID, blockers, func(pid int32) bool { return vacuums[pid] || near[pid] })
	}
}

// Behind are the lock waits whose chain ends at a process of the run: those who
// wait for it, and those who wait behind them.
func (s *Snapshot) Behind(r *Run) []LockWait {
	blockers := make(map[int32][]int32, len(s.LockWaits))
	for _, w := range s.LockWaits {
		blockers[w.PID] = w.BlockedBy
	}
	var out []LockWait
	for _, w := range s.LockWaits {
		if !r.has(w.PID) && reaches(w.PID, blockers, r.has) {
			out = append(out, w)
		}
	}
	return out
}

// reaches walks from a waiter to those it waits for; circles end the walk.
func reaches(pid int32, blockers map[int32][]int32, found func(int32) bool) bool {
	seen := map[int32]bool{}
	queue := []int32{pid}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if found(next) {
			return true
		}
		if seen[next] {
			continue
		}
		seen[next] = true
		queue = append(queue, blockers[next]...)
	}
	return false
}
