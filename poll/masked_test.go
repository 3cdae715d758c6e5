package poll

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A role without grants sees nobody's waits in the activity; the lock table tells it
// that somebody waits for the lock that a VACUUM takes, on what, and for whom.
func TestARoleWithoutGrantsSeesWhoWaits(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		s.Role(t, "plain")
		s.LockHold(t, "locked", "share")
		v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		var tracker model.Tracker
		var wait model.LockWait
		var snapshot *model.Snapshot
		beats := 0
		runUntil(t, open(t, s.ConnStringFor("plain", "postgres")), "the wait for two beats on end", func(sample model.Sample) bool {
			if len(sample.Problems) > 0 {
				t.Errorf("problems: %+v", sample.Problems)
			}
			snapshot = tracker.Step(sample)
			at := slices.IndexFunc(snapshot.LockWaits, func(w model.LockWait) bool { return w.PID == v.PID && w.Mode.Known() })
			if at < 0 {
				beats = 0
				return false
			}
			wait = snapshot.LockWaits[at]
			beats++
			return beats >= 2 && wait.Table.Known()
		})
		if !wait.Masked || !wait.MayVacuum() || !wait.Around || wait.Table.Or("") != "locked" || wait.Role.Or("") != "postgres" || len(wait.BlockedBy) != 1 || wait.Query.Known() || wait.Exact != (s.Major >= 14) {
			t.Errorf("%+v", wait)
		}
		if said := model.MaskedWaitSentences(snapshot); len(said) != 1 || !strings.Contains(said[0], "role postgres") || !strings.Contains(said[0], "public.locked") {
			t.Errorf("said: %q", said)
		}
	})
}

// A role that sees all is asked for nothing more.
func TestARoleThatSeesAllReadsTheLockTableOnlyForWaits(t *testing.T) {
	s := pgtest.Shared(t, 18)
	source := open(t, s.ConnString())
	read(t, source)
	session := source.reader.(*session)
	session.masked.beat()
	if requests := session.masked.take(session.statements.masked, session.state.seesAll); requests != nil {
		t.Errorf("%d requests", len(requests))
	}
}

// 19 counts every wait that lasts over deadlock_timeout: also those between two beats.
func TestWaitsThatTheServerCounted(t *testing.T) {
	s := pgtest.Start(t, 19, "deadlock_timeout=10ms")
	s.Exec(t, "create table counted (id int)")
	var tracker model.Tracker
	source := open(t, s.ConnString())
	session := source.reader.(*session)
	if c := tracker.Step(source.Beat(t.Context())).CountedWaits; c != model.Some(model.LockTotals{}) {
		t.Fatalf("at first: %+v", c)
	}
	release := s.LockHold(t, "counted", "access exclusive")
	pid, done := s.Statement(t, "select * from counted")
	conn := s.Conn(t)
	pgtest.Eventually(t, "a wait of over deadlock_timeout", func() bool {
		var long bool
		err := conn.QueryRow(t.Context(), "select coalesce(bool_or(clock_timestamp() - waitstart > '50 ms'), false) from pg_locks where pid = $1 and not granted", pid).Scan(&long)
		return err == nil && long
	})
	release()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	pgtest.Eventually(t, "the count", func() bool {
		session.settings = due{}
		c := tracker.Step(source.Beat(t.Context())).CountedWaits.Or(model.LockTotals{})
		return c.Waits == 1 && c.WaitTime >= 10*time.Millisecond
	})
}
