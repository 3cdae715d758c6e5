package model

import (
	"slices"
	"time"
)

// waiter is one wait of one process.
type waiter struct {
	pid       int32
	statement time.Time
}

// lockWaits derives who waits now from the processes and the lock table.
func (t *Tracker) lockWaits(at time.Time, p *Poll) {
	from := make(map[waiter]time.Time)
	t.waits = nil
	for _, proc := range p.Processes {
		if wait, ok := proc.Wait.Get(); !ok || wait.Type != "Lock" {
			continue
		}
		w := LockWait{PID: proc.PID, BlockedBy: proc.BlockedBy, Database: proc.Database, Query: proc.Query}
		key := waiter{proc.PID, proc.StatementStart.Or(time.Time{})}
		from[key] = at
		if since, ok := t.waitsFrom[key]; ok {
			from[key] = since
		}
		w.SeenFor = at.Sub(from[key])
		t.lockOf(&w, at, proc, p.Locks)
		t.waits = append(t.waits, w)
	}
	t.waitsFrom = from
	t.markAround()
	slices.SortStableFunc(t.waits, func(a, b LockWait) int {
		return int(b.Waited.Or(b.SeenFor) - a.Waited.Or(a.SeenFor))
	})
}

// lockOf takes what the lock table says of the wait.
func (t *Tracker) lockOf(w *LockWait, at time.Time, proc Process, locks []Lock) {
	for _, lock := range locks {
		if lock.PID != w.PID {
			continue
		}
		w.LockType, w.Mode = Some(lock.LockType), Some(lock.Mode)
		if since, ok := lock.WaitStart.Get(); ok {
			w.Waited = Some(max(0, at.Sub(since)))
		}
		if lock.RelID != 0 {
			w.RelID = Some(lock.RelID)
		}
		if rel, ok := t.relation(lock.DatID, lock.RelID); ok {
			w.Schema, w.Table = Some(rel.Schema), Some(rel.Name)
		}
		return
	}
}

// markAround marks the waits whose chain holds a vacuum's process or a relation
// being vacuumed, through any number of steps.
func (t *Tracker) markAround() {
	vacuums, relations := map[int32]bool{}, map[uint32]bool{}
	for _, r := range t.active {
		vacuums[r.run.Key.PID] = true
		if r.run.Key.RelID != 0 {
			relations[r.run.Key.RelID] = true
		}
		for _, m := range r.run.Processes {
			vacuums[m.PID] = vacuums[m.PID] || m.Alive
		}
	}
	blockers := make(map[int32][]int32, len(t.waits))
	near := map[int32]bool{}
	for _, w := range t.waits {
		blockers[w.PID] = w.BlockedBy
		near[w.PID] = relations[w.RelID.Or(0)]
	}
	for i := range t.waits {
		t.waits[i].Around = reaches(t.waits[i].PID, blockers, func(pid int32) bool { return vacuums[pid] || near[pid] })
	}
}

// Behind are the lock waits whose chain ends at a process of the run: those who
// wait for it, and those who wait behind them.
func (s *Snapshot) Behind(r *Run) []LockWait {
	own := map[int32]bool{r.Key.PID: true}
	for _, m := range r.Processes {
		own[m.PID] = own[m.PID] || m.Alive
	}
	blockers := make(map[int32][]int32, len(s.LockWaits))
	for _, w := range s.LockWaits {
		blockers[w.PID] = w.BlockedBy
	}
	var out []LockWait
	for _, w := range s.LockWaits {
		if !own[w.PID] && reaches(w.PID, blockers, func(pid int32) bool { return own[pid] }) {
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
