package poll

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// delayRun is a vacuum whose delay is estimated from samples and compared with the
// delay time that its VERBOSE output ends with.
type delayRun struct {
	table   string
	rows    int    // a page holds about 55 of them
	delay   string // vacuum_cost_delay
	workers int    // PARALLEL
	// skewed makes the last index ten times as large, so that the leader waits for
	// the worker that has it.
	skewed bool
	// pinned makes the vacuum wait for pages that somebody holds, again and again, for
	// up to that long; such runs sleep for less in all.
	pinned time.Duration

	conn    *pgx.Conn
	final   *time.Duration // delay_time at the end; set by a notice
	reached *model.Run     // as it was seen
}

// throttledRuns sleep for more than four fifths of their time, in naps from 2 ms to
// a fifth of a second.
func throttledRuns() []*delayRun {
	return []*delayRun{
		{rows: 500_000, delay: "1ms"}, {rows: 400_000, delay: "2ms"}, {rows: 300_000, delay: "5ms"},
		{rows: 100_000, delay: "5ms"}, {rows: 100_000, delay: "10ms"}, {rows: 60_000, delay: "20ms"},
		{rows: 30_000, delay: "20ms"}, {rows: 30_000, delay: "50ms"}, {rows: 20_000, delay: "100ms"},
		{rows: 60_000, delay: "5ms", workers: 1},
	}
}

// mixedRuns sleep for any share of their time.
func mixedRuns() []*delayRun {
	runs := []*delayRun{}
	for i, workers := range []int{1, 2, 3, 4} {
		delay := []string{"2ms", "5ms", "10ms", "20ms"}[i]
		runs = append(runs,
			&delayRun{rows: 60_000, delay: delay, workers: workers},
			&delayRun{rows: 40_000, delay: delay, workers: workers, skewed: true})
	}
	for i := range 12 {
		rows, delay := []int{300_000, 100_000, 30_000}[i%3], []string{"1ms", "10ms", "50ms"}[i%3]
		pinned := []time.Duration{0, time.Second, 4 * time.Second, 10 * time.Second}[i%4]
		runs = append(runs, &delayRun{rows: rows, delay: delay, pinned: pinned})
	}
	return runs
}

// delayTarget is how long the runs sleep, about: a little more than the shortest run
// about whose estimate something is promised.
const delayTarget = 22 * time.Second

// BenchmarkSampledDelay compares the delay estimated from samples, at 20 a second,
// with the server's own count.
func BenchmarkSampledDelay(b *testing.B) {
	target, throttled, mixed := delayTarget, throttledRuns(), mixedRuns()
	if testing.Short() {
		target, throttled, mixed = 4*time.Second, throttled[3:6], append(mixed[:2], mixed[8])
	}
	b.Run("throttled", func(b *testing.B) {
		e := estimates(watchRuns(b, throttled, target))
		fmt.Fprint(os.Stderr, e.table()) // a benchmark may log ten lines
		b.ReportMetric(10*e.part(delayEstimate.close), "within-5%-of-10")
		b.ReportMetric(9, "least-within-5%-of-10")
		b.ReportMetric(100*e.bias(), "bias-%")
	})
	b.Run("any_share", func(b *testing.B) {
		e := estimates(watchRuns(b, mixed, target))
		fmt.Fprint(os.Stderr, e.table()) // a benchmark may log ten lines
		b.ReportMetric(20*e.part(delayEstimate.held), "in-interval-of-20")
		b.ReportMetric(18, "least-in-interval-of-20")
		b.ReportMetric(100*e.bias(), "bias-%")
	})
}

// delayEstimate is one run's estimate beside the truth.
type delayEstimate struct {
	run                    *delayRun
	wall, processTime      time.Duration
	final, sampled, margin time.Duration
}

func (e delayEstimate) share() float64 { return float64(e.final) / float64(e.processTime) }
func (e delayEstimate) off() float64   { return float64(e.sampled-e.final) / float64(e.final) }
func (e delayEstimate) close() bool    { return max(e.off(), -e.off()) <= 0.05 }
func (e delayEstimate) held() bool     { return (e.sampled - e.final).Abs() <= e.margin }

type delayEstimates []delayEstimate

func estimates(runs []*delayRun) (out delayEstimates) {
	for _, r := range runs {
		d := r.reached.Delay
		out = append(out, delayEstimate{
			run: r, wall: r.reached.Elapsed().Or(0), processTime: r.reached.ProcessTime,
			final: *r.final, sampled: d.Sampled.Or(0), margin: d.SampledError,
		})
	}
	return out
}

// part is the share of the runs for which something is so.
func (es delayEstimates) part(is func(delayEstimate) bool) float64 {
	n := 0
	for _, e := range es {
		if is(e) {
			n++
		}
	}
	return float64(n) / float64(len(es))
}

// bias is the mean of estimate - truth, as a share of the truth.
func (es delayEstimates) bias() float64 {
	sum := 0.0
	for _, e := range es {
		sum += e.off()
	}
	return sum / float64(len(es))
}

func (es delayEstimates) table() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%6s %7s %7s  %8s %12s %6s  %10s %10s %9s %7s  %s\n", "delay", "workers", "rows", "elapsed", "process-time", "share", "delay_time", "sampled", "±", "off", "in the interval")
	for _, e := range es {
		seconds := func(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }
		fmt.Fprintf(&out, "%6s %7d %7d  %8s %12s %4.0f %%  %10s %10s %9s %5.1f %%  %v\n", e.run.delay, e.run.workers, e.run.rows,
			seconds(e.wall), seconds(e.processTime), 100*e.share(), seconds(e.final), seconds(e.sampled), seconds(e.margin), 100*e.off(), e.held())
	}
	return out.String()
}

