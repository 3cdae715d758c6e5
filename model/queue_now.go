package model

import "slices"

// Hindrance says what keeps autovacuum from a table that is past a threshold.
type Hindrance string

// What keeps autovacuum from a table.
const (
	HinderedByServer  Hindrance = "server_setting" // autovacuum or track_counts is off
	HinderedByTable   Hindrance = "table_option"   // autovacuum_enabled is off for the table
	HinderedByLock    Hindrance = "lock"           // somebody has, or waits for, a lock on it
	HinderedByWorkers Hindrance = "workers"        // all workers are busy
)

// Queued are the tables of the queue as they stand now: without those whose vacuum was
// seen to complete since the reading. nil before it was read.
func (s *Snapshot) Queued() []QueuedTable {
	if s.Queue == nil {
		return nil
	}
	var completed []*Run // since the reading
	for _, r := range s.Ended {
		if r.End.How == EndCompleted && r.End.At.After(s.Queue.ReadAt) {
			completed = append(completed, r)
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Queue.Tables), func(t QueuedTable) bool {
		return slices.ContainsFunc(completed, func(r *Run) bool { return s.isOf(r, t) })
	})
}

// isOf tells whether a run is of a table of the queue.
func (s *Snapshot) isOf(r *Run, t QueuedTable) bool {
	return r.Key.RelID == t.RelID && (r.Key.DatID == s.Server.DatID || r.Key.DatID == 0)
}

// WorksOn are the pids of those that vacuum or analyze a table now.
func (s *Snapshot) WorksOn(t QueuedTable) []int32 {
	var pids []int32
	for _, r := range s.Active {
		if s.isOf(r, t) && r.State == StateRunning {
			pids = append(pids, r.Key.PID)
		}
	}
	for _, a := range s.Analyzes {
		if a.Progress.RelID == t.RelID && a.DatID == s.Server.DatID && !slices.Contains(pids, a.PID) {
			pids = append(pids, a.PID)
		}
	}
	return pids
}

// InTheWay are those whose lock keeps autovacuum from a table: without those that
// vacuum it, and each of them once.
func (s *Snapshot) InTheWay(t QueuedTable) []Blocker {
	works := s.WorksOn(t)
	var out []Blocker
	for _, h := range t.Holders {
		known := slices.ContainsFunc(out, func(b Blocker) bool { return b.PID == h.PID && b.GID == h.GID })
		if known || slices.Contains(works, h.PID) || h.LeaderPID.Known() {
			continue
		}
		out = append(out, h.blocker())
	}
	slices.SortStableFunc(out, func(a, b Blocker) int {
		if a.Waits != b.Waits { // who has it, before who waits for it
			if b.Waits {
				return -1
			}
			return 1
		}
		return mostLikely(a, b)
	})
	return out
}

// Workers says how many workers autovacuum has in all databases, and how many it may
// have: autovacuum_max_workers, from 18 on within autovacuum_worker_slots. Absent where
// this role does not see them, or the setting is not known.
func (s *Snapshot) Workers() (busy, most Opt[int]) {
	n, ok := settingInt(s.Settings, "autovacuum_max_workers")
	if slots, both := settingInt(s.Settings, "autovacuum_worker_slots"); ok && both {
		n = min(n, slots)
	}
	if ok {
		most = Some(n)
	}
	return s.AutovacuumWorkers, most
}

// noWorkerFree tells that all of autovacuum's workers are busy.
func (s *Snapshot) noWorkerFree() bool {
	busy, most := s.Workers()
	return busy.Known() && most.Known() && busy.Or(0) >= most.Or(0)
}

// Hindrance is what keeps autovacuum from a table that is past a threshold; absent when
// nothing is seen to, and while it is being vacuumed or analyzed.
func (s *Snapshot) Hindrance(t QueuedTable) Opt[Hindrance] {
	switch {
	case !t.Over() && !t.Due() || len(s.WorksOn(t)) > 0:
	case !t.Due() && s.Queue.Off != "":
		return Some(HinderedByServer)
	case !t.Due() && t.Disabled:
		return Some(HinderedByTable)
	case len(s.InTheWay(t)) > 0:
		return Some(HinderedByLock)
	case s.noWorkerFree():
		return Some(HinderedByWorkers)
	}
	return None[Hindrance]()
}
