package poll

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// The ages are those that the catalog gives to anyone who asks. Nothing else uses
// up ids on these servers while the test runs.
func TestDatabasesAndTheirAges(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		conn := s.Conn(t)
		for range 20 {
			if _, err := conn.Exec(t.Context(), "select pg_current_xact_id()"); err != nil {
				t.Fatal(err)
			}
		}
		poll := read(t, open(t, s.ConnString()))
		rows, err := conn.Query(t.Context(), `select oid, datname, age(datfrozenxid)::int8, mxid_age(datminmxid)::int8, datallowconn from pg_database order by oid`)
		if err != nil {
			t.Fatal(err)
		}
		want, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (d model.Database, err error) {
			return d, row.Scan(&d.DatID, (*string)(&d.Name), &d.XIDAge, &d.MXIDAge, &d.AllowConnections)
		})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.SortedFunc(slices.Values(poll.Databases), func(a, b model.Database) int { return int(a.DatID) - int(b.DatID) })
		if !slices.Equal(got, want) {
			t.Errorf("databases\n%+v\nwant\n%+v", got, want)
		}
		if poll.Databases[0].DatID != poll.Server.DatID {
			t.Errorf("first is %s, not the connected one", poll.Databases[0].Name.Display())
		}
		var xid string
		var mxid int64
		if err := conn.QueryRow(t.Context(), `select pg_snapshot_xmax(pg_current_snapshot())::text, (select next_multixact_id::text::int8 from pg_control_checkpoint())`).Scan(&xid, &mxid); err != nil {
			t.Fatal(err)
		}
		if n := poll.NextXID.Or(0); strconv.FormatUint(n, 10) != xid {
			t.Errorf("next xid %d, want %s", n, xid)
		}
		if poll.NextMXID != model.Some(uint32(mxid)) {
			t.Errorf("next multixact %v, want %d", poll.NextMXID, mxid)
		}
	})
}

// Every setting that an age or a cost is judged by is there in the versions that have it.
func TestSettingsThatSayWhereAnAgeEnds(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		poll := read(t, open(t, s.ConnString()))
		names := map[string]bool{}
		for _, setting := range poll.Settings {
			names[setting.Name] = true
		}
		for name, since := range map[string]int{
			"autovacuum_freeze_max_age": 13, "autovacuum_multixact_freeze_max_age": 13,
			"vacuum_failsafe_age": 14, "vacuum_multixact_failsafe_age": 14,
			"vacuum_cost_page_hit": 13, "vacuum_cost_page_miss": 13, "vacuum_cost_page_dirty": 13,
		} {
			if names[name] != (s.Major >= since) {
				t.Errorf("%s read: %v", name, names[name])
			}
		}
	})
}

// What the page of a vacuum tells of its table is what psql tells.
func TestStatisticsOfATable(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "counted", Rows: 1000})
		conn := s.Conn(t)
		for _, statement := range []string{"delete from counted where id <= 100", "vacuum counted", "delete from counted where id <= 300"} {
			if _, err := conn.Exec(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		var relid uint32
		var want model.Relation
		var last time.Time
		var total *float64
		pgtest.Eventually(t, "statistics that have both", func() bool {
			column := "null::float8"
			if s.Major >= 18 {
				column = "total_vacuum_time"
			}
			err := conn.QueryRow(t.Context(), `select relid, vacuum_count, n_live_tup, n_dead_tup, coalesce(last_vacuum, '-infinity'), `+column+`
				from pg_stat_all_tables where relname = 'counted'`).Scan(&relid, &want.VacuumCount, &want.LiveTuples, &want.DeadTuples, &last, &total)
			return err == nil && want.VacuumCount == 1 && want.DeadTuples == 200
		})
		session := open(t, s.ConnString()).reader.(*session)
		var got []model.Relation
		if err := session.read(t.Context(), &reading{}, []*request{list(session.statements.relation, &got, decodeRelation(session.server.DatID), oidList([]uint32{relid}))}); err != nil {
			t.Fatal(err)
		}
		rel := got[0]
		if rel.VacuumCount != want.VacuumCount || rel.LiveTuples != want.LiveTuples || rel.DeadTuples != want.DeadTuples ||
			!rel.LastVacuum.Or(time.Time{}).Equal(last) || rel.LastAutovacuum.Known() {
			t.Errorf("relation %+v\nwant %+v, last %v", rel, want, last)
		}
		if took, known := rel.TotalVacuumTime.Get(); known != (s.Major >= 18) || known && took != model.Milliseconds(*total) {
			t.Errorf("took %v", rel.TotalVacuumTime)
		}
	})
}
