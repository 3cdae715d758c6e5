package pgtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Vacuum is a VACUUM that a test runs in a session of its own.
type Vacuum struct {
	PID   int32
	Table string
	// Done gets the statement's error once, nil when it completed.
	Done <-chan error

	server *Server
}

// Vacuum starts VACUUM OPTIONS TABLE, where options are as in SQL ("(freeze)" or
// ""), with settings "name=value" of its session. It is cancelled at the end of
// the test.
func (s *Server) Vacuum(t testing.TB, table, options string, settings ...string) *Vacuum {
	t.Helper()
	conn := s.Conn(t)
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		if _, err := conn.Exec(t.Context(), "select set_config($1, $2, false)", name, value); err != nil {
			t.Fatalf("set %s: %v", setting, err)
		}
	}
	done, ended := make(chan error, 1), make(chan struct{})
	v := &Vacuum{PID: int32(conn.PgConn().PID()), Table: table, Done: done, server: s}
	go func() {
		defer close(ended)
		_, err := conn.Exec(context.Background(), strings.Join(strings.Fields("VACUUM "+options+" "+table), " "))
		done <- err
	}()
	t.Cleanup(func() {
		v.cancel(t)
		<-ended
	})
	return v
}

func (v *Vacuum) cancel(t testing.TB) {
	conn, err := pgx.Connect(context.Background(), v.server.ConnString())
	if err != nil {
		return // the test ended the server, and the vacuum with it
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(context.Background(), "select pg_cancel_backend($1)", v.PID); err != nil {
		t.Errorf("cancel the vacuum: %v", err)
	}
}

// Phase waits until the vacuum is in a phase, under the server's name. A phase
// that lasts only a moment can be missed.
func (v *Vacuum) Phase(t testing.TB, phase string) *Vacuum {
	t.Helper()
	conn, last := v.server.Conn(t), ""
	Eventually(t, fmt.Sprintf("%s in %q", v.Table, phase), func() bool {
		err := conn.QueryRow(t.Context(), "select phase from pg_stat_progress_vacuum where pid = $1", v.PID).Scan(&last)
		if err != nil && err != pgx.ErrNoRows {
			t.Fatalf("read the vacuum's phase: %v", err)
		}
		return last == phase
	})
	return v
}

// Waiting waits until the vacuum waits for a wait event of a type, such as Lock,
// BufferPin (Buffer on 19) or Timeout.
func (v *Vacuum) Waiting(t testing.TB, types ...string) *Vacuum {
	t.Helper()
	conn := v.server.Conn(t)
	Eventually(t, fmt.Sprintf("%s waits for one of %v", v.Table, types), func() bool {
		var waits bool
		err := conn.QueryRow(t.Context(),
			"select coalesce(wait_event_type = any($2), false) from pg_stat_activity where pid = $1", v.PID, types).Scan(&waits)
		if err != nil {
			t.Fatalf("read the vacuum's wait event: %v", err)
		}
		return waits
	})
	return v
}

// HeldVacuum makes a table of 40,000 rows with one index and starts a vacuum of
// it that stays in "scanning heap" for minutes, asleep (Timeout/VacuumDelay) most
// of the time and scanning about nine blocks a second.
func (s *Server) HeldVacuum(t testing.TB, table string) *Vacuum {
	t.Helper()
	s.MakeTable(t, Table{Name: table})
	return s.Vacuum(t, table, "", "vacuum_cost_delay=100ms", "vacuum_cost_limit=1").Phase(t, "scanning heap")
}

// PinnedVacuum makes a table and starts a VACUUM FREEZE of it that stands still in
// "scanning heap", because a cursor holds a page: nothing in its rows of the
// catalog moves until release is called.
func (s *Server) PinnedVacuum(t testing.TB, table string) (v *Vacuum, release func()) {
	t.Helper()
	s.MakeTable(t, Table{Name: table})
	release = s.CursorHold(t, table)
	v = s.Vacuum(t, table, "(freeze)", "vacuum_cost_delay=0").Phase(t, "scanning heap")
	return v.Waiting(t, "BufferPin", "Buffer"), release
}

// CursorHold lets a session hold the page of a table's first row by an open
// cursor, until release or the end of the test.
func (s *Server) CursorHold(t testing.TB, table string) (release func()) {
	t.Helper()
	return s.hold(t, "declare held cursor for select * from "+table, "fetch 1 from held")
}

// LockHold lets a session hold a lock on a table in a mode such as "share update
// exclusive", until release or the end of the test.
func (s *Server) LockHold(t testing.TB, table, mode string) (release func()) {
	t.Helper()
	return s.hold(t, fmt.Sprintf("lock table %s in %s mode", table, mode))
}

// hold runs statements in a transaction that stays open.
func (s *Server) hold(t testing.TB, statements ...string) (release func()) {
	t.Helper()
	conn := s.Conn(t)
	exec(t, conn, append([]string{"begin"}, statements...)...)
	release = func() { _ = conn.Close(context.Background()) } // closed twice is closed
	t.Cleanup(release)
	return release
}

// Statement runs a statement in a session of its own and returns its process id.
// Done gets its error once. It is cancelled at the end of the test.
func (s *Server) Statement(t testing.TB, sql string) (pid int32, done <-chan error) {
	t.Helper()
	conn := s.Conn(t)
	result := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, err := conn.Exec(ctx, sql)
		result <- err
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return int32(conn.PgConn().PID()), result
}
