package act_test

import (
	"context"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// What a server's messages mean is told by their SQLSTATE and routine, whatever language
// and encoding their words are in; the words are kept as they came.
func TestTheLanguageOfAServerDecidesNothing(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "foreign_t", Rows: 60_000, Indexes: 3})
		s.Role(t, "foreign_plain")
		prepared := func(role string, plan model.VacuumPlan) (*act.Prepared, *recorder) {
			t.Helper()
			r := &recorder{}
			p, err := act.NewGate(false, r.record).Prepare(context.Background(), config(t, s.Foreign(t, role)), plan)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.Close)
			return p, r
		}
		wants := func(what string, got model.Result, how model.Ending, state string) {
			t.Helper()
			if got.How != how || got.SQLState != state {
				t.Errorf("%s: %+v, want %s with SQLSTATE %s", what, got, how, state)
			}
			if state != "" && !strings.HasPrefix(string(got.Message), "\xe9") {
				t.Errorf("%s: the server's words became %q", what, got.Message)
			}
		}
		plan := model.VacuumPlan{Table: "foreign_t", Verbose: true}
		skip, slow, parallel := plan, plan, plan
		skip.SkipLocked, slow.CostDelay, slow.CostLimit, parallel.Parallel = true, "100ms", "1", model.Some(2)

		p, _ := prepared("foreign_plain", plan)
		wants("a table of somebody else's", p.Run(), model.EndFailed, "01000")

		release := s.LockHold(t, "foreign_t", "share")
		p, _ = prepared("postgres", skip)
		wants("a locked table that is skipped", p.Run(), model.EndFailed, "55P03")
		p, _ = prepared("postgres", plan)
		wants("a locked table that is waited for", p.Run(), model.EndFailed, "55P03")
		release()

		p, _ = prepared("postgres", slow)
		done := make(chan model.Result, 1)
		go func() { done <- p.Run() }()
		waitForProgress(t, s, p.PID)
		if err := p.Cancel(context.Background()); err != nil {
			t.Error(err)
		}
		wants("a vacuum that is cancelled", <-done, model.EndCancelled, "57014")

		s.Exec(t, "alter system set min_parallel_index_scan_size = 0", "select pg_reload_conf()")
		s.AtEnd(t, "alter system reset min_parallel_index_scan_size", "select pg_reload_conf()")
		p, r := prepared("postgres", parallel)
		wants("a parallel vacuum", p.Run(), model.EndCompleted, "")
		if launched := r.of(model.EventLaunched); len(launched) == 0 || launched[0].Launch.Planned != 2 {
			t.Errorf("workers by the server's notice: %+v; 2 were planned", launched)
		}
		for _, n := range r.of(model.EventNotice) {
			if !strings.HasPrefix(string(n.Text), "\xe9") {
				t.Errorf("a notice became %q", n.Text)
			}
		}
	})
}
