package lab_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5/pgconn"
)

// tinySweep takes a second or two.
var tinySweep = experiment.SweepPlan{
	Sizes: []model.Bytes{1 << 20}, Dirty: 0.1, Indexes: []int{0, 1, 4}, Degrees: []int{0, 2, 4}, Runs: 1, CostDelay: "0",
}

// sweepIn makes the runs of a plan in a place.
func sweepIn(t *testing.T, plan experiment.SweepPlan, place lab.SweepPlace) experiment.Sweep {
	t.Helper()
	s := experiment.Sweep{Plan: plan}
	sweep := lab.Sweep{Plan: plan, Measured: place, Baseline: place, Steps: plan.Steps(), Begin: func(experiment.SweepRun) {}}
	sweep.End = func(run experiment.SweepRun) error {
		s.Runs = append(s.Runs, run)
		return nil
	}
	var err error
	if _, s.Place, err = sweep.Pace(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	if s.Spent, err = sweep.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// Each VACUUM finds dead rows, and launches what the indexes and the degree ask for.
func TestSweepOnAThrowawayServer(t *testing.T) {
	for _, major := range []int{13, 18, 19} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			s := pgtest.Start(t, major, append(lab.SweepSettings(tinySweep), "fsync=off")...) // quicker
			expectSweep(t, sweepIn(t, tinySweep, lab.NewSweepPlace(s.Server)))
		})
	}
}

func expectSweep(t *testing.T, s experiment.Sweep) {
	t.Helper()
	rows := s.Rows()
	if len(rows) != 9 || len(s.Left()) != 0 {
		t.Fatalf("%d rows, and %d runs are left", len(rows), len(s.Left()))
	}
	launched := map[[2]int]int{{4, 2}: 2, {4, 4}: 3}
	for _, r := range rows {
		if want := launched[[2]int{r.Indexes, r.Degree}]; r.Launched != want || r.Planned != want {
			t.Errorf("%d indexes, degree %d: %d launched of %d planned, want %d", r.Indexes, r.Degree, r.Launched, r.Planned, want)
		}
		if !r.Cleaned || r.Time.Median <= 0 || (r.IndexBytes > 0) != (r.Indexes > 0) {
			t.Errorf("%+v", r)
		}
	}
	if s.Spent.Vacuum <= 0 || s.Spent.Restore <= 0 || s.Spent.Other < 0 {
		t.Errorf("the time went into %+v", s.Spent)
	}
	if s.Place.MaxWorkers < 4 || s.Place.Delay != 0 || s.Place.SharedBuffers == 0 {
		t.Errorf("the place is %+v", s.Place)
	}
}

// On a server that was not started for it, a sweep works in its own schema as a role
// that may create one and nothing else, and leaves nothing.
func TestSweepInASchemaOfAnotherServer(t *testing.T) {
	for _, major := range []int{13, 18} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			s := pgtest.Start(t, major)
			s.Exec(t, "create role app login")
			if _, err := server.CreateSchema(t.Context(), dialAs(s, "app")); err == nil || !strings.HasSuffix(err.Error(), `; GRANT CREATE ON DATABASE "postgres" TO "app" lets it`) {
				t.Errorf("what a role needs is not said: %v", err)
			}
			s.Exec(t, "grant create on database postgres to app")
			schema := createSchema(t, s, "app")
			expectSweep(t, sweepIn(t, tinySweep, lab.NewSweepPlaceIn(schema)))
			conn, err := schema.Connect(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			about, err := lab.ReadPrograms(t.Context(), conn, "")
			if err != nil || about.Major != major || about.Configure.Known() || about.Fsync {
				t.Errorf("%+v, %v", about, err)
			}
			if err := errors.Join(conn.Close(t.Context()), schema.Drop(t.Context())); err != nil {
				t.Error(err)
			}
			var left int
			query(t, s.Conn(t), &left, "select count(*) from pg_namespace where nspname like 'vacscope%'")
			if left != 0 {
				t.Errorf("%d schemas are left", left)
			}
		})
	}
}

// What keeps dead rows makes the times meaningless, and is noticed.
func TestSweepNoticesThatDeadRowsAreKept(t *testing.T) {
	s := pgtest.Start(t, 18)
	holder := s.Conn(t)
	if _, err := holder.Exec(t.Context(), "begin isolation level repeatable read"); err != nil {
		t.Fatal(err)
	}
	var n int
	query(t, holder, &n, "select count(*) from pg_class") // takes its snapshot
	plan := tinySweep
	plan.Indexes, plan.Degrees = []int{1}, []int{0}
	for _, r := range sweepIn(t, plan, lab.NewSweepPlaceIn(createSchema(t, s, "postgres"))).Runs {
		if r.Cleaned {
			t.Errorf("%+v, and a snapshot keeps the dead rows", r)
		}
	}
}

// The end of a sweep leaves its schema to be dropped, also while a VACUUM runs.
func TestSweepThatIsInterrupted(t *testing.T) {
	s := pgtest.Start(t, 18)
	schema := createSchema(t, s, "postgres")
	plan := tinySweep
	plan.CostDelay, plan.CostLimit = "100ms", "1"
	place := lab.NewSweepPlaceIn(schema)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		_, err := (&lab.Sweep{Plan: plan, Measured: place, Baseline: place, Steps: plan.Steps(), Begin: func(experiment.SweepRun) {}}).Run(ctx)
		ended <- err
	}()
	look := s.Conn(t)
	pgtest.Eventually(t, "a vacuum", func() bool {
		var n int
		query(t, look, &n, "select count(*) from pg_stat_progress_vacuum")
		return n > 0
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if err := schema.Drop(ctx); err != nil {
		t.Error(err)
	}
}

func createSchema(t *testing.T, s *pgtest.Server, role string) *server.Schema {
	t.Helper()
	schema, err := server.CreateSchema(t.Context(), dialAs(s, role))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func dialAs(s *pgtest.Server, role string) func(context.Context) (*pgconn.Config, error) {
	return func(context.Context) (*pgconn.Config, error) {
		return pgconn.ParseConfig(s.ConnStringFor(role, "postgres"))
	}
}
