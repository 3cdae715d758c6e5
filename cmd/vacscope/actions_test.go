//go:build unix

package main

import (
	"context"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/pgtest"
)

// actionsOn are the actions on a server, with a stream that keeps what they report.
func actionsOn(t *testing.T, target string) (*actions, *notedStream) {
	t.Helper()
	config, err := poll.ParseTarget(poll.Flags{}, target)
	if err != nil {
		t.Fatal(err)
	}
	noted := &notedStream{}
	return newActions(config, false, noted, t.TempDir()), noted
}

// resultOf waits for the result of a VACUUM that was sent.
func resultOf(t *testing.T, noted *notedStream, pid int32) (result model.Result) {
	t.Helper()
	pgtest.Eventually(t, "the VACUUM's result", func() bool {
		noted.mu.Lock()
		defer noted.mu.Unlock()
		for _, e := range noted.events {
			if e.Kind == model.EventEnded && e.PID == pid {
				result = *e.Result
				return true
			}
		}
		return false
	})
	return result
}

// keyOf reads who a vacuum's process is.
func keyOf(t *testing.T, s *pgtest.Server, pid int32) model.RunKey {
	t.Helper()
	key := model.RunKey{PID: pid}
	err := s.Conn(t).QueryRow(t.Context(), "select backend_start, query_start from pg_stat_activity where pid = $1", pid).Scan(&key.BackendStart, &key.StatementStart)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// looked waits until a session has begun two statements more, or is gone.
func looked(t *testing.T, s *pgtest.Server, pid int32) {
	t.Helper()
	conn, begun := s.Conn(t), map[time.Time]bool{}
	pgtest.Eventually(t, "it looks at who holds the table", func() bool {
		var at time.Time
		err := conn.QueryRow(t.Context(), "select query_start from pg_stat_activity where pid = $1", pid).Scan(&at)
		begun[at] = true
		return err != nil || len(begun) > 2
	})
}

// What takes the place of a run is sent when that has let go of the table: one that
// skips a table that is held does not skip it for the one that was cancelled, which
// takes its time here.
func TestRestartTakesThePlaceOfARun(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Shared(t, major)
		for name, plan := range map[string]model.VacuumPlan{
			"waits": {}, "skips": {SkipLocked: true}, "queues": {LockTimeout: "0"},
		} {
			v := s.HeldVacuum(t, "again_"+name)
			a, noted := actionsOn(t, s.ConnString())
			plan.Table = model.Text(v.Table)
			key := keyOf(t, s, v.PID)
			if err := syscall.Kill(int(v.PID), syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			goesOn := func() { _ = syscall.Kill(int(v.PID), syscall.SIGCONT) }
			t.Cleanup(goesOn)
			pid, err := a.Restart(context.Background(), key, plan)
			if err == nil {
				looked(t, s, pid)
			}
			goesOn()
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if result := resultOf(t, noted, pid); result.How != model.EndCompleted {
				t.Errorf("%s: the new VACUUM ended as %+v", name, result)
			}
			if err := <-v.Done; err == nil || !strings.Contains(err.Error(), "57014") {
				t.Errorf("%s: the one before ended as %v", name, err)
			}
		}
	}
}

// When the new VACUUM could not be sent or somebody would come before it, nothing is
// cancelled.
func TestRestartThatCannotBeCancelsNothing(t *testing.T) {
	s := pgtest.Shared(t, 18)
	v := s.HeldVacuum(t, "not_again")
	s.Role(t, "not_owner", "pg_signal_backend")
	s.Role(t, "not_many", "pg_signal_backend", "pg_monitor")
	s.Exec(t, "alter role not_many connection limit 1", "grant maintain on not_again to not_many")
	key, plan := keyOf(t, s, v.PID), model.VacuumPlan{Table: "not_again"}
	refused := func(role, says string, key model.RunKey, plan model.VacuumPlan) {
		t.Helper()
		a, _ := actionsOn(t, s.ConnStringFor(role, "postgres"))
		_, err := a.Restart(context.Background(), key, plan)
		if err == nil || !strings.Contains(err.Error(), says) || len(a.Running()) != 0 {
			t.Errorf("as %s: %v, and %v runs", role, err, a.Running())
		}
		if now := vacuumOf(t, s.Conn(t), "not_again"); now != v.PID {
			t.Fatalf("as %s: pid %d is gone, now %d", role, v.PID, now)
		}
	}
	reused := key
	reused.BackendStart = reused.BackendStart.Add(-1000)
	refused("postgres", "does not run that statement any more", reused, plan)
	refused("postgres", "22023", key, model.VacuumPlan{Table: "not_again", CostDelay: "200ms"})
	refused("postgres", "PARALLEL is 2000", key, model.VacuumPlan{Table: "not_again", Parallel: model.Some(2000)})
	refused("not_owner", "may not vacuum public.not_again", key, plan)
	refused("not_many", "too many connections", key, plan)
	s.Statement(t, "alter table not_again set (fillfactor = 90)")
	conn := s.Conn(t)
	pgtest.Eventually(t, "ALTER TABLE waits", func() bool {
		n := 0
		if err := conn.QueryRow(t.Context(), "select count(*) from pg_locks where relation = 'not_again'::regclass and not granted").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n == 1
	})
	refused("postgres", "somebody waits for a lock on public.not_again", key, plan)
}
