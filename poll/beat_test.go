package poll

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// known lists the typed columns of a progress row that are present, by name.
func known(p *model.Progress) map[string]any {
	out := map[string]any{}
	v := reflect.ValueOf(*p)
	for i := range v.NumField() {
		opt := v.Field(i)
		if opt.Kind() != reflect.Struct || !opt.MethodByName("Known").Call(nil)[0].Bool() {
			continue
		}
		out[v.Type().Field(i).Name] = opt.MethodByName("Get").Call(nil)[0].Interface()
	}
	return out
}

// fieldOf is the name of the typed field for a column: heap_blks_total -> HeapBlksTotal.
func fieldOf(column string) string {
	name := ""
	for word := range strings.SplitSeq(column, "_") {
		name += strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.NewReplacer("Ids", "IDs").Replace(name)
}

// stopped makes a vacuum that has slept, and then stands still in the middle of
// its table because a cursor holds a page.
func stopped(t *testing.T, s *pgtest.Server) *pgtest.Vacuum {
	t.Helper()
	s.MakeTable(t, pgtest.Table{Name: "still"})
	holder := s.Conn(t)
	for _, statement := range []string{"begin", "declare c cursor for select * from still", "move 20000 in c", "fetch 1 from c"} {
		if _, err := holder.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	settings := []string{"vacuum_cost_delay=1ms", "vacuum_cost_limit=100"}
	if s.Major >= 18 {
		settings = append(settings, "track_cost_delay_timing=on")
	}
	return s.Vacuum(t, "still", "(freeze)", settings...).Phase(t, "scanning heap").Waiting(t, "BufferPin", "Buffer")
}

func TestProgressIsWhatTheCatalogSays(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := stopped(t, s)
		p := mustHave(t, read(t, open(t, s.ConnString())), v.PID)
		rows, err := s.Conn(t).Query(t.Context(), "select * from pg_stat_progress_vacuum where pid = $1", v.PID)
		if err != nil {
			t.Fatal(err)
		}
		catalog, err := pgx.CollectExactlyOneRow(rows, pgx.RowToMap)
		if err != nil {
			t.Fatal(err)
		}
		if p.Progress == nil || p.Progress.View != model.ViewVacuum || p.Progress.RelID != catalog["relid"] || p.DatID.Or(0) != catalog["datid"] {
			t.Fatalf("%+v, catalog %v", p, catalog)
		}
		ours := known(p.Progress)
		for column, want := range catalog {
			if slices.Contains([]string{"pid", "datid", "datname", "relid"}, column) {
				continue
			}
			got, there := ours[fieldOf(column)]
			if delete(ours, fieldOf(column)); !there || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s is %v, in the catalog %v", column, got, want)
			}
		}
		if len(ours) > 0 || p.Progress.Other != nil {
			t.Errorf("not in the catalog: %v; not known: %v", ours, p.Progress.Other)
		}
		if delay, timed := p.Progress.DelayTime.Get(); timed != (s.Major >= 18) || timed && delay == 0 {
			t.Errorf("delay_time is %v, %v", delay, timed)
		}
	})
}

func TestWhatRolesSee(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		v := s.HeldVacuum(t, "held")
		s.Role(t, "monitor", "pg_monitor")
		s.Role(t, "plain")
		for _, c := range []struct {
			role string
			all  bool
		}{{"postgres", true}, {"monitor", true}, {"plain", false}} {
			t.Run(c.role, func(t *testing.T) {
				source := open(t, s.ConnStringFor(c.role, "postgres"))
				poll := read(t, source)
				if string(poll.Server.Role) != c.role || poll.Server.SeesAll != c.all || poll.Server.Database != "postgres" {
					t.Errorf("server %+v", poll.Server)
				}
				p := mustHave(t, poll, v.PID)
				if p.Masked == c.all || p.Progress == nil || p.Progress.Phase.Known() != c.all || p.State.Known() != c.all || p.Query.Known() != c.all {
					t.Errorf("%+v, progress %+v", p, p.Progress)
				}
				if p.Database.Or("") != "postgres" || p.Role.Or("") != "postgres" {
					t.Errorf("database %v, role %v", p.Database, p.Role)
				}
				if hasTable := slices.ContainsFunc(poll.Relations, func(r model.Relation) bool { return r.Name == "held" }); hasTable != c.all {
					t.Errorf("relations %+v", poll.Relations)
				}
				r, err := source.reader.tick(t.Context())
				if err != nil || r.problem.Known() || r.clock.server.IsZero() || (len(r.rows) == 1) != c.all {
					t.Errorf("tick %+v, error %v", r, err)
				}
			})
		}
	})
}

