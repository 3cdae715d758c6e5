//go:build linux

package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/poll/pgtest"
)

var (
	observerPairs = flag.Int("observer.pairs", 30, "BenchmarkObserver: pairs of vacuums, watched and not")
	observerRows  = flag.Int("observer.rows", 18_000_000, "BenchmarkObserver: rows of the table; its vacuum is to take 5 s")
)

// BenchmarkObserver compares the time that an unthrottled vacuum takes while
// vacscope watches it with the time it takes alone, in pairs of alternating order.
// The interval of the median is by order statistics and makes no assumption on how
// the ratios are distributed.
func BenchmarkObserver(b *testing.B) {
	pairs, rows := *observerPairs, *observerRows
	if testing.Short() {
		pairs, rows = 4, 300_000
	}
	o := newObserved(b, rows)
	var ratios, cpuRatios, alone []float64
	for i := range pairs {
		var took, cpu [2]time.Duration // alone, watched
		for turn := range 2 {
			watched := (i + turn) % 2
			took[watched], cpu[watched] = o.vacuum(b, watched == 1)
		}
		cpuRatios = append(cpuRatios, cpu[1].Seconds()/cpu[0].Seconds())
		ratios = append(ratios, took[1].Seconds()/took[0].Seconds())
		alone = append(alone, took[0].Seconds())
		fmt.Fprintf(os.Stderr, "pair %d: alone %.3f s, watched %.3f s, ratio %.4f, of processor time %.4f\n",
			i+1, took[0].Seconds(), took[1].Seconds(), ratios[i], cpuRatios[i])
	}
	low, high := medianInterval(ratios)
	b.ReportMetric(median(ratios), "median-ratio")
	b.ReportMetric(1.02, "limit-median-ratio")
	b.ReportMetric(low, "ratio-low-95%")
	b.ReportMetric(high, "ratio-high-95%")
	b.ReportMetric(median(cpuRatios), "cpu-ratio")
	b.ReportMetric(median(alone), "s-alone")
	if !testing.Short() {
		b.ReportMetric(5, "least-s-alone")
	}
}

// observed is a table that is vacuumed again and again, with the same work each time.
type observed struct {
	path   string // of vacscope
	server *pgtest.Server
	conn   *pgx.Conn
	round  int
}

func newObserved(b *testing.B, rows int) *observed {
	o := &observed{path: program(b), server: pgtest.Start(b, 18, "shared_buffers=6GB", "max_wal_size=20GB", "checkpoint_timeout=1h", "maintenance_work_mem=256MB", "max_parallel_maintenance_workers=0")}
	o.server.MakeTable(b, pgtest.Table{Name: "observed", Rows: rows, Indexes: 6, DeadEvery: -1})
	o.conn = o.server.Conn(b)
	o.vacuum(b, false) // the first one also sets hint bits and the visibility map
	return o
}

// vacuum makes one row in a hundred dead, spread over all pages, and vacuums the
// whole table and its indexes.
// It returns the time that took and the processor time of the server process.
func (o *observed) vacuum(b *testing.B, watched bool) (wall, cpu time.Duration) {
	o.round++
	o.exec(b, fmt.Sprintf("update observed set c1 = c1 + 1 where id %% 100 = %d", o.round%100))
	o.exec(b, "checkpoint")
	if watched {
		x := onBenchTerminal(b, o.path, "PostgreSQL 18", o.server.ConnString())
		defer x.quit()
	}
	pid := int(o.conn.PgConn().PID())
	started, before := time.Now(), processorTime(b, pid)
	o.exec(b, "vacuum (disable_page_skipping, index_cleanup on, parallel 0) observed")
	return time.Since(started), processorTime(b, pid) - before
}

func (o *observed) exec(b *testing.B, sql string) {
	if _, err := o.conn.Exec(context.Background(), sql); err != nil {
		b.Fatalf("%s: %v", sql, err)
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// medianInterval is an interval that holds the median in at least 95 of 100 cases:
// from the k-th smallest value to the k-th largest, with the largest such k. Below 6
// values none does, and it is all of them.
func medianInterval(values []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	k, below := 0, 0.0 // the probability that fewer than k+1 of n lie below the median
	for ; k < n/2; k++ {
		lgamma := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
		below += math.Exp(lgamma(n) - lgamma(k) - lgamma(n-k) - float64(n)*math.Ln2)
		if below > 0.025 {
			break
		}
	}
	k = max(k, 1)
	return sorted[k-1], sorted[n-k]
}

func TestMedianInterval(t *testing.T) {
	// The ranks of published tables.
	for n, k := range map[int]int{6: 1, 10: 2, 20: 6, 30: 10, 40: 14} {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(n - i)
		}
		low, high := medianInterval(values)
		if low != float64(k) || high != float64(n+1-k) {
			t.Errorf("of %d values from the %v. to the %v., want the %d. to the %d.", n, low, high, k, n+1-k)
		}
	}
}
