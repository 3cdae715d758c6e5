package poll

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Timeouts that ALTER ROLE sets do not end the session of the watcher, each alone
// and all together, also when it is idle for longer than them.
func TestTimeoutsOfTheRoleDoNotEndTheSession(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "held")
		timeouts := []string{"statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"}
		if s.Major >= 14 {
			timeouts = append(timeouts, "idle_session_timeout")
		}
		if s.Major >= 17 {
			timeouts = append(timeouts, "transaction_timeout")
		}
		s.Role(t, "all_of_them", "pg_monitor")
		for _, timeout := range timeouts {
			s.Role(t, timeout, "pg_monitor")
			s.Exec(t, "alter role "+timeout+" set "+timeout+" = 1", "alter role all_of_them set "+timeout+" = 1")
		}
		for _, role := range append(timeouts, "all_of_them") {
			source := open(t, s.ConnStringFor(role, "postgres"))
			mustHave(t, read(t, source), v.PID)
			time.Sleep(20 * time.Millisecond) // the session is idle: nothing can signal that nothing happens
			mustHave(t, read(t, source), v.PID)
		}
	})
}

// What the timeouts of one server's role taught is no obstacle at another server.
func TestAServerWithoutTheTimeoutsAnswersAtTheSameAddress(t *testing.T) {
	s := pgtest.Shared(t, 13)
	config, err := ParseTarget(Flags{}, s.ConnString())
	if err != nil {
		t.Fatal(err)
	}
	config.timeouts.set(timeoutsOf(170000))
	source, err := Open(t.Context(), config, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	read(t, source)
}

// Names of a database that is not in UTF-8 come right also while another session's
// bytes cannot be converted.
func TestNamesOfADatabaseInAnotherEncoding(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		bad := "\"\u00c1\"" // does not exist in EUC_JP
		s.MakeTable(t, pgtest.Table{Name: bad, Rows: 100})
		s.LockHold(t, bad, "share")
		waiting := s.Vacuum(t, bad, "").Waiting(t, "Lock")
		s.Database(t, "euc", "encoding 'EUC_JP' lc_collate 'C' lc_ctype 'C'")
		conn := s.ConnTo(t, s.ConnStringFor("postgres", "euc")+" client_encoding=UTF8")
		for _, statement := range []string{
			"create table 顧客 (id int) with (autovacuum_enabled = off)", "insert into 顧客 select generate_series(1, 100000)",
			"delete from 顧客 where id % 3 = 0", "set vacuum_cost_delay = 100", "set vacuum_cost_limit = 1",
		} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		pid, ended := int32(conn.PgConn().PID()), make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = conn.Exec(context.Background(), "vacuum 顧客")
		}()
		defer func() {
			s.Exec(t, fmt.Sprintf("select pg_terminate_backend(%d)", pid))
			<-ended
		}()
		source := open(t, s.ConnStringFor("postgres", "euc"))
		var poll *model.Poll
		pgtest.Eventually(t, "the vacuum and its name", func() bool {
			poll = read(t, source)
			p, _ := process(poll, pid)
			return p.Progress != nil && len(poll.Relations) > 0
		})
		mustHave(t, poll, waiting.PID)
		if name := poll.Relations[0].Name; name != "顧客" {
			t.Errorf("the table is called %q", name)
		}
		if query := mustHave(t, poll, pid).Query.Or(""); query != "vacuum 顧客" {
			t.Errorf("the statement is %q", query)
		}
	})
}
