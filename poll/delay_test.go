package poll

import (
	"context"
	"math"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// The delay of the phases adds up to the delay time that VACUUM VERBOSE prints at
// the end, on versions that count it (18+): also with several passes whose phases
// are shorter than a second each, and with workers, which report what they slept
// once a second and when they exit.
func TestDelayOfPhasesAddsUpToTheServersFinalOne(t *testing.T) {
	for _, major := range []int{18, 19} {
		t.Run(strconv.Itoa(major), func(t *testing.T) {
			t.Parallel() // vacuums that sleep, for the most part
			s := pgtest.Start(t, major, "max_worker_processes=16")
			t.Run("workers", func(t *testing.T) {
				s.MakeTable(t, pgtest.Table{Name: "wide", Rows: 200_000, Indexes: 5})
				run, final := watchedVacuum(t, s, "vacuum (parallel 4, verbose) wide",
					"set vacuum_cost_limit = 40", "set vacuum_cost_delay = '10ms'",
					"set max_parallel_maintenance_workers = 4", "set min_parallel_index_scan_size = 0")
				compareDelay(t, run, final)
				if run.Parallel.Launched != model.Some(4) {
					t.Errorf("launched %v workers, want 4", run.Parallel.Launched)
				}
			})
			t.Run("short phases", func(t *testing.T) {
				s.MakeTable(t, pgtest.Table{Name: "narrow", Rows: 50_000, Indexes: 20})
				run, final := watchedVacuum(t, s, "vacuum (parallel 0, verbose) narrow",
					"set vacuum_cost_limit = 40", "set vacuum_cost_delay = '10ms'")
				compareDelay(t, run, final)
				for _, span := range run.Phases {
					heap := span.Phase == "scanning heap" || span.Phase == "vacuuming heap"
					if heap && (span.Wall > time.Second || span.Delay.Reported.Or(0) == 0) {
						t.Errorf("%s took %v, asleep %v: not the short phase this test is about", span.Phase, span.Wall, span.Delay.Reported)
					}
				}
			})
		})
	}
}

func compareDelay(t *testing.T, run *model.Run, final time.Duration) {
	t.Helper()
	var sum time.Duration
	for _, span := range run.Phases {
		sum += span.Delay.Reported.Or(0)
		t.Logf("%s %d: %v, reported %v, sampled %v ± %v", span.Phase, span.Pass, span.Wall, span.Delay.Reported, span.Delay.Sampled, span.Delay.SampledError)
	}
	t.Logf("sum %v, server's final delay_time %v", sum, final)
	if off := math.Abs(float64(sum-final)) / float64(final); off > 0.01 {
		t.Errorf("phases add up to %v, the server's final delay_time is %v: %.1f %% off", sum, final, off*100)
	}
}

var finalDelay = regexp.MustCompile(`delay time: ([0-9.]+) ms`)

// watchedVacuum runs a statement while a source watches, and returns the run as
// it was seen and the delay time of its VERBOSE output.
func watchedVacuum(t *testing.T, s *pgtest.Server, statement string, settings ...string) (*model.Run, time.Duration) {
	t.Helper()
	conn, final := noticedDelay(t, s)
	for _, sql := range append(settings, "set track_cost_delay_timing = on", "select 'a query, so that the vacuum is not the first thing seen'") {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	source := openWith(t, s.ConnString(), Options{Interval: time.Second, TickRate: 20, TickRateGiven: true})
	ctx, cancel := context.WithCancel(t.Context())
	watching, ended := make(chan struct{}), make(chan *model.Run, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		follow(ctx, source, int32(conn.PgConn().PID()), watching, ended)
	}()
	defer func() {
		cancel()
		<-done // before the source is closed
	}()
	<-watching
	if _, err := conn.Exec(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	run := <-ended
	if *final == 0 {
		t.Fatal("VERBOSE printed no delay time")
	}
	return run, *final
}

// noticedDelay opens a session and returns where the delay time will be that the
// VERBOSE output of its vacuum ends with.
func noticedDelay(t testing.TB, s *pgtest.Server) (*pgx.Conn, *time.Duration) {
	t.Helper()
	config, err := pgx.ParseConfig(s.ConnString())
	if err != nil {
		t.Fatal(err)
	}
	final := new(time.Duration)
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
		if m := finalDelay.FindStringSubmatch(n.Message); m != nil && *final == 0 { // the table comes before its TOAST table
			ms, _ := strconv.ParseFloat(m[1], 64)
			*final = model.Milliseconds(ms)
		}
	}
	conn, err := pgx.ConnectConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	return conn, final
}

// follow folds what the source reads until a run of the process has ended; of
// those the first, the table's own.
func follow(ctx context.Context, source *Source, pid int32, watching chan<- struct{}, ended chan<- *model.Run) {
	var tracker model.Tracker
	first := true
	_ = source.Run(ctx, func(sample model.Sample) {
		snapshot := tracker.Step(sample)
		if first {
			close(watching)
			first = false
		}
		if n := len(snapshot.Ended); n > 0 && len(snapshot.Active) == 0 && snapshot.Ended[n-1].Key.PID == pid {
			select {
			case ended <- snapshot.Ended[n-1]:
			default:
			}
		}
	})
}