func TestAVacuumThatWaitsForItsLock(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
		s.LockHold(t, "locked", "share")
		v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
		poll := read(t, open(t, s.ConnString()))
		p := mustHave(t, poll, v.PID)
		if p.Progress != nil || p.Query.Or("") != "VACUUM locked" || p.Wait.Or(model.Wait{}).Type != "Lock" || len(p.BlockedBy) != 1 || !p.StatementStart.Known() {
			t.Errorf("%+v", p)
		}
		if len(poll.Locks) != 1 || len(poll.Relations) != 1 {
			t.Fatalf("locks %+v, relations %+v", poll.Locks, poll.Relations)
		}
		l, r := poll.Locks[0], poll.Relations[0]
		if l.PID != v.PID || l.Mode != "ShareUpdateExclusiveLock" || l.LockType != "relation" || l.RelID != r.RelID || l.DatID != poll.Server.DatID || l.WaitStart.Known() != (s.Major >= 14) {
			t.Errorf("lock %+v", l)
		}
		if r.Name != "locked" || r.Schema != "public" || r.Kind != "r" || len(r.Indexes) != 1 || r.Indexes[0].AccessMethod != "btree" {
			t.Errorf("relation %+v", r)
		}
	})
}

func TestWithoutWaitersNoLocksAreRead(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		poll := read(t, open(t, s.ConnString()))
		if poll.Locks != nil || poll.Processes == nil || len(poll.Processes) != 0 || poll.Relations != nil {
			t.Errorf("locks %v, processes %v, relations %v", poll.Locks, poll.Processes, poll.Relations)
		}
	})
}

func TestSettingsAreReadAtOnceAndAfterAReload(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		source := open(t, s.ConnString())
		first := read(t, source)
		if v := setting(first, "vacuum_cost_limit"); v.Setting != "200" || v.Unit.Known() || v.Source != "default" {
			t.Errorf("vacuum_cost_limit is %+v", v)
		}
		if v := setting(first, "maintenance_work_mem"); v.Unit.Or("") != "kB" {
			t.Errorf("maintenance_work_mem is %+v", v)
		}
		if read(t, source).Settings != nil {
			t.Error("settings are read again at once")
		}
		s.Exec(t, "alter system set vacuum_cost_limit = 300", "select pg_reload_conf()")
		defer s.Exec(t, "alter system reset vacuum_cost_limit", "select pg_reload_conf()")
		pgtest.Eventually(t, "the new setting", func() bool { return setting(read(t, source), "vacuum_cost_limit").Setting == "300" })
	})
}

func setting(poll *model.Poll, name string) model.Setting {
	for _, s := range poll.Settings {
		if s.Name == name {
			return s
		}
	}
	return model.Setting{}
}

func TestAnalyzeHasItsRow(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "sampled"})
		pid, _ := s.Statement(t, "set vacuum_cost_delay = 100; set vacuum_cost_limit = 1; analyze sampled")
		source := open(t, s.ConnString())
		var p model.Process
		pgtest.Eventually(t, "a row of the analyze view", func() bool {
			p, _ = process(read(t, source), pid)
			return p.Progress != nil && p.Progress.Phase.Or("") == "acquiring sample rows"
		})
		if p.Progress.View != model.ViewAnalyze || string(p.Progress.Other["sample_blks_total"]) == "" || p.Progress.DelayTime.Known() != (s.Major >= 18) {
			t.Errorf("%+v", p.Progress)
		}
	})
}

// A rewrite is one row, though 19 shows it in two views. It is held while it
// builds an index on a function that waits for an advisory lock.
func TestVacuumFullIsOneRow(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.AtEnd(t, "drop table rewritten", "drop function waits")
		s.Exec(t,
			"create table rewritten (id int) with (autovacuum_enabled = off)",
			"insert into rewritten values (1)",
			"create function waits(int) returns int language sql immutable as 'select $1 from pg_catalog.pg_advisory_xact_lock_shared(7)'",
			"create index on rewritten (waits(id))")
		holder := s.Conn(t)
		if _, err := holder.Exec(t.Context(), "select pg_advisory_lock(7)"); err != nil {
			t.Fatal(err)
		}
		v := s.Vacuum(t, "rewritten", "(full)").Waiting(t, "Lock")
		poll := read(t, open(t, s.ConnString()))
		want := model.ViewCluster
		if s.Major >= 19 {
			want = model.ViewRepack
		}
		mustHave(t, poll, int32(holder.PgConn().PID())) // it blocks the rewrite
		if n := len(poll.Processes); n != 2 {
			t.Errorf("%d rows", n)
		}
		p := mustHave(t, poll, v.PID)
		if p.Progress == nil || p.Progress.View != want || p.Progress.Command.Or("") != "VACUUM FULL" || p.Progress.Phase.Or("") != "rebuilding index" {
			t.Errorf("%+v", p.Progress)
		}
	})
}
