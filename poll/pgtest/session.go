package pgtest

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Conn opens a session of the superuser; it ends with the test.
func (s *Server) Conn(t testing.TB) *pgx.Conn {
	t.Helper()
	return s.ConnTo(t, s.ConnString())
}

// ConnAs opens a session of a role in a database; it ends with the test.
func (s *Server) ConnAs(t testing.TB, role, database string) *pgx.Conn {
	t.Helper()
	return s.ConnTo(t, s.ConnStringFor(role, database))
}

// ConnTo opens a session with a connection string, such as ConnStringFor with
// more parameters; it ends with the test.
func (s *Server) ConnTo(t testing.TB, connString string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), connString)
	if err != nil {
		t.Fatalf("connect to PostgreSQL %d: %v", s.Major, err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn
}

// Exec runs statements as the superuser, each in a transaction of its own.
func (s *Server) Exec(t testing.TB, statements ...string) {
	t.Helper()
	exec(t, s.Conn(t), statements...)
}

func exec(t testing.TB, conn *pgx.Conn, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := conn.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// Role makes a role that can log in and is a member of others; it goes with the test.
func (s *Server) Role(t testing.TB, name string, memberOf ...string) {
	t.Helper()
	quoted := pgx.Identifier{name}.Sanitize()
	s.Exec(t, "create role "+quoted+" login")
	s.AtEnd(t, "drop owned by "+quoted, "drop role "+quoted)
	for _, group := range memberOf {
		s.Exec(t, fmt.Sprintf("grant %s to %s", pgx.Identifier{group}.Sanitize(), quoted))
	}
}

// Database makes a database with more options of CREATE DATABASE, such as an
// encoding; it goes with the test.
func (s *Server) Database(t testing.TB, name, options string) {
	t.Helper()
	quoted := pgx.Identifier{name}.Sanitize()
	s.Exec(t, "create database "+quoted+" template template0 "+options)
	s.AtEnd(t, "drop database "+quoted+" with (force)")
}

// AtEnd runs statements when the test ends. What they cannot do because the test
// ended the server is no failure.
func (s *Server) AtEnd(t testing.TB, statements ...string) {
	t.Cleanup(func() {
		select {
		case <-s.Done():
			return
		default:
		}
		conn, err := pgx.Connect(context.Background(), s.ConnString())
		if err != nil {
			t.Errorf("connect to clean up: %v", err)
			return
		}
		defer conn.Close(context.Background())
		for _, statement := range statements {
			if _, err := conn.Exec(context.Background(), statement); err != nil {
				t.Errorf("clean up: %s: %v", statement, err)
			}
		}
	})
}

// Table describes a table for vacuums. The zero value of a number means the
// default beside it.
type Table struct {
	Name    string // as it stands in SQL; with or without schema and quotes
	Rows    int    // 40,000
	Indexes int    // 1; -1 for none
	// DeadEvery is which rows are dead: every third (3); -1 for none.
	DeadEvery int
	Options   string // more storage parameters: "fillfactor = 50"
}

// MakeTable makes a table with dead rows in the superuser's database; it goes
// with the test. Autovacuum leaves it alone.
func (s *Server) MakeTable(t testing.TB, table Table) {
	t.Helper()
	rows, indexes, dead := orDefault(table.Rows, 40_000), orDefault(table.Indexes, 1), orDefault(table.DeadEvery, 3)
	columns, values := "", ""
	for i := range indexes {
		columns += fmt.Sprintf(", c%d int", i+1)
		values += fmt.Sprintf(", (g * %d::bigint %% %d)::int", 7919+2*i, rows)
	}
	options := strings.TrimSuffix("autovacuum_enabled = off, "+table.Options, ", ")
	conn := s.Conn(t)
	exec(t, conn,
		fmt.Sprintf("create table %s (id int%s, pad text) with (%s)", table.Name, columns, options),
		fmt.Sprintf("insert into %s select g%s, repeat('x', 100) from generate_series(1, %d) g", table.Name, values, rows))
	s.AtEnd(t, "drop table if exists "+table.Name)
	for i := range indexes {
		exec(t, conn, fmt.Sprintf("create index on %s (c%d)", table.Name, i+1))
	}
	if dead > 0 {
		exec(t, conn, fmt.Sprintf("delete from %s where id %% %d = 0", table.Name, dead))
	}
}

// orDefault reads a number of Table: 0 means the default, below 0 means none.
func orDefault(n, standard int) int {
	if n == 0 {
		return standard
	}
	return max(n, 0)
}
