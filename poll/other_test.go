package poll

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// fakeOthers answers lookups as told and keeps what was asked.
type fakeOthers struct {
	otherDatabases
	asked [][]uint32
	err   error
}

func newFakeOthers() *fakeOthers {
	f := &fakeOthers{}
	f.lookup = func(_ context.Context, _ string, datid uint32, oids []uint32) ([]model.Relation, time.Duration, error) {
		f.asked = append(f.asked, oids)
		var out []model.Relation
		for _, oid := range oids {
			out = append(out, model.Relation{DatID: datid, RelID: oid})
		}
		return out, time.Millisecond, f.err
	}
	return f
}

// beat lets the databases see a poll with vacuums of these relations in database 9,
// and brings what came of it.
func (f *fakeOthers) beat(t *testing.T, now time.Time, query model.Text, oids ...uint32) *model.Poll {
	t.Helper()
	p := &model.Poll{Processes: []model.Process{{PID: 1, DatID: model.Some[uint32](9), Database: model.Some[model.Text]("other")}}}
	p.Server.DatID = 5
	for i, oid := range oids {
		p.Processes = append(p.Processes, model.Process{
			PID: int32(10 + i), DatID: model.Some[uint32](9), Database: model.Some[model.Text]("other"),
			Query: model.Some(query), Progress: &model.Progress{View: model.ViewVacuum, RelID: oid},
		})
	}
	f.see(p, now)
	f.await(t.Context(), time.Minute, p)
	f.take(p, now)
	return p
}

// One database is connected to at most once a minute, and only for what has no name.
func TestADatabaseIsAskedSeldom(t *testing.T) {
	f, start := newFakeOthers(), time.Now()
	after := func(d time.Duration) time.Time { return start.Add(d) }
	f.beat(t, start, "autovacuum: VACUUM public.t", 16400)
	f.beat(t, start, "vacuum pg_class", 1259) // each database has it under this number
	if len(f.asked) > 0 {
		t.Fatalf("names were known, and asked for: %v", f.asked)
	}
	if p := f.beat(t, start, "vacuum t", 16400); len(p.Relations) != 1 {
		t.Fatalf("nothing was brought: %+v", p)
	}
	for _, s := range []time.Duration{1, 2, 30, 59} {
		f.beat(t, after(s*time.Second), "vacuum", 16400, 16401)
	}
	if len(f.asked) != 1 {
		t.Fatalf("asked within the minute: %v", f.asked)
	}
	f.beat(t, after(61*time.Second), "vacuum", 16400, 16401)
	f.beat(t, after(200*time.Second), "vacuum", 16400, 16401)
	if len(f.asked) != 2 || !slices.Equal(f.asked[1], []uint32{16401}) {
		t.Fatalf("after the minute: %v", f.asked)
	}
	f.beat(t, after(320*time.Second), "vacuum", 16400, 16401)
	if len(f.asked) != 3 || !slices.Equal(f.asked[2], []uint32{16400}) {
		t.Fatalf("what is in sight for long is read again: %v", f.asked)
	}
}

// A relation whose vacuum ended is read once more: its count tells how.
func TestTheCountIsReadAfterTheEnd(t *testing.T) {
	f, start := newFakeOthers(), time.Now()
	f.beat(t, start, "vacuum t", 16400)
	for _, s := range []time.Duration{10, 59, 61, 62, 130} {
		f.beat(t, start.Add(s*time.Second), "")
	}
	if len(f.asked) != 2 || !slices.Equal(f.asked[1], []uint32{16400}) {
		t.Errorf("asked %v", f.asked)
	}
}

// A database that refuses is asked once and said to be unreadable while it is in
// sight; one that could not be reached is asked again, ever more seldom.
func TestADatabaseThatRefusesIsAskedOnce(t *testing.T) {
	for code, refuses := range map[string]bool{"55000": true, "42501": true, "28000": true, "28P01": true, "3D000": true, "53300": false, "57P03": false, "": false} {
		f, now := newFakeOthers(), time.Now()
		f.err = errors.New("no route")
		if code != "" {
			f.err = connectError(&Config{pg: &pgconn.Config{Host: "h"}}, &pgconn.PgError{Code: code})
		}
		var p *model.Poll
		for range 60 {
			p = f.beat(t, now, "vacuum t", 16400)
			now = now.Add(time.Minute)
		}
		if said := len(p.Unreadable) == 1 && p.Unreadable[0].Reason != ""; said != refuses {
			t.Errorf("%q: unreadable %+v", code, p.Unreadable)
		}
		if n := len(f.asked); refuses != (n == 1) || n > 7 {
			t.Errorf("%q: asked %d times in an hour", code, n)
		}
	}
}

