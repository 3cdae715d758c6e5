package poll

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A session of a LATIN1 database holds bytes that are not UTF-8 in its query text.
func TestASessionInAnotherEncodingDoesNotBreakThePoll(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Database(t, "lat1", "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'")
		conn := s.ConnAs(t, "postgres", "lat1")
		latin := s.ConnTo(t, s.ConnStringFor("postgres", "lat1")+" client_encoding=LATIN1")
		for _, statement := range []string{
			"create table \"caf\xe9\" (id int) with (autovacuum_enabled = off)",
			"insert into \"caf\xe9\" select generate_series(1, 100000)",
			"delete from \"caf\xe9\" where id % 3 = 0",
			"set vacuum_cost_delay = 100", "set vacuum_cost_limit = 1",
		} {
			if _, err := latin.Exec(t.Context(), statement, pgx.QueryExecModeSimpleProtocol); err != nil {
				t.Fatal(err)
			}
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_, _ = latin.Exec(context.Background(), "vacuum \"caf\xe9\"", pgx.QueryExecModeSimpleProtocol)
		}()
		pid := int32(latin.PgConn().PID())
		t.Cleanup(func() {
			_, _ = conn.Exec(context.Background(), "select pg_terminate_backend($1)", pid)
			<-ended
		})
		source := open(t, s.ConnString())
		var p model.Process
		pgtest.Eventually(t, "the vacuum in the other database", func() bool {
			p, _ = process(read(t, source), pid)
			return p.Progress != nil
		})
		if p.Query.Or("") != "vacuum \"caf\xe9\"" || p.Database.Or("") != "lat1" || p.Progress.RelID == 0 {
			t.Errorf("%+v, progress %+v", p, p.Progress)
		}
		if r := read(t, source).Relations; len(r) != 0 {
			t.Errorf("another database's relation got a name here: %+v", r)
		}
		tick, err := source.reader.tick(t.Context())
		if err != nil || tick.problem.Known() || len(tick.rows) != 1 {
			t.Errorf("tick %+v, error %v", tick, err)
		}
	})
}

// What ALTER ROLE sets for the watcher's role must not reach it.
func TestHostileSettingsOfTheRole(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := stopped(t, s)
		want := mustHave(t, read(t, open(t, s.ConnString())), v.PID)
		s.Role(t, "hostile", "pg_monitor")
		s.Exec(t,
			"create schema evil", "grant usage on schema evil to public",
			"create view evil.pg_stat_progress_vacuum as select 1 as pid, 'lies'::text as phase",
			"create view evil.pg_stat_activity as select 1 as pid", "create view evil.pg_locks as select 1 as pid",
			"create function evil.now() returns timestamptz language sql as 'select null::timestamptz'",
			"create function evil.clock_timestamp() returns timestamptz language sql as 'select null::timestamptz'",
			"create function evil.to_jsonb(pg_stat_progress_vacuum) returns jsonb language sql as 'select null::jsonb'")
		defer s.Exec(t, "drop schema evil cascade")
		for _, setting := range []string{
			"search_path = evil, pg_catalog", "datestyle = 'SQL, DMY'", "timezone = 'Asia/Kathmandu'", "extra_float_digits = -10",
			"statement_timeout = '1ms'", "default_transaction_isolation = serializable", "default_transaction_deferrable = on",
			"intervalstyle = 'sql_standard'", "client_encoding = 'LATIN1'", "bytea_output = escape",
		} {
			s.Exec(t, "alter role hostile set "+setting)
		}
		if s.Major < 19 { // 19 has only one
			s.Exec(t, "alter role hostile set standard_conforming_strings = off")
		}
		waiting := s.Vacuum(t, "still", "").Waiting(t, "Lock")
		poll := read(t, open(t, s.ConnStringFor("hostile", "postgres")))
		if w := mustHave(t, poll, waiting.PID); len(w.BlockedBy) != 1 {
			t.Errorf("%+v", w)
		}
		p := mustHave(t, poll, v.PID)
		if p.Progress == nil || fmt.Sprint(*p.Progress) != fmt.Sprint(*want.Progress) {
			t.Errorf("got %+v, want %+v", p.Progress, want.Progress)
		}
		if got, _ := p.StatementStart.Get(); !got.Equal(want.StatementStart.Or(time.Time{})) || got.Location() != time.UTC {
			t.Errorf("the statement began at %v, want %v", got, want.StatementStart)
		}
	})
}

func TestAPartThatFailsCostsOnlyItself(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		s.LockHold(t, "locked", "share")
		v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		s.Role(t, "monitor", "pg_monitor")
		s.Exec(t, "revoke select on pg_locks from public")
		defer s.Exec(t, "grant select on pg_locks to public")
		sample := open(t, s.ConnStringFor("monitor", "postgres")).Beat(t.Context())
		others := slices.DeleteFunc(slices.Clone(sample.Problems), func(p model.Problem) bool {
			return p.SQLState == "42501" && strings.Contains(string(p.Message), "pg_locks")
		})
		if !strings.Contains(parts(sample.Problems), "lock requests") || len(others) > 0 {
			t.Fatalf("problems %+v", sample.Problems)
		}
		if sample.Poll.Locks != nil || sample.Poll.Settings == nil || !sample.Poll.Server.SeesAll {
			t.Errorf("locks %v, settings %v", sample.Poll.Locks, sample.Poll.Settings)
		}
		mustHave(t, sample.Poll, v.PID)
	})
}

