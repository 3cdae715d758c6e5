package poll

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// runOf finds the run of a table, running or ended.
func runOf(s *model.Snapshot, table model.Text) *model.Run {
	for _, runs := range [][]*model.Run{s.Active, s.Ended} {
		for _, r := range runs {
			if r.Table.Or("") == table && !r.Key.Analyze {
				return r
			}
		}
	}
	return nil
}

// A relation without pages has no progress in percent and no time left, and nothing is
// divided by its size: the table itself, and the TOAST relation of another one.
func TestARelationWithoutPages(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.Exec(t, "create table e(id int primary key, t text) with (autovacuum_enabled = off)")
		s.AtEnd(t, "drop table e")
		conn := s.Conn(t)
		ctx, cancel := context.WithCancel(context.Background())
		stopped := make(chan struct{})
		go func() {
			defer close(stopped)
			for ctx.Err() == nil {
				_, _ = conn.Exec(ctx, "vacuum e") // the last one is cancelled
			}
		}()
		defer func() {
			cancel()
			<-stopped
		}()
		seen := map[string]bool{}
		var tracker model.Tracker
		source := openWith(t, s.ConnString(), Options{Interval: 50 * time.Millisecond, TickRate: 100, TickRateGiven: true})
		runUntil(t, source, "both of its relations, running and completed", func(sample model.Sample) bool {
			snapshot := tracker.Step(sample)
			for _, r := range append(snapshot.Active, snapshot.Ended...) {
				said := fmt.Sprint(model.Verdict(snapshot, r), r.Memory, r.Whole)
				if done, known := r.Done().Get(); known && (done < 0 || done > 1 || math.IsNaN(float64(done))) || strings.Contains(said, "NaN") || strings.Contains(said, "Inf") {
					t.Errorf("done %v, %s", r.Done(), said)
				}
				if p := r.Progress; r.End == nil && p != nil && p.HeapBlksTotal.Or(1) == 0 && (r.Left.Range.Known() || r.Whole.Left.Known()) {
					t.Errorf("of no pages %+v is left", r.LeftRange())
				}
				if r.End == nil || r.End.How == model.EndCompleted {
					seen[fmt.Sprint(r.ToastOf.Known(), r.End != nil)] = true
				}
			}
			return seen["false true"] && seen["true true"] && (seen["false false"] || seen["true false"])
		})
	})
}

// The first estimate of a vacuum that is met in its middle is within twice the truth, as
// it goes by what was seen since and not by all that is done.
func TestAVacuumMetInItsMiddle(t *testing.T) {
	for _, major := range []int{13, 18} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Shared(t, major)
			s.MakeTable(t, pgtest.Table{Name: "met", Rows: 200_000, Indexes: -1, DeadEvery: 2})
			s.Exec(t, "checkpoint")
			v := s.Vacuum(t, "met", "", "vacuum_cost_delay=10ms", "vacuum_cost_limit=40").Phase(t, "scanning heap")
			conn := s.Conn(t)
			pgtest.Eventually(t, "half of it is done", func() bool {
				var half bool
				err := conn.QueryRow(t.Context(), "select heap_blks_scanned > heap_blks_total / 2 from pg_stat_progress_vacuum where pid = $1", v.PID).Scan(&half)
				return err != nil || half
			})
			var first time.Duration
			var saidAt, ended time.Time
			watchUntil(t, s, nil, func(snapshot *model.Snapshot) bool {
				r := runOf(snapshot, "met")
				if r == nil {
					return false
				}
				if left, known := r.LeftRange().Get(); known && saidAt.IsZero() && r.End == nil {
					first, saidAt = (left.Low+left.High)/2, snapshot.At
					if r.FromStart || r.Watched() > snapshot.At.Sub(r.Key.StatementStart)/2 {
						t.Errorf("it is said to be seen for %v of %v", r.Watched(), r.StatementElapsed())
					}
				}
				if r.End != nil {
					ended = r.End.At
				}
				return !ended.IsZero()
			})
			if truth := ended.Sub(saidAt); saidAt.IsZero() || first > 2*truth || first < truth/2 {
				t.Errorf("first it was said to take %v, then it took %v", first, truth)
			}
		})
	}
}

// Sixty indexes: how many are done is told from 17 on, before that how many there are.
func TestSixtyIndexes(t *testing.T) {
	for _, major := range []int{16, 18} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Shared(t, major)
			s.MakeTable(t, pgtest.Table{Name: "sixty", Rows: 5_000, Indexes: 60, DeadEvery: 4})
			var r *model.Run
			watchUntil(t, s, func() {
				s.Vacuum(t, "sixty", "(parallel 8)", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=8", "vacuum_cost_delay=10ms", "vacuum_cost_limit=20")
			}, func(snapshot *model.Snapshot) bool {
				r = runOf(snapshot, "sixty")
				span := (*model.Span)(nil)
				if r != nil {
					span = r.Phase()
				}
				return span != nil && span.Phase == "vacuuming indexes" && r.Parallel.Launched.Or(0) == 8 && (major < 17 || span.Moved.To > 8)
			})
			span := r.Phase()
			if len(r.Indexes) != 60 || r.Parallel.Asked != model.Some(8) || r.Parallel.Planned != model.Some(8) {
				t.Errorf("%d indexes, workers %+v", len(r.Indexes), r.Parallel)
			}
			if counted := span.Moved.Unit == model.UnitIndexes; counted != (major >= 17) || counted && span.Moved.Total != 60 {
				t.Errorf("%+v", span.Moved)
			}
			if major < 17 && r.Left.WhyNot == "" {
				t.Error("why no index is counted is not said")
			}
		})
	}
}

// A session's temporary table has its name, and no workers.
func TestATemporaryTable(t *testing.T) {
	for _, major := range []int{13, 18} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Shared(t, major)
			conn := s.Conn(t)
			for _, sql := range []string{"create temp table mine(id int, other int, pad text)", "insert into mine select g, g, repeat('x', 100) from generate_series(1, 40000) g",
				"create index on mine(id)", "create index on mine(other)", "delete from mine where id % 3 = 0", "set min_parallel_index_scan_size = 0", "set vacuum_cost_delay = 20", "set vacuum_cost_limit = 100"} {
				if _, err := conn.Exec(t.Context(), sql); err != nil {
					t.Fatal(err)
				}
			}
			ended := make(chan struct{})
			watchUntil(t, s, func() {
				go func() {
					defer close(ended)
					_, _ = conn.Exec(context.Background(), "vacuum (parallel 2) mine")
				}()
			}, func(snapshot *model.Snapshot) bool {
				r := runOf(snapshot, "mine")
				if r == nil || r.Phase() == nil || r.Phase().Phase != "vacuuming indexes" {
					return false
				}
				if p := r.Parallel; !strings.HasPrefix(snapshot.NameOf(r), "pg_temp_") || p.Planned != model.Some(0) || p.Launched != model.Some(0) || !strings.Contains(p.Reason, "temporary") {
					t.Errorf("%s: %+v", snapshot.NameOf(r), p)
				}
				return true
			})
			<-ended
		})
	}
}