// A lookup that is under way delays no beat, and ends with the source.
func TestALookupIsNotWaitedFor(t *testing.T) {
	f, begun := newFakeOthers(), make(chan struct{})
	ended := false
	f.lookup = func(ctx context.Context, _ string, _ uint32, _ []uint32) ([]model.Relation, time.Duration, error) {
		close(begun)
		<-ctx.Done()
		ended = true
		return nil, 0, ctx.Err()
	}
	p := &model.Poll{Processes: []model.Process{{DatID: model.Some[uint32](9), Database: model.Some[model.Text]("other"), Progress: &model.Progress{RelID: 16400}}}}
	f.see(p, time.Now())
	<-begun
	f.take(p, time.Now())
	f.see(p, time.Now())
	f.close()
	if !ended || p.Relations != nil {
		t.Errorf("ended %v, relations %v", ended, p.Relations)
	}
}

// A table of another database has its own name, never that of a local relation with
// the same number, whatever the encoding there; a database that refuses costs no
// problem.
func TestNamesInOtherDatabases(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		for name, options := range map[string]string{"other": "", "lat1": "encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'", "rdsadmin": ""} {
			s.Database(t, name, options)
			vacuumElsewhere(t, s, name)
		}
		s.Exec(t, "revoke connect on database rdsadmin from public")
		s.Role(t, "boss", "pg_monitor")
		source := open(t, s.ConnStringFor("boss", "postgres"))
		want := map[string]string{
			"other":    `public."café" in other`,
			"lat1":     `public."café" in lat1`,
			"rdsadmin": fmt.Sprintf("relation %d in rdsadmin: this role may not connect to it", numberElsewhere(t, s, "rdsadmin")),
		}
		var tracker model.Tracker
		got := map[string]string{}
		for range 2 * len(want) { // one database a beat
			sample := source.Beat(t.Context())
			if len(sample.Problems) > 0 {
				t.Fatalf("problems: %+v", sample.Problems)
			}
			snapshot := tracker.Step(sample)
			for _, r := range snapshot.Active {
				name := snapshot.NameOf(r)
				if r.NameMissing != "" {
					name += ": " + r.NameMissing
				}
				got[string(r.Database)] = name
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("names are %q, want %q", got, want)
		}
	})
}

// vacuumElsewhere runs a slow vacuum of a table that is called café in another database.
func vacuumElsewhere(t *testing.T, s *pgtest.Server, database string) {
	t.Helper()
	conn := s.ConnAs(t, "postgres", database)
	for _, sql := range []string{
		"set client_encoding = 'UTF8'",
		`create table "café" (id int, pad text) with (autovacuum_enabled = off)`,
		`insert into "café" select g, repeat('x', 100) from generate_series(1, 20000) g`,
		"set vacuum_cost_delay = '100ms'", "set vacuum_cost_limit = 1",
	} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = conn.Exec(ctx, `vacuum "café"`) // cancelled at the end of the test
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	seen := s.Conn(t)
	pgtest.Eventually(t, "the vacuum in "+database, func() bool {
		var n int
		err := seen.QueryRow(t.Context(), "select count(*) from pg_stat_progress_vacuum where datname = $1 and phase = 'scanning heap'", database).Scan(&n)
		return err == nil && n == 1
	})
}

func numberElsewhere(t *testing.T, s *pgtest.Server, database string) (relid uint32) {
	t.Helper()
	if err := s.Conn(t).QueryRow(t.Context(), "select relid from pg_stat_progress_vacuum where datname = $1", database).Scan(&relid); err != nil {
		t.Fatal(err)
	}
	return relid
}

// A single reading names what it shows of each database, not of the first only.
func TestASingleReadingAsksEachDatabase(t *testing.T) {
	f := newFakeOthers()
	p := &model.Poll{}
	p.Server.DatID = 5
	for _, datid := range []uint32{9, 10, 11} {
		p.Processes = append(p.Processes, model.Process{
			PID: int32(datid), DatID: model.Some(datid), Database: model.Some(model.Text(fmt.Sprint("other", datid))),
			Query: model.Some[model.Text]("vacuum t"), Progress: &model.Progress{View: model.ViewVacuum, RelID: 16400},
		})
	}
	f.see(p, time.Now())
	f.await(t.Context(), time.Minute, p)
	if len(f.asked) != 3 || len(p.Relations) != 3 {
		t.Errorf("asked %d databases, and got %+v", len(f.asked), p.Relations)
	}
}
