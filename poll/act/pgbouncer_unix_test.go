//go:build unix

package act_test

import (
	"context"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// Through PgBouncer in transaction mode statements that belong together would go to
// different server processes: they are refused before the first is sent. What is one
// statement goes.
func TestThroughPgBouncer(t *testing.T) {
	for _, major := range []int{13, 18} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "act_pooled", Rows: 100})
		var r recorder
		gate, to, j := act.NewGate(false, r.record), config(t, s.PgBouncer(t, 2)), journal(t)
		refused := func(what string, err error) {
			t.Helper()
			if err == nil || !strings.Contains(err.Error(), "pooler") || !strings.Contains(err.Error(), "connect to the server itself") {
				t.Errorf("pg%d: %s: %v", major, what, err)
			}
			if sent := r.of(model.EventCommand); len(sent) != 0 || len(j.Stands()) != 0 {
				t.Errorf("pg%d: %s: sent %v, the journal holds %v", major, what, sent, j.Stands())
			}
		}
		_, err := gate.Prepare(context.Background(), to, model.VacuumPlan{Table: "act_pooled", CostLimit: "10"})
		refused("SET and VACUUM", err)
		_, err = gate.Apply(context.Background(), to, j, scopes("act_pooled")[0])
		refused("SET and ALTER TABLE", err)

		if tables, err := gate.Tables(context.Background(), to, "act_pooled"); err != nil || len(tables) != 1 {
			t.Errorf("pg%d: tables: %v, %v", major, tables, err)
		}
		v := s.HeldVacuum(t, "act_pooled_held")
		if err := gate.Cancel(context.Background(), to, keyOf(t, s, v.PID), false); err != nil {
			t.Errorf("pg%d: %v", major, err)
		}
		if err := <-v.Done; err == nil {
			t.Errorf("pg%d: the vacuum was not cancelled", major)
		}
		before := everything(t, s)
		c := model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_limit", Value: model.Some("300")}
		if done, err := gate.Apply(context.Background(), to, j, c); err != nil || done.InForce.Or(model.Setting{}).Setting != "300" {
			t.Errorf("pg%d: the server's change is read back as %+v, %v", major, done, err)
		}
		if _, err := gate.Undo(context.Background(), to, j, j.Stands()[0]); err != nil {
			t.Error(err)
		}
		if after := everything(t, s); after != before {
			t.Errorf("pg%d: there stands\n%s\nnot\n%s", major, after, before)
		}
	}
}
