package act_test

import (
	"context"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// Operators and functions that stand before the catalog's in the role's search_path
// are code of somebody else's: nothing of what is read around an action runs them. A
// table is still found where the role would find it.
func TestNothingOfTheRolesSearchPathRuns(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Exec(t, "create schema trap", "grant usage on schema trap to public", "create sequence trap.sprung", "grant all on trap.sprung to public")
		s.AtEnd(t, "drop schema trap cascade")
		for name, types := range map[string][2]string{"texts": {"text", "text"}, "oids": {"oid", "oid"}, "names": {"name", "name"}, "ints": {"int", "int"}} {
			s.Exec(t,
				"create function trap."+name+"("+types[0]+", "+types[1]+") returns bool language sql as $$ select pg_catalog.nextval('trap.sprung') is null $$",
				"create operator trap.= (leftarg = "+types[0]+", rightarg = "+types[1]+", function = trap."+name+")")
		}
		s.Exec(t, "create table trap.act_path(i int)")
		s.Role(t, "trapped", "pg_monitor")
		s.Exec(t, "alter role trapped set search_path = trap, pg_catalog", "alter table trap.act_path owner to trapped")
		gate, to := act.NewGate(false, func(model.Event) {}), config(t, s.ConnStringFor("trapped", "postgres"))
		ctx := context.Background()
		if tables, err := gate.Tables(ctx, to, "act_path"); err != nil || len(tables) != 1 {
			t.Errorf("tables: %+v, %v", tables, err)
		}
		if settings, err := gate.Settings(ctx, to); err != nil || len(settings) == 0 {
			t.Errorf("settings: %d, %v", len(settings), err)
		}
		p, err := gate.Prepare(ctx, to, model.VacuumPlan{Table: "act_path"})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if review, err := p.Review(ctx); err != nil || review.Table.Schema != "trap" {
			t.Errorf("review: %+v, %v", review, err)
		}
		if got := p.Run(); got.How != model.EndCompleted {
			t.Errorf("the VACUUM ended as %+v", got)
		}
		change := model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_delay", Role: "trapped", Value: model.Some("3ms")}
		if done, err := gate.Apply(ctx, to, journal(t), change); err != nil || done.InForce.Or(model.Setting{}).Setting != "3" {
			t.Errorf("the change: %+v, %v", done, err)
		}
		var sprung bool
		if err := s.Conn(t).QueryRow(ctx, "select is_called from trap.sprung").Scan(&sprung); err != nil || sprung {
			t.Errorf("operators of the role's search_path were run: %v, %v", sprung, err)
		}
	})
}
