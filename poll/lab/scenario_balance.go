package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/vacscope/poll/server"
)

// AutovacuumBalance shows that more autovacuum workers do not vacuum faster: they share
// one cost limit. A higher limit does.
func AutovacuumBalance() Scenario {
	return Scenario{
		Name:     "autovacuum-balance",
		Summary:  "more workers are no faster until the cost limit is raised",
		Settings: balanceSettings,
		Begin:    beginBalance,
	}
}

const (
	balanceWorkers = 3
	balanceLimit   = 100
	raisedLimit    = 10 * balanceLimit
	// balanceRows of each table make one worker busy for about half a minute: a page has
	// room for four rows and their next versions.
	balanceRows = 24_000
	// leastBalance is the least scale at which as many workers as there are tables are seen
	// at once: autovacuum starts one of them a second.
	leastBalance = 0.5
	// measureRate is how long a rate is measured for, and seenWithin how long that may take.
	measureRate = 2 * time.Second
	seenWithin  = time.Minute
)

func balanceSettings(major int) []string {
	settings := []string{"autovacuum=on", "autovacuum_vacuum_cost_delay=20ms", fmt.Sprintf("autovacuum_vacuum_cost_limit=%d", balanceLimit)}
	if workersCanChange(major) {
		return append(settings, "autovacuum_max_workers=1")
	}
	return append(settings, fmt.Sprintf("autovacuum_max_workers=%d", balanceWorkers))
}

// workersCanChange tells that autovacuum_max_workers takes effect without a restart.
func workersCanChange(major int) bool { return major >= 18 }

// balance lets autovacuum work on some tables, and measures how fast it is.
type balance struct {
	s    *server.Server
	conn *server.Conn
	one  float64 // pages per second with one worker
	all  float64 // with three
}

func beginBalance(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	b := &balance{s: s, conn: conn}
	for n := range balanceWorkers {
		if err := loadUpdated(ctx, conn, visitsTable(n), scaled(balanceRows, max(scale, leastBalance))); err != nil {
			return nil, err
		}
	}
	more := "autovacuum_max_workers was raised from 1 to 3."
	if !workersCanChange(s.Major) {
		more = "Three workers are at work, as if autovacuum_max_workers had been 1 before (changing it takes a restart before PostgreSQL 18)."
	}
	return []Stage{{
		Caption: Caption{
			Title: "one worker",
			Happens: "Three tables are full of dead rows, and autovacuum has one worker. After every few pages it takes a nap: " +
				"autovacuum_vacuum_cost_limit says how much it may do between two naps.",
			Look: "one vacuum runs, and sleeps nearly all the time. The sentences below it say how much its limit allows.",
		},
		Run: b.oneWorker,
	}, {
		Caption: Caption{
			Title:   "three workers, the same limit",
			Happens: more + " One would think that the tables are done three times as fast. But all workers share one cost limit: each has a third of it.",
			Look:    "three vacuums run now. The sentences below them tell each one's part of the limit, and how little that allows.",
		},
		Run: b.moreWorkers,
	}, {
		Caption: Caption{
			Title:   "three workers, ten times the limit",
			Happens: fmt.Sprintf("autovacuum_vacuum_cost_limit was raised from %d to %d. %s", balanceLimit, raisedLimit, whoFollows(s.Major)),
			Look:    "all three are faster at once, and their chart has a mark where the setting changed. s does the same by hand, u puts it back.",
		},
		Run: b.higherLimit,
	}}, nil
}

// followsLimit tells that an autovacuum that runs takes notice of a higher limit.
func followsLimit(major int) bool { return major >= 16 }

func whoFollows(major int) string {
	if followsLimit(major) {
		return "A running autovacuum takes notice of it at once."
	}
	return "Before PostgreSQL 16 a running autovacuum keeps its limit, so those that ran were cancelled; they began again with the new one."
}

func (b *balance) oneWorker(ctx context.Context) (Check, error) {
	if workersCanChange(b.s.Major) {
		b.makeDue(ctx, 0, balanceWorkers)
	} else {
		b.makeDue(ctx, 0, 1)
	}
	var err error
	b.one, err = b.rate(ctx, 1)
	return Check{Figure: fmt.Sprintf("1 worker: %.0f pages/s.", b.one), Holds: b.one > 0}, err
}

