package poll

import (
	"slices"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Behind an autovacuum against wraparound stands a statement that it does not give way
// to, and behind that one everybody who reads: each names who it waits for.
func TestReadersBehindADDLBehindAnAutovacuumAgainstWraparound(t *testing.T) {
	s := pgtest.Start(t, 18, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_freeze_max_age=100000",
		"autovacuum_vacuum_cost_delay=100ms", "autovacuum_vacuum_cost_limit=1", "deadlock_timeout=10ms", "fsync=off")
	s.MakeTable(t, pgtest.Table{Name: "old", DeadEvery: -1})
	s.Exec(t, "do $$ begin for i in 1..102000 loop perform txid_current(); commit; end loop; end $$")
	var tracker model.Tracker
	var ddl, reader int32
	runUntil(t, open(t, s.ConnString()), "the chain of three", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		at := slices.IndexFunc(snapshot.Active, func(r *model.Run) bool { return r.Table.Or("") == "old" })
		if at < 0 {
			return false
		}
		run := snapshot.Active[at]
		if ddl == 0 {
			ddl, _ = s.Statement(t, "alter table old add column more int")
			return false
		}
		first := waitOf(snapshot, ddl)
		if first == nil {
			return false
		}
		if reader == 0 {
			reader, _ = s.Statement(t, "select 1 from old limit 1")
			return false
		}
		second := waitOf(snapshot, reader)
		if second == nil {
			return false
		}
		if b := first.Blockers; len(b) == 0 || b[0].PID != run.Key.PID || !b[0].AntiWraparound || first.GivesWay.Known() {
			t.Errorf("the DDL's wait: %+v", first)
		}
		if !slices.Contains(second.BlockedBy, ddl) || !second.Around || len(snapshot.Behind(run)) != 2 {
			t.Errorf("the reader's wait: %+v; behind: %d", second, len(snapshot.Behind(run)))
		}
		return true
	})
}

func waitOf(s *model.Snapshot, pid int32) *model.LockWait {
	at := slices.IndexFunc(s.LockWaits, func(w model.LockWait) bool { return w.PID == pid && w.Mode.Known() })
	if at < 0 {
		return nil
	}
	return &s.LockWaits[at]
}

// The process that decodes changes for REPACK (CONCURRENTLY) stands with its run.
func TestTheDecodingWorkerOfRepack(t *testing.T) {
	s := pgtest.Start(t, 19, "wal_level=logical")
	s.MakeTable(t, pgtest.Table{Name: "repacked", Rows: 400_000, DeadEvery: -1})
	s.Exec(t, "alter table repacked add primary key (id)")
	s.Statement(t, "repack (concurrently) repacked")
	var tracker model.Tracker
	runUntil(t, open(t, s.ConnString()), "the decoding worker", func(sample model.Sample) bool {
		for _, run := range tracker.Step(sample).Active {
			for _, m := range run.Processes {
				if m.Helper != "" && !m.Worker && run.Command == "REPACK" {
					return true
				}
			}
		}
		return false
	})
}
