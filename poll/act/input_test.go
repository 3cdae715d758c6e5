package act_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// runs prepares a plan and runs it.
func runs(t *testing.T, connString string, plan model.VacuumPlan) model.Result {
	t.Helper()
	p, err := act.NewGate(false, func(model.Event) {}).Prepare(context.Background(), config(t, connString), plan)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	return p.Run()
}

func TestLongestNamesAndThoseOfOtherEncodings(t *testing.T) {
	s := pgtest.Shared(t, 18)
	long := strings.Repeat("ä", 31) + "x" // 63 bytes
	s.Exec(t, `create table "`+long+`"(id int)`, "create database act_latin template template0 encoding 'latin1' lc_collate 'C' lc_ctype 'C'")
	s.AtEnd(t, `drop table "`+long+`"`, "drop database act_latin with (force)")
	if result := runs(t, s.ConnString(), model.VacuumPlan{Table: model.Text(long)}); result.How != model.EndCompleted {
		t.Errorf("a name of 63 bytes ended as %+v", result)
	}
	latin := s.ConnStringFor("postgres", "act_latin")
	to := config(t, latin)
	conn := s.ConnTo(t, latin)
	for _, sql := range []string{"set client_encoding to utf8", `create table "café"(id int)`} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := act.NewGate(false, func(model.Event) {}).Tables(context.Background(), to, "caf")
	if err != nil || len(tables) == 0 || tables[0].Name.Name != "café" {
		t.Fatalf("a table of a Latin-1 database is listed as %v, %v", tables, err)
	}
	if result := runs(t, latin, model.VacuumPlan{Schema: model.Some(tables[0].Name.Schema), Table: tables[0].Name.Name}); result.How != model.EndCompleted {
		t.Errorf("a name of a Latin-1 database ended as %+v", result)
	}
}

// Names that would end a statement, were they not quoted, and the longest ones are
// changed and put back as they are.
func TestHostileNamesAreChangedAndPutBack(t *testing.T) {
	const hostile = `a"; drop table x; --`
	long := strings.Repeat("ä", 31) + "x" // 63 bytes
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		for _, name := range []string{hostile, long} {
			quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
			s.Exec(t, "create table "+quoted+"(what text)")
			s.AtEnd(t, "drop table "+quoted)
			s.Role(t, name)
			s.Database(t, name, "")
			before := everything(t, s)
			for _, c := range scopes(name)[:4] { // but the server's
				if !c.OfTable() {
					c.Role, c.Database = model.Text(name), model.Text(name)
				}
				if c.Scope == model.ScopeRole {
					c.Database = ""
				}
				gate, to, j := act.NewGate(false, func(model.Event) {}), config(t, s.ConnString()), journal(t)
				if _, err := gate.Apply(context.Background(), to, j, c); err != nil {
					t.Fatalf("%s: %v", c.Place(), err)
				}
				if everything(t, s) == before {
					t.Errorf("%s: nothing has changed", c.Place())
				}
				if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err != nil {
					t.Errorf("%s: %v", c.Place(), err)
				}
			}
			if after := everything(t, s); after != before {
				t.Errorf("there stands\n%s\nnot\n%s", after, before)
			}
			if result := runs(t, s.ConnString(), model.VacuumPlan{Table: model.Text(name)}); result.How != model.EndCompleted {
				t.Errorf("its VACUUM ended as %+v", result)
			}
		}
	})
}

// A change of a table that was dropped since is not offered for ever.
func TestNothingIsPutBackOfATableThatIsGone(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Exec(t, "create table act_temporary(what text)")
	gate, to, j := act.NewGate(false, func(model.Event) {}), config(t, s.ConnString()), journal(t)
	if _, err := gate.Apply(context.Background(), to, j, scopes("act_temporary")[1]); err != nil {
		t.Fatal(err)
	}
	s.Exec(t, "drop table act_temporary")
	if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err == nil || !strings.Contains(err.Error(), "is gone") || len(j.Stands()) != 0 {
		t.Errorf("%v, and the journal holds %v", err, j.Stands())
	}
}

func TestTableOfAnotherDatabaseAndAStandby(t *testing.T) {
	primary, standby := pgtest.StartWithStandby(t, 18)
	primary.Exec(t, "create database act_elsewhere", "create table act_here(id int)")
	gate := act.NewGate(false, func(model.Event) {})
	for name, c := range map[string]struct{ target, says string }{
		"of another database": {primary.ConnStringFor("postgres", "act_elsewhere"), "no table"},
		"on a standby":        {standby.ConnString(), "standby"},
	} {
		p, err := gate.Prepare(context.Background(), config(t, c.target), model.VacuumPlan{Table: "act_here"})
		if err == nil {
			p.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("a table %s is told as %v", name, err)
		}
	}
	j := journal(t)
	role := model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_limit", Value: model.Some("300"), Role: "postgres"}
	if _, err := gate.Apply(context.Background(), config(t, standby.ConnString()), j, role); err == nil || !strings.Contains(err.Error(), "25006") || len(j.Stands()) != 0 {
		t.Errorf("a role of a standby: %v, and the journal holds %v", err, j.Stands())
	}
}