func TestAStatementTheServerCannotPrepareFailsAlone(t *testing.T) {
	s := pgtest.Shared(t, 18)
	session := open(t, s.ConnString()).reader.(*session)
	bad := &statement{part: "bad", name: "bad", sql: timed("select nonsense")}
	good := &statement{part: "good", name: "good", sql: timed("select 7 as n")}
	if err := prepare(t.Context(), session.conn, bad, good); err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	take := func(r row) error { n += r.integer("n").Or(0); return nil }
	first, middle, last := &request{statement: good, decode: take}, &request{statement: bad, decode: take}, &request{statement: good, decode: take}
	if err := run(t.Context(), session.conn, first, middle, last); err != nil {
		t.Fatal(err)
	}
	if p, _ := middle.problem().Get(); n != 14 || first.err != nil || last.err != nil || p.SQLState != "42703" || p.Part != "bad" {
		t.Errorf("n = %d, errors %v, %+v, %v", n, first.err, p, last.err)
	}
}

// countingConn counts what is written to it.
type countingConn struct {
	net.Conn
	writes *atomic.Int32
}

func (c countingConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

// Further round trips are there for names, and for what a command goes through: the
// beat that first shows a relation has them.
func TestABeatIsOneRoundTripAndLeavesTheSessionIdle(t *testing.T) {
	s := pgtest.Shared(t, 18)
	config, err := ParseTarget(Flags{}, s.ConnString())
	if err != nil {
		t.Fatal(err)
	}
	var writes atomic.Int32
	dial := config.pg.DialFunc
	config.pg.DialFunc = func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		return countingConn{conn, &writes}, err
	}
	session, err := connect(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	defer session.close()
	beat := func(want int32) *model.Poll {
		t.Helper()
		writes.Store(0)
		r, err := session.beat(t.Context(), false)
		if err != nil {
			t.Fatal(err)
		}
		if n := writes.Load(); n != want {
			t.Errorf("a beat wrote %d times, want %d", n, want)
		}
		return &r.poll
	}
	beat(1)
	v := s.HeldVacuum(t, "held")
	first := beat(3)
	mustHave(t, first, v.PID)
	if r := first.Relations; len(r) != 1 || r[0].Name != "held" {
		t.Errorf("the first beat that shows the vacuum has the relations %+v", r)
	}
	beat(1)
	beat(1)
	var sessions int
	var state string
	err = s.Conn(t).QueryRow(t.Context(), "select count(*), max(state) from pg_stat_activity where application_name = 'vacscope' and pid = $1",
		session.conn.PID()).Scan(&sessions, &state)
	if err != nil || sessions != 1 || state != "idle" {
		t.Errorf("%d sessions, %q, %v", sessions, state, err)
	}
}

func TestQueriesAreCutAtCharacters(t *testing.T) {
	long := strings.Repeat("ä", 1500)
	for in, want := range map[string]int{"": 0, "short": 5, long: 1000, "\xe9" + long: 1000} {
		got, _ := cutQuery(model.Some(model.Text(in))).Get()
		if n := utf8.RuneCountInString(string(got)); n != want {
			t.Errorf("%d characters are left of %d, want %d", n, len(in), want)
		}
	}
	if cutQuery(model.None[model.Text]()).Known() {
		t.Error("an absent text became present")
	}
}

func TestSecretsInStatementsAreCutOff(t *testing.T) {
	for in, want := range map[model.Text]model.Text{
		"alter role r Password 'pw\xe9'":                            "alter role r Password ...",
		"create subscription s connection 'host=h password=pw' ...": "create subscription s connection 'host=h password ...",
		"select dblink('postgresql://u:pw@h/d')":                    "select dblink('postgresql:// ...",
		"vacuum user_passwords":                                     "vacuum user_passwords",
	} {
		if got, _ := cutQuery(model.Some(in)).Get(); got != want {
			t.Errorf("%q is kept of %q", got, in)
		}
	}
}

// A database that is not in UTF-8 fails to convert bytes of other sessions.
func TestFromADatabaseInAnotherEncoding(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		table := "\"\u00c1\"" // its second byte does not exist in WIN1252
		s.MakeTable(t, pgtest.Table{Name: table, Rows: 100})
		s.LockHold(t, table, "share")
		v := s.Vacuum(t, table, "").Waiting(t, "Lock")
		for _, encoding := range []string{"WIN1252", "EUC_JP", "SQL_ASCII"} {
			s.Database(t, "enc_"+encoding, "encoding '"+encoding+"' lc_collate 'C' lc_ctype 'C'")
			source := open(t, s.ConnStringFor("postgres", "enc_"+encoding))
			for range 2 {
				if p := mustHave(t, read(t, source), v.PID); p.Query.Or("") != model.Text("VACUUM "+table) {
					t.Errorf("%s: %v", encoding, p.Query)
				}
			}
		}
	})
}

func TestOnlyFiftyWaitersAreAskedForTheirBlockersVacuumsFirst(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "crowded", Rows: 100})
	s.LockHold(t, "crowded", "share")
	for range maxBlocked + 5 {
		s.Statement(t, "delete from crowded")
	}
	source := open(t, s.ConnString())
	const blocker = 1
	pgtest.Eventually(t, "all wait", func() bool { return len(read(t, source).Processes) == maxBlocked+5+blocker })
	v := s.Vacuum(t, "crowded", "").Waiting(t, "Lock")
	poll, asked := read(t, source), 0
	for _, p := range poll.Processes {
		if p.BlockedBy != nil {
			asked++
		}
	}
	if vacuum := mustHave(t, poll, v.PID); asked != maxBlocked || vacuum.BlockedBy == nil {
		t.Errorf("%d were asked, the vacuum's blockers are %v", asked, vacuum.BlockedBy)
	}
}
