package act_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// recorder keeps the events of a gate.
type recorder struct {
	mu     sync.Mutex
	events []model.Event
}

func (r *recorder) record(e model.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// of returns the events of a kind.
func (r *recorder) of(kind model.EventKind) []model.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.events), func(e model.Event) bool { return e.Kind != kind })
}

func config(t *testing.T, connString string) *poll.Config {
	t.Helper()
	c, err := poll.ParseTarget(poll.Flags{}, connString)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// prepare makes a plan ready that must be possible.
func prepare(t *testing.T, s *pgtest.Server, r *recorder, plan model.VacuumPlan) *act.Prepared {
	t.Helper()
	p, err := act.NewGate(false, r.record).Prepare(context.Background(), config(t, s.ConnString()), plan)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestVacuumTellsItsWorkersAndCompletes(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_parallel", Rows: 50000, Indexes: 3, DeadEvery: 3})
		s.Exec(t, "alter system set min_parallel_index_scan_size = 0", "select pg_reload_conf()")
		s.AtEnd(t, "alter system reset min_parallel_index_scan_size", "select pg_reload_conf()")
		var r recorder
		p := prepare(t, s, &r, model.VacuumPlan{Table: "act_parallel", Verbose: true, Parallel: model.Some(2), CostLimit: "5000"})
		if result := p.Run(); result.How != model.EndCompleted {
			t.Fatalf("it ended as %+v", result)
		}
		launched := r.of(model.EventLaunched)
		if len(launched) == 0 || launched[0].Launch.Planned != 2 {
			t.Errorf("workers by the server's notice: %+v; 2 were planned", launched)
		}
		if started := r.of(model.EventStarted); len(started) != 1 || !slices.Contains(started[0].Settings, model.Setting{Name: "vacuum_cost_limit", Setting: "5000", Source: "session"}) {
			t.Errorf("it was started as %+v; its session has set vacuum_cost_limit = 5000", started)
		}
	})
}

func TestSkippedTableIsAFailure(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_skip", Rows: 100})
		s.Role(t, "act_plain")
		t.Run("permission", func(t *testing.T) {
			plain := config(t, s.ConnStringFor("act_plain", "postgres"))
			p, err := act.NewGate(false, func(model.Event) {}).Prepare(context.Background(), plain, model.VacuumPlan{Table: "act_skip"})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if result := p.Run(); result.How != model.EndFailed || result.SQLState != "01000" || result.Message == "" {
				t.Errorf("a table of somebody else's gives %+v; the warning says that it was skipped", result)
			}
		})
		t.Run("lock", func(t *testing.T) {
			release := s.LockHold(t, "act_skip", "share")
			defer release()
			p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_skip", SkipLocked: true})
			if result := p.Run(); result.How != model.EndFailed || result.SQLState != "55P03" {
				t.Errorf("a locked table gives %+v; the warning says that it was skipped", result)
			}
		})
	})
}

func TestHolderIsNamedAndWaitedForWithinPatience(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_held", Rows: 100})
		release := s.LockHold(t, "act_held", "share")
		defer release()
		p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_held"})
		holders, err := p.Holders(context.Background())
		if err != nil || len(holders) != 1 || holders[0].Autovacuum || holders[0].PID == 0 {
			t.Fatalf("the table is held by %+v, %v; one session does", holders, err)
		}
		if result := p.Run(); result.SQLState != "55P03" {
			t.Errorf("waiting for the lock ended as %+v; it ends before deadlock_timeout", result)
		}
	})
}

func TestCancelIsTheServersAnswer(t *testing.T) {
	for _, major := range []int{13, 18} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "act_cancel", Rows: 200000, DeadEvery: 2})
		p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_cancel", CostDelay: "100ms", CostLimit: "1"})
		done := make(chan model.Result, 1)
		go func() { done <- p.Run() }()
		waitForProgress(t, s, p.PID)
		if err := p.Cancel(context.Background()); err != nil {
			t.Fatal(err)
		}
		if result := <-done; result.How != model.EndCancelled || result.SQLState != "57014" {
			t.Errorf("pg%d: a cancelled VACUUM ended as %+v", major, result)
		}
	}
}

// waitForProgress returns when a VACUUM has begun with its table.
func waitForProgress(t *testing.T, s *pgtest.Server, pid int32) {
	t.Helper()
	conn := s.Conn(t)
	pgtest.Eventually(t, "the VACUUM runs", func() bool {
		n := 0
		_ = conn.QueryRow(context.Background(), "select count(*) from pg_stat_progress_vacuum where pid = $1", pid).Scan(&n)
		return n == 1
	})
}

