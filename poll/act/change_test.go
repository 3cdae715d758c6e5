package act_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/poll/server"
)

func journal(t *testing.T) *act.Journal {
	t.Helper()
	j, err := act.OpenJournal(t.TempDir(), "7")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

// scopes are one change of each scope.
func scopes(name string) []model.Change {
	value := model.Some("7")
	return []model.Change{
		{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_delay", Value: value, Table: model.RelationName{Schema: "public", Name: model.Text(name)}},
		{Scope: model.ScopeToast, Name: "autovacuum_vacuum_cost_delay", Value: value, Table: model.RelationName{Schema: "public", Name: model.Text(name)}},
		{Scope: model.ScopeRole, Name: "vacuum_cost_delay", Value: value, Role: "postgres"},
		{Scope: model.ScopeDatabase, Name: "vacuum_cost_delay", Value: value, Database: "postgres"},
		{Scope: model.ScopeServer, Name: "vacuum_cost_delay", Value: value},
	}
}

// everything is what the catalog and the configuration say of settings.
func everything(t *testing.T, s *pgtest.Server) string {
	t.Helper()
	var out string
	err := s.Conn(t).QueryRow(context.Background(), `
select concat_ws(E'\n',
  (select string_agg(f.name || '=' || f.setting, ',' order by f.seqno) from pg_file_settings f where f.sourcefile like '%auto.conf'),
  (select string_agg(r::text, ',' order by r::text) from pg_db_role_setting r),
  (select string_agg(c.relname || c.reloptions::text, ',' order by c.oid) from pg_class c where c.reloptions is not null and c.oid >= 16384),
  current_setting('vacuum_cost_delay'))`).Scan(&out)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEveryScopeIsSetReadBackAndPutBack(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_scopes", Rows: 10})
		for _, c := range scopes("act_scopes") {
			for _, earlier := range []string{"", "3"} {
				t.Run(fmt.Sprintf("%s after %q", c.Scope, earlier), func(t *testing.T) {
					var r recorder
					gate, to, j := act.NewGate(false, r.record), config(t, s.ConnString()), journal(t)
					if earlier != "" {
						first := c
						first.Value = model.Some(earlier)
						if _, err := gate.Apply(context.Background(), to, j, first); err != nil {
							t.Fatal(err)
						}
						j = journal(t) // somebody else's
					}
					before := everything(t, s)
					done, err := gate.Apply(context.Background(), to, j, c)
					if err != nil {
						t.Fatal(err)
					}
					if done.Before.Value.Or("") != earlier || !done.Before.Known {
						t.Errorf("before it stood %+v, not %q", done.Before, earlier)
					}
					wins := "for autovacuum autovacuum_vacuum_cost_delay (2ms) goes before"
					if c.OfTable() || c.Scope == model.ScopeRole {
						wins = ""
					}
					if done.InForce.Or(model.Setting{}).Setting != "7" || done.Wins != wins {
						t.Errorf("in force is %+v, %q", done.InForce, done.Wins)
					}
					if everything(t, s) == before {
						t.Error("nothing has changed")
					}
					if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err != nil {
						t.Fatal(err)
					}
					if after := everything(t, s); after != before || len(j.Stands()) != 0 {
						t.Errorf("put back, there stands\n%s\nnot\n%s\nand the journal holds %v", after, before, j.Stands())
					}
				})
			}
			last := c
			last.Value = model.None[string]()
			if _, err := act.NewGate(false, func(model.Event) {}).Apply(context.Background(), config(t, s.ConnString()), journal(t), last); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestWhatSomebodyElseHasSetSinceIsLeftAlone(t *testing.T) {
	s := pgtest.Shared(t, 18)
	gate, to, j := act.NewGate(false, func(model.Event) {}), config(t, s.ConnString()), journal(t)
	s.AtEnd(t, "alter system reset vacuum_cost_limit", "select pg_reload_conf()")
	c := model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_limit", Value: model.Some("300")}
	if _, err := gate.Apply(context.Background(), to, j, c); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "alter system set vacuum_cost_limit = 400")
	if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err == nil || !strings.Contains(err.Error(), "400") {
		t.Errorf("undo says %v", err)
	}
	if len(j.Stands()) != 0 {
		t.Error("it is offered again")
	}
}

// changed makes a change that must be possible, and returns what was read back.
func changed(t *testing.T, s *pgtest.Server, c model.Change) model.Done {
	t.Helper()
	gate, to, j := act.NewGate(false, func(model.Event) {}), config(t, s.ConnString()), journal(t)
	done, err := gate.Apply(context.Background(), to, j, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, d := range j.Stands() {
			if _, err := gate.Undo(context.Background(), to, j, d); err != nil {
				t.Error(err)
			}
		}
	})
	return done
}

func TestWhatStillWinsIsNamed(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_wins", Rows: 10})
		s.Exec(t, "create table act_wins_toast(what text)", "create table act_wins_partition(id int)",
			"alter table act_wins set (autovacuum_vacuum_cost_limit = 5)", "alter table act_wins_toast set (toast.autovacuum_vacuum_cost_limit = 5)")
		s.AtEnd(t, "drop table act_wins_toast", "drop table act_wins_partition")
		server := func(name, value string) model.Change {
			return model.Change{Scope: model.ScopeServer, Name: name, Value: model.Some(value)}
		}
		of := func(name, value string) model.Change {
			return model.Change{Scope: model.ScopeTable, Name: name, Value: model.Some(value), Table: model.RelationName{Schema: "public", Name: "act_wins"}}
		}
		const tables = "2 tables of this database have options of their own, which go before: public.act_wins, TOAST of public.act_wins_toast"
		for _, c := range []struct {
			change model.Change
			before string // a statement
			after  string // that takes it back
			wins   string
		}{
			{change: server("vacuum_cost_limit", "300"), before: "alter role postgres set vacuum_cost_limit = 50", after: "alter role postgres reset vacuum_cost_limit",
				wins: "ALTER ROLE has set vacuum_cost_limit for this role, which goes before in its sessions; " + tables},
			{change: server("vacuum_cost_limit", "300"), before: "alter database postgres set vacuum_cost_limit = 50", after: "alter database postgres reset vacuum_cost_limit",
				wins: "ALTER DATABASE has set vacuum_cost_limit for this database, which goes before in its sessions; " + tables},
			{change: model.Change{Scope: model.ScopeDatabase, Name: "vacuum_cost_limit", Database: "postgres", Value: model.Some("300")},
				before: "alter role postgres in database postgres set vacuum_cost_limit = 50", after: "alter role postgres in database postgres reset vacuum_cost_limit",
				wins: "ALTER ROLE has set vacuum_cost_limit for this role, which goes before in its sessions; " + tables},
			{change: server("max_worker_processes", "20"), wins: "max_worker_processes takes effect when the server is restarted"},
			{change: server("autovacuum_vacuum_cost_limit", "300"), wins: tables},
			{change: server("maintenance_work_mem", "70MB"), before: "alter system set autovacuum_work_mem = '80MB'", after: "alter system reset autovacuum_work_mem",
				wins: "for autovacuum autovacuum_work_mem (81920kB) goes before"},
			{change: of("autovacuum_enabled", "on"), wins: "autovacuum of the server is off, which goes before"},
			{change: of("autovacuum_freeze_max_age", "300000000"), wins: "autovacuum_freeze_max_age of the server is 200000000, which goes before"},
			{change: of("autovacuum_freeze_max_age", "100000000")},
			{change: of("autovacuum_vacuum_cost_delay", "20")},
		} {
			if c.before != "" {
				s.Exec(t, c.before, "select pg_reload_conf()")
			}
			if done := changed(t, s, c.change); done.Wins != c.wins {
				t.Errorf("%s of %s: %q goes before, not %q", c.change.Name, c.change.Place(), done.Wins, c.wins)
			}
			if c.after != "" {
				s.Exec(t, c.after, "select pg_reload_conf()")
			}
		}
	})
}

// What a parameter that was taken from a table leaves is the server's setting.
func TestTableReadBackAfterAReset(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "act_reset", Rows: 10})
	s.Exec(t, "alter table act_reset set (autovacuum_vacuum_cost_limit = 5)")
	done := changed(t, s, model.Change{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_limit", Table: model.RelationName{Schema: "public", Name: "act_reset"}})
	if force := done.InForce.Or(model.Setting{}); force.Setting != "-1" || force.Source != "default" {
		t.Errorf("after a reset the table has %+v", force)
	}
}

func TestRefusedChangesLeaveNothing(t *testing.T) {
	s := pgtest.Start(t, 17, "allow_alter_system=off")
	s.Role(t, "act_nobody")
	s.MakeTable(t, pgtest.Table{Name: "act_refused", Rows: 10})
	s.Exec(t, "create table act_toastless(id int)")
	table := model.RelationName{Schema: "public", Name: "act_refused"}
	release := s.LockHold(t, "act_refused", "share update exclusive")
	defer release()
	for name, c := range map[string]struct {
		role, state string
		change      model.Change
	}{
		"ALTER SYSTEM switched off": {server.Superuser, "0A000", model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_limit", Value: model.Some("300")}},
		"plain role":                {"act_nobody", "42501", model.Change{Scope: model.ScopeDatabase, Name: "vacuum_cost_limit", Value: model.Some("300"), Database: "postgres"}},
		"somebody holds the table":  {server.Superuser, "55P03", model.Change{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("300"), Table: table}},
		"out of range":              {server.Superuser, "22023", model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_delay", Value: model.Some("200"), Role: "postgres"}},
		"no TOAST table":            {server.Superuser, "no such table", model.Change{Scope: model.ScopeToast, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("300"), Table: model.RelationName{Schema: "public", Name: "act_toastless"}}},
		"no table":                  {server.Superuser, "no such table", model.Change{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("300"), Table: model.RelationName{Schema: "public", Name: "act_nowhere"}}},
		"no setting":                {server.Superuser, "42704", model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_delai", Value: model.Some("2"), Role: "postgres"}},
	} {
		t.Run(name, func(t *testing.T) {
			j := journal(t)
			_, err := act.NewGate(false, func(model.Event) {}).Apply(context.Background(), config(t, s.ConnStringFor(c.role, "postgres")), j, c.change)
			if err == nil || !strings.Contains(err.Error(), c.state) {
				t.Errorf("the server's %s is told as %v", c.state, err)
			}
			if len(j.Stands()) != 0 {
				t.Errorf("the journal holds %v", j.Stands())
			}
		})
	}
}

func TestJournalOutlivesItsProcessAndIsNotTouchedByAnother(t *testing.T) {
	folder := t.TempDir()
	s := pgtest.Shared(t, 18)
	j, err := act.OpenJournal(folder, "7")
	if err != nil {
		t.Fatal(err)
	}
	s.AtEnd(t, "alter role postgres reset vacuum_cost_limit")
	c := model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_limit", Value: model.Some("300"), Role: "postgres"}
	if _, err := act.NewGate(false, func(model.Event) {}).Apply(context.Background(), config(t, s.ConnString()), j, c); err != nil {
		t.Fatal(err)
	}
	if others := act.Leftover(folder, "7"); len(others) != 0 {
		t.Errorf("the changes of a living process are offered: %v", others)
	}
	j.Close() // its process ends, and the change stands
	left := act.Leftover(folder, "7")
	if len(left) != 1 || len(left[0].Stands()) != 1 || left[0].Stands()[0].Change != c {
		t.Fatalf("left over is %v", left)
	}
	if other := act.Leftover(folder, "8"); len(other) != 0 {
		t.Errorf("offered on another server: %v", other)
	}
	if _, err := act.NewGate(false, func(model.Event) {}).Undo(context.Background(), config(t, s.ConnString()), left[0], left[0].Stands()[0]); err != nil {
		t.Error(err)
	}
	left[0].Close()
	if again := act.Leftover(folder, "7"); len(again) != 0 {
		t.Errorf("offered again after it was put back: %v", again)
	}
}