// makeDue lets autovacuum have work in some of the tables, until the scenario ends. What
// fails there ends the measuring, which then sees no vacuums.
func (b *balance) makeDue(ctx context.Context, from, to int) {
	for n := from; n < to; n++ {
		go func() { _ = keepDue(ctx, b.s, visitsTable(n)) }()
	}
}

func visitsTable(n int) string { return fmt.Sprintf("visits_%d", n+1) }

func (b *balance) moreWorkers(ctx context.Context) (Check, error) {
	err := b.addWorkers(ctx)
	if err == nil {
		b.all, err = b.rate(ctx, balanceWorkers)
	}
	return Check{
		Figure: fmt.Sprintf("%d workers together: %.0f pages/s; with 1 worker it was %.0f.", balanceWorkers, b.all, b.one),
		Holds:  b.all > 0 && b.all < 1.5*b.one,
	}, err
}

func (b *balance) addWorkers(ctx context.Context) error {
	if workersCanChange(b.s.Major) {
		return b.set(ctx, "autovacuum_max_workers", balanceWorkers)
	}
	b.makeDue(ctx, 1, balanceWorkers)
	return nil
}

func (b *balance) higherLimit(ctx context.Context) (Check, error) {
	err := b.set(ctx, "autovacuum_vacuum_cost_limit", raisedLimit)
	if err == nil && !followsLimit(b.s.Major) {
		err = execAll(ctx, b.conn, "select pg_catalog.pg_cancel_backend(pid) from pg_catalog.pg_stat_progress_vacuum")
	}
	if err != nil {
		return Check{}, err
	}
	fast, err := b.rate(ctx, balanceWorkers)
	return Check{
		Figure: fmt.Sprintf("%d workers together: %.0f pages/s; before it was %.0f.", balanceWorkers, fast, b.all),
		Holds:  fast > 3*b.all,
	}, err
}

func (b *balance) set(ctx context.Context, setting string, value int) error {
	return execAll(ctx, b.conn, fmt.Sprintf("alter system set %s = %d", setting, value), "select pg_catalog.pg_reload_conf()")
}

// rate is how many pages per second so many workers scan together, while the same vacuums
// run.
func (b *balance) rate(ctx context.Context, workers int) (float64, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, seenWithin, fmt.Errorf("%d autovacuum workers were not seen at work within %s", workers, seenWithin))
	defer cancel()
	var pages int64
	var during time.Duration
	var from progress
	for during < measureRate {
		now, err := b.progress(ctx)
		if err != nil {
			return 0, errors.Join(context.Cause(ctx), err)
		}
		if len(now.scanned) == workers && now.follows(from) {
			pages += now.pages() - from.pages()
			during += now.at.Sub(from.at)
		}
		from = now
		if err := sleep(ctx, lookEvery); err != nil {
			return 0, context.Cause(ctx)
		}
	}
	return float64(pages) / during.Seconds(), nil
}

// progress is how far vacuums were.
type progress struct {
	at      time.Time
	scanned map[string]int64 // pages, by process and table
}

func (b *balance) progress(ctx context.Context) (progress, error) {
	now := progress{scanned: map[string]int64{}}
	rows, err := b.conn.Query(ctx, `
		select pid || '/' || relid, heap_blks_scanned, clock_timestamp() from pg_catalog.pg_stat_progress_vacuum
		where phase = 'scanning heap' and heap_blks_scanned > 0`)
	if err != nil {
		return now, err
	}
	defer rows.Close()
	for rows.Next() {
		var of string
		var pages int64
		if err := rows.Scan(&of, &pages, &now.at); err != nil {
			return now, err
		}
		now.scanned[of] = pages
	}
	return now, rows.Err()
}

// follows tells that the same vacuums have gone on since.
func (p progress) follows(from progress) bool {
	if len(p.scanned) != len(from.scanned) {
		return false
	}
	for of, pages := range p.scanned {
		if before, was := from.scanned[of]; !was || pages < before {
			return false
		}
	}
	return true
}

// pages is how many of all were scanned.
func (p progress) pages() (n int64) {
	for _, pages := range p.scanned {
		n += pages
	}
	return n
}