// watchRuns makes the runs' tables, runs them all at once, since who naps needs no
// processor, and watches them as the program does.
func watchRuns(b *testing.B, runs []*delayRun, target time.Duration) []*delayRun {
	s := pgtest.Start(b, 18, "max_worker_processes=64", "max_parallel_workers=64", "max_parallel_maintenance_workers=8",
		"min_parallel_index_scan_size=0", "shared_buffers=512MB", "max_wal_size=8GB", "track_cost_delay_timing=on", "wal_level=minimal", "max_wal_senders=0")
	for i, r := range runs {
		r.table = fmt.Sprintf("t%d", i)
		r.prepare(b, s, target)
	}
	s.Exec(b, "checkpoint")
	source := openWith(b, s.ConnString(), Options{Interval: time.Second, TickRate: 20, TickRateGiven: true})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	start := sync.OnceFunc(func() { go runAll(ctx, cancel, b, s, runs) })
	var tracker model.Tracker
	var last *model.Snapshot
	err := source.Run(ctx, func(sample model.Sample) {
		last = tracker.Step(sample)
		start() // once they are watched
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, r := range runs {
		r.find(b, last)
	}
	return runs
}

// runAll runs the vacuums, and then lets two beats see that they have ended.
func runAll(ctx context.Context, cancel func(), b *testing.B, s *pgtest.Server, runs []*delayRun) {
	defer cancel()
	var all sync.WaitGroup
	for _, r := range runs {
		all.Go(func() { r.run(ctx, b) })
		if r.pinned > 0 {
			go r.pin(ctx, s)
		}
	}
	all.Wait()
	_ = sleepUntil(ctx, time.Now().Add(3*time.Second))
}

// prepare makes the run's table, and the settings with which it will sleep for the
// target.
func (r *delayRun) prepare(b *testing.B, s *pgtest.Server, target time.Duration) {
	s.MakeTable(b, pgtest.Table{Name: r.table, Rows: r.rows, Indexes: max(2, 2*r.workers)})
	if r.skewed {
		s.Exec(b, fmt.Sprintf("create index on %s (pad, id) with (fillfactor = 20)", r.table))
	}
	r.conn, r.final = noticedDelay(b, s)
	delay, err := time.ParseDuration(r.delay)
	if err != nil {
		b.Fatal(err)
	}
	var cost float64
	err = r.conn.QueryRow(b.Context(), `
select sum(pg_relation_size(oid)) / 8192 * 21 from (select $1::regclass::oid union all select indexrelid from pg_index where indrelid = $1::regclass) r(oid)`,
		r.table).Scan(&cost)
	if err != nil {
		b.Fatal(err)
	}
	if r.pinned > time.Second {
		target /= 3
	}
	limit := max(1, int(cost*float64(delay)/float64(target)/(1+float64(r.workers)/3)))
	for _, sql := range []string{"set vacuum_cost_delay = '" + r.delay + "'", "set vacuum_cost_limit = " + strconv.Itoa(limit)} {
		if _, err := r.conn.Exec(b.Context(), sql); err != nil {
			b.Fatal(err)
		}
	}
}

func (r *delayRun) run(ctx context.Context, b *testing.B) {
	if _, err := r.conn.Exec(ctx, fmt.Sprintf("vacuum (verbose, freeze, parallel %d) %s", r.workers, r.table)); err != nil {
		b.Error(err)
	}
}

// pin holds pages in front of the vacuum for random times.
func (r *delayRun) pin(ctx context.Context, s *pgtest.Server) {
	conn, err := pgx.Connect(ctx, s.ConnString())
	if err != nil {
		return
	}
	defer conn.Close(context.Background())
	for ctx.Err() == nil {
		page := -1
		err := conn.QueryRow(ctx, "select heap_blks_scanned from pg_stat_progress_vacuum where pid = $1 and phase = 'scanning heap'", r.conn.PgConn().PID()).Scan(&page)
		if err == nil && page >= 0 {
			_, _ = conn.Exec(ctx, fmt.Sprintf("begin; declare c cursor for select from %s where ctid = any (array['(%d,1)', '(%d,2)']::tid[]); fetch c", r.table, page+1, page+1))
		}
		pause(ctx, r.pinned)
		_, _ = conn.Exec(ctx, "rollback")
		pause(ctx, time.Second)
	}
}

// pause waits for a random time.
func pause(ctx context.Context, most time.Duration) {
	_ = sleepUntil(ctx, time.Now().Add(rand.N(most)))
}

// find takes what was seen of the run.
func (r *delayRun) find(b *testing.B, s *model.Snapshot) {
	for _, ended := range s.Ended {
		if ended.Key.PID == int32(r.conn.PgConn().PID()) && ended.Table.Or("") == model.Text(r.table) {
			r.reached = ended
		}
	}
	if r.reached == nil || *r.final == 0 {
		b.Fatalf("the vacuum of %s was not seen, or printed no delay time (%v)", r.table, *r.final)
	}
}

// sleepUntil waits for a time; the error is ctx's.
func sleepUntil(ctx context.Context, at time.Time) error {
	select {
	case <-time.After(time.Until(at)):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