func TestTerminatedVacuumIsSaid(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "act_gone", Rows: 200000, DeadEvery: 2})
	p := prepare(t, s, &recorder{}, model.VacuumPlan{Table: "act_gone", CostDelay: "100ms", CostLimit: "1"})
	done := make(chan model.Result, 1)
	go func() { done <- p.Run() }()
	conn := s.Conn(t)
	pgtest.Eventually(t, "the VACUUM's session ends", func() bool {
		n := 0
		_ = conn.QueryRow(context.Background(), "select count(pg_terminate_backend(pid)) from pg_stat_progress_vacuum where pid = $1", p.PID).Scan(&n)
		return n == 1
	})
	if result := <-done; result.How != model.EndFailed || result.SQLState != "57P01" {
		t.Errorf("a session that was ended gives %+v", result)
	}
}

func TestWhatCannotBeVacuumedIsSaidBefore(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_t", Rows: 10})
		s.Exec(t, "create view act_view as select 1", "create sequence act_sequence")
		s.AtEnd(t, "drop view act_view", "drop sequence act_sequence")
		for name, c := range map[string]struct {
			plan model.VacuumPlan
			says string
		}{
			"unknown table":      {model.VacuumPlan{Table: "act_unknown"}, "there is no table act_unknown"},
			"unknown schema":     {model.VacuumPlan{Schema: model.Some[model.Text]("act_nowhere"), Table: "act_t"}, "there is no table act_nowhere.act_t"},
			"injected name":      {model.VacuumPlan{Table: `a"; drop table act_t; --`}, `there is no table "a""; drop table act_t; --"`},
			"no name":            {model.VacuumPlan{}, "no table"},
			"a view":             {model.VacuumPlan{Table: "act_view"}, "public.act_view is a view"},
			"a sequence":         {model.VacuumPlan{Table: "act_sequence"}, "is a sequence"},
			"too many workers":   {model.VacuumPlan{Table: "act_t", Parallel: model.Some(2000)}, "PARALLEL is 2000, and can be 0 to 1024"},
			"delay out of range": {model.VacuumPlan{Table: "act_t", CostDelay: "200ms"}, "22023"},
			"limit out of range": {model.VacuumPlan{Table: "act_t", CostLimit: "0"}, "22023"},
			"full in parallel":   {model.VacuumPlan{Table: "act_t", Full: true, Parallel: model.Some(2)}, "does not run in parallel"},
		} {
			var r recorder
			p, err := act.NewGate(false, r.record).Prepare(context.Background(), config(t, s.ConnString()), c.plan)
			if err == nil {
				p.Close()
				t.Errorf("%s: it would be sent: %s", name, p.Statement)
				continue
			}
			if !strings.Contains(err.Error(), c.says) || len(r.events) != 0 {
				t.Errorf("%s: %v, and %v was sent", name, err, r.events)
			}
		}
		newer := model.VacuumPlan{Table: "act_t", BufferUsageLimit: "1MB"}
		p, err := act.NewGate(false, func(model.Event) {}).Prepare(context.Background(), config(t, s.ConnString()), newer)
		if err == nil {
			p.Close()
		}
		if s.Major >= 16 != (err == nil) {
			t.Errorf("an option of 16: %v", err)
		}
	})
}

func TestReadOnlySendsNothing(t *testing.T) {
	s := pgtest.Shared(t, 18)
	var r recorder
	_, err := act.NewGate(true, r.record).Prepare(context.Background(), config(t, s.ConnString()), model.VacuumPlan{Table: "pg_class"})
	if err != act.ErrReadOnly || len(r.events) != 0 {
		t.Errorf("a read-only gate says %v and sent %v", err, r.events)
	}
}

func TestMixedCaseNamesAreQuoted(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Exec(t, `create schema "Mixed Case.Schema"`, `create table "Mixed Case.Schema"."a.b""c'd"(id int)`)
	s.AtEnd(t, `drop schema "Mixed Case.Schema" cascade`)
	plan := model.VacuumPlan{Schema: model.Some[model.Text]("Mixed Case.Schema"), Table: `a.b"c'd`}
	p := prepare(t, s, &recorder{}, plan)
	if result := p.Run(); result.How != model.EndCompleted {
		t.Errorf("%s ended as %+v", p.Statement, result)
	}
}
