package act_test

import (
	"context"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// serverChange is one of the whole server.
var serverChange = model.Change{Scope: model.ScopeServer, Name: "autovacuum_vacuum_cost_delay", Value: model.Some("5")}

// What a role lacks for a change of the whole server is told before anything is
// written, also where it has a part of it.
func TestServerIsChangedByWhoMayDoAllOfIt(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Role(t, "act_part", "pg_monitor")
		gate, to := act.NewGate(false, func(model.Event) {}), config(t, s.ConnStringFor("act_part", "postgres"))
		why := func() string {
			settings, err := gate.Settings(context.Background(), to)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range settings {
				if i.Name == serverChange.Name {
					return i.NoAlterSystem
				}
			}
			t.Fatal("the setting is not listed")
			return ""
		}
		refused := func(says, dialog string) {
			t.Helper()
			before, j := everything(t, s), journal(t)
			_, err := gate.Apply(context.Background(), to, j, serverChange)
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("it is told as %v, not %q", err, says)
			}
			if got := why(); !strings.Contains(got, dialog) || got == "" {
				t.Errorf("before it, %q is said, not %q", got, dialog)
			}
			if after := everything(t, s); after != before || len(j.Stands()) != 0 {
				t.Errorf("there stands\n%s\nnot\n%s\nand the journal holds %v", after, before, j.Stands())
			}
		}
		refused("pg_reload_conf()", "ALTER SYSTEM")
		s.Exec(t, "grant execute on function pg_reload_conf() to act_part")
		refused("42501", "ALTER SYSTEM")
		if s.Major < 15 {
			return
		}
		s.Exec(t, "revoke execute on function pg_reload_conf() from act_part", "grant alter system on parameter autovacuum_vacuum_cost_delay to act_part")
		refused("pg_reload_conf()", "pg_reload_conf()")

		s.Exec(t, "grant execute on function pg_reload_conf() to act_part")
		if got := why(); got != "" {
			t.Errorf("with both rights, %q is said", got)
		}
		before, j := everything(t, s), journal(t)
		if _, err := gate.Apply(context.Background(), to, j, serverChange); err != nil {
			t.Fatal(err)
		}
		// The role cannot read the file, and finds 5ms in force for the 5 that was set.
		if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err != nil {
			t.Error(err)
		}
		if after := everything(t, s); after != before || len(j.Stands()) != 0 {
			t.Errorf("put back, there stands\n%s\nnot\n%s\nand the journal holds %v", after, before, j.Stands())
		}
	})
}

// Somebody who may do nothing is told so by the server, and nothing is half-done.
func TestPlainRoleChangesNothingOfOthers(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_others", Rows: 10})
		s.Role(t, "act_plain_role")
		v := s.HeldVacuum(t, "act_others_vacuum")
		gate, to := act.NewGate(false, func(model.Event) {}), config(t, s.ConnStringFor("act_plain_role", "postgres"))
		before := everything(t, s)
		for _, c := range scopes("act_others") {
			if c.Scope == model.ScopeServer {
				continue
			}
			j := journal(t)
			if _, err := gate.Apply(context.Background(), to, j, c); err == nil || !strings.Contains(err.Error(), "42501") || len(j.Stands()) != 0 {
				t.Errorf("scope %s: %v, and the journal holds %v", c.Scope, err, j.Stands())
			}
		}
		if err := gate.Cancel(context.Background(), to, keyOf(t, s, v.PID), false); err == nil {
			t.Error("it cancels somebody else's VACUUM")
		}
		if after := everything(t, s); after != before {
			t.Errorf("there stands\n%s\nnot\n%s", after, before)
		}
		own := model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_limit", Value: model.Some("7"), Role: "act_plain_role"}
		j := journal(t)
		if done, err := gate.Apply(context.Background(), to, j, own); err != nil || done.InForce.Or(model.Setting{}).Setting != "7" {
			t.Errorf("its own setting: %+v, %v", done, err)
		}
	})
}

// A role with two connections watches with one and changes things with the other;
// what takes a third is refused as a whole.
func TestTwoConnectionsAreEnoughForOneThingAtATime(t *testing.T) {
	for _, major := range []int{13, 19} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "act_two", Rows: 100})
		s.Role(t, "act_limited")
		s.Exec(t, "alter role act_limited connection limit 2", "alter table act_two owner to act_limited")
		target := s.ConnStringFor("act_limited", "postgres")
		s.ConnTo(t, target) // who watches
		gate, to, j := act.NewGate(false, func(model.Event) {}), config(t, target), journal(t)
		c := model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_limit", Value: model.Some("300"), Role: "act_limited"}
		if done, err := gate.Apply(context.Background(), to, j, c); err != nil || done.InForce.Or(model.Setting{}).Setting != "300" {
			t.Errorf("pg%d: a change is read back as %+v, %v", major, done, err)
		}
		if tables, err := gate.Tables(context.Background(), to, "act_two"); err != nil || len(tables) != 1 {
			t.Errorf("pg%d: tables: %v, %v", major, tables, err)
		}
		p, err := gate.Prepare(context.Background(), to, model.VacuumPlan{Table: "act_two"})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		tooMany := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "too many connections") || !strings.Contains(err.Error(), "53300") {
				t.Errorf("pg%d: %s: %v", major, what, err)
			}
		}
		_, err = gate.Tables(context.Background(), to, "")
		tooMany("the list of tables", err)
		tooMany("a cancel", gate.Cancel(context.Background(), to, model.RunKey{PID: 1}, false))
		c.Value = model.Some("400")
		_, err = gate.Apply(context.Background(), to, j, c)
		tooMany("a change", err)
		if stands := j.Stands(); len(stands) != 1 || stands[0].Change.Value != model.Some("300") {
			t.Errorf("pg%d: the journal holds %v", major, stands)
		}
		if result := p.Run(); result.How != model.EndCompleted {
			t.Errorf("pg%d: the VACUUM ended as %+v", major, result)
		}
		s.Exec(t, "alter table act_two owner to postgres")
	}
}
