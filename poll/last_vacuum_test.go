package poll

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// What is read is what pg_stat_all_tables says, for whoever asks, the last one first.
func TestLastVacuumsAreThoseOfTheStatistics(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		for _, name := range []string{"history_a", "history_b", "history_never"} {
			s.MakeTable(t, pgtest.Table{Name: name, Rows: 10})
		}
		for _, statement := range []string{"vacuum history_a", "vacuum history_b", "vacuum history_a"} {
			s.Exec(t, statement)
		}
		conn := s.Conn(t)
		s.Exec(t, "create role watcher login")
		source := open(t, s.ConnStringFor("watcher", "postgres"))
		var a model.LastVacuum
		pgtest.Eventually(t, "the statistics count three vacuums", func() bool {
			source.reader.(*session).history = lastVacuumDue{}
			tables := map[model.Text]model.LastVacuum{}
			for _, v := range read(t, source).LastVacuums {
				tables[v.Name] = v
			}
			if _, ok := tables["history_never"]; ok {
				t.Error("a table that was never vacuumed is listed")
			}
			a = tables["history_a"]
			return a.Manual.Count == 2 && tables["history_b"].Manual.Count == 1
		})
		columns := "last_vacuum, vacuum_count, autovacuum_count, null::float8"
		if s.Major >= 18 {
			columns = "last_vacuum, vacuum_count, autovacuum_count, total_vacuum_time"
		}
		var last time.Time
		var manual, auto int64
		var total *float64
		row := conn.QueryRow(t.Context(), "select "+columns+" from pg_stat_all_tables where relname = 'history_a'", pgx.QueryExecModeSimpleProtocol)
		if err := row.Scan(&last, &manual, &auto, &total); err != nil {
			t.Fatal(err)
		}
		if !a.Manual.Last.Or(time.Time{}).Equal(last) || a.Manual.Count != manual || a.Auto.Count != auto || a.Auto.Last.Known() || a.Schema != "public" {
			t.Errorf("read %+v, want last %v, counts %d and %d", a, last, manual, auto)
		}
		if a.Manual.Total.Known() != (s.Major >= 18) || total != nil && a.Manual.Total.Or(0) != model.Milliseconds(*total) {
			t.Errorf("total time %v, want %v", a.Manual.Total, total)
		}
	})
}

// They are read when nothing runs, and not at every beat.
func TestLastVacuumsAreReadSeldomAndOnlyWhenNothingRuns(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "history_seldom", Rows: 10})
	s.Exec(t, "vacuum history_seldom")
	source := open(t, s.ConnString())
	if read(t, source).LastVacuums == nil {
		t.Error("not read at once while nothing runs")
	}
	if read(t, source).LastVacuums != nil {
		t.Error("read again at once")
	}
	v := s.HeldVacuum(t, "history_held")
	other := open(t, s.ConnString())
	poll := read(t, other)
	mustHave(t, poll, v.PID)
	if poll.LastVacuums != nil {
		t.Error("read while a vacuum runs")
	}
}

func TestDearReadingIsRepeatedLessOften(t *testing.T) {
	minutesAgo := func(n int) time.Time { return time.Now().Add(-time.Duration(n)*time.Minute - time.Second) }
	for _, c := range []struct {
		after int // minutes
		cost  time.Duration
		due   bool
	}{
		{0, time.Millisecond, false}, {1, time.Millisecond, true},
		{1, 300 * time.Millisecond, false}, {10, 300 * time.Millisecond, true},
	} {
		d := lastVacuumDue{true, costly{minutesAgo(c.after), &request{cost: c.cost}}}
		if d.now() != c.due {
			t.Errorf("%d minutes after one that cost %v: due %v", c.after, c.cost, d.now())
		}
	}
}
