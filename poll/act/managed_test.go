package act_test

import (
	"context"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// The owner's role of a managed service is no superuser: it vacuums its tables, sets what
// is its own and cancels others' vacuums; what it may not do is refused with what would.
func TestTheOwnerOfAManagedService(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Role(t, "boss", "pg_monitor", "pg_signal_backend")
	s.Role(t, "other")
	s.MakeTable(t, pgtest.Table{Name: "act_boss", Rows: 1000})
	s.MakeTable(t, pgtest.Table{Name: "act_other"})
	s.Exec(t, "alter role boss createdb createrole", "alter table act_boss owner to boss", "alter table act_other owner to other")
	gate, to, ctx := act.NewGate(false, func(model.Event) {}), config(t, s.ConnStringFor("boss", "postgres")), context.Background()

	p, err := gate.Prepare(ctx, to, model.VacuumPlan{Table: "act_boss"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if result := p.Run(); result.How != model.EndCompleted {
		t.Errorf("the vacuum of its own table ended as %+v", result)
	}
	tables, err := gate.Tables(ctx, to, "act_")
	if err != nil || len(tables) < 2 {
		t.Fatalf("%+v, %v", tables, err)
	}
	for _, choice := range tables {
		if own := choice.Name.Name == "act_boss"; choice.Allowed != own {
			t.Errorf("%s is allowed: %v", choice.Name.Display(), choice.Allowed)
		}
	}
	set := func(c model.Change) error {
		c.Name, c.Value = "vacuum_cost_limit", model.Some("300")
		_, err := gate.Apply(ctx, to, journal(t), c)
		return err
	}
	if err := set(model.Change{Scope: model.ScopeRole, Role: "boss"}); err != nil {
		t.Errorf("its own role: %v", err)
	}
	if err := set(model.Change{Scope: model.ScopeServer}); err == nil || !strings.Contains(err.Error(), "nothing is changed: this role may not") {
		t.Errorf("ALTER SYSTEM: %v", err)
	}

	done := make(chan error, 1)
	s.Exec(t, "alter role other set vacuum_cost_delay = 100", "alter role other set vacuum_cost_limit = 1")
	conn := s.ConnAs(t, "other", "postgres")
	go func() {
		_, err := conn.Exec(ctx, "vacuum act_other")
		done <- err
	}()
	pid := int32(conn.PgConn().PID())
	waitForProgress(t, s, pid)
	if err := gate.Cancel(ctx, to, keyOf(t, s, pid), false); err != nil {
		t.Errorf("another role's vacuum: %v", err)
	}
	if err := <-done; err == nil {
		t.Error("it was not cancelled")
	}
}