func TestTableThatGoesBeforeItIsSent(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "act_dropped", Rows: 10})
	p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_dropped"})
	s.Exec(t, "drop table act_dropped")
	if result := p.Run(); result.How != model.EndFailed || result.SQLState != "42P01" || result.Message == "" {
		t.Errorf("a table that was dropped gives %+v", result)
	}
	s.Exec(t, "create table act_dropped(id int)") // for the end of MakeTable
}

func TestTimeoutsOfTheRoleDoNotEndAVacuum(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "act_timeouts", Rows: 20000})
		s.Role(t, "act_hurried")
		s.Exec(t, "alter table act_timeouts owner to act_hurried", "alter role act_hurried set statement_timeout = '20ms'")
		if major >= 17 {
			s.Exec(t, "alter role act_hurried set transaction_timeout = '20ms'")
		}
		plan := model.VacuumPlan{Table: "act_timeouts", CostDelay: "5ms", CostLimit: "20"}
		if result := runs(t, s.ConnStringFor("act_hurried", "postgres"), plan); result.How != model.EndCompleted {
			t.Errorf("pg%d: a VACUUM of a role with timeouts ended as %+v", major, result)
		}
		s.Exec(t, "alter table act_timeouts owner to postgres")
	}
}

// autovacuumed is a table that autovacuum works on for minutes, and its worker's pid.
func autovacuumed(t *testing.T, major int, ddl ...string) (s *pgtest.Server, pid func() int) {
	t.Helper()
	s = pgtest.Start(t, major, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=100ms", "autovacuum_vacuum_cost_limit=1",
		"autovacuum_vacuum_threshold=1000000", "autovacuum_analyze_threshold=1000000", "autovacuum_vacuum_insert_threshold=-1")
	s.Exec(t, append(ddl, "insert into act_auto select g, repeat('x', 200) from generate_series(1, 20000) g")...)
	conn := s.Conn(t)
	if _, err := conn.Exec(t.Context(), "update act_auto set id = id + 1"); err != nil {
		t.Fatal(err)
	}
	conn.Close(t.Context()) // before 15 the last counts of a session come with its end
	conn = s.Conn(t)
	pid = func() int {
		n := 0
		err := conn.QueryRow(context.Background(), "select coalesce(max(p.pid), 0) from pg_stat_progress_vacuum p join pg_stat_activity a using (pid) where a.backend_type = 'autovacuum worker' and p.relid in ('act_auto'::regclass, to_regclass('act_part'))").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	pgtest.Eventually(t, fmt.Sprintf("autovacuum of pg%d works on the table", major), func() bool { return pid() != 0 })
	return s, pid
}

const eager = " with (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0)"

// A VACUUM, and an option of the table, meet an autovacuum: it goes on.
func TestAutovacuumIsNotCancelledBySurprise(t *testing.T) {
	for _, major := range []int{13, 16, 19} {
		for name, ddl := range map[string][]string{
			"table":     {"create table act_auto(id int, what text)" + eager},
			"partition": {"create table act_auto(id int, what text) partition by range (id)", "create table act_part partition of act_auto default" + eager},
		} {
			s, pid := autovacuumed(t, major, ddl...)
			before := pid()
			p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_auto"})
			if holders, err := p.Holders(context.Background()); err != nil || len(holders) == 0 || !holders[0].Autovacuum || int(holders[0].PID) != before {
				t.Errorf("pg%d, %s: it is held by %v, %v; an autovacuum does", major, name, holders, err)
			}
			if result := p.Run(); result.SQLState != "55P03" {
				t.Errorf("pg%d, %s: the VACUUM ended as %+v; it gives up before the autovacuum is cancelled", major, name, result)
			}
			table := model.RelationName{Schema: "public", Name: "act_auto"}
			if name == "partition" {
				table.Name = "act_part"
			}
			c := model.Change{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("300"), Table: table}
			if _, err := act.NewGate(false, func(model.Event) {}).Apply(context.Background(), config(t, s.ConnString()), journal(t), c); err == nil || !strings.Contains(err.Error(), "55P03") {
				t.Errorf("pg%d, %s: the option is told as %v", major, name, err)
			}
			if after := pid(); after != before {
				t.Errorf("pg%d, %s: the autovacuum of pid %d is gone; now %d", major, name, before, after)
			}
			_ = s.Stop()
		}
	}
}
