package lab

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/vacscope/poll/server"
	"golang.org/x/sync/errgroup"
)

// Demo is the scenario of the demo. Round after round it vacuums a table with four
// workers, throttled; in the index phase somebody's ALTER TABLE waits behind the
// vacuum, and a reader behind that. A vacuum that the person at the screen cancels is
// not run again in that round. Once that person has sent one, no other is in the way.
type Demo struct {
	// Scale multiplies the number of rows; 1 gives vacuums of about 25 s.
	Scale float64
	// Rounds is how many vacuums are run; 0: until the context ends.
	Rounds int
	// Pause is the time between two rounds, after the table was made dirty again.
	Pause time.Duration
	// Autovacuum tells that autovacuum has something to do as well: a table of events,
	// slowly, from the first index phase on, again and again.
	Autovacuum bool
	// TakenOver is closed when the person at the screen has sent a VACUUM: the demo then
	// starts no further one. nil: nobody does.
	TakenOver <-chan struct{}
	// Note is told what happens next, for the person who looks on. It is called
	// from one goroutine at a time.
	Note func(string)
}

// DemoTable is the table that the demo vacuums, in schema public.
const DemoTable = "orders"

const (
	demoWorkers   = 4
	demoCostDelay = "1ms"
	demoCostLimit = "10"

	lookEvery = 100 * time.Millisecond
)

// DemoSettings are the settings "name=value" that the demo's server needs beside those of
// every show: enough workers, and a slow autovacuum.
func DemoSettings(major int) []string {
	return append(shownSettings(major),
		"max_worker_processes=16",
		"autovacuum_vacuum_cost_delay=20ms",
		"autovacuum_vacuum_cost_limit=10",
		"max_parallel_workers=8",
		fmt.Sprintf("max_parallel_maintenance_workers=%d", demoWorkers),
		"min_parallel_index_scan_size=0", // at a small scale too
	)
}

// shownSettings are the settings "name=value" of a server on which something is shown:
// autovacuum has nothing to do unless a table of the show says otherwise, and no
// checkpoint comes but the show's own, because it would make pages clean that a vacuum
// then pays for again.
func shownSettings(major int) []string {
	return append([]string{
		"shared_buffers=384MB",
		"max_wal_size=4GB",
		"checkpoint_timeout=1h",
		"synchronous_commit=off",
		"autovacuum_naptime=1s",
		"autovacuum_vacuum_threshold=1000000",
		"autovacuum_analyze_threshold=1000000",
		"autovacuum_vacuum_insert_threshold=-1",
	}, delayTiming(major)...)
}

// Run plays the scenario on a server. It returns nil after the last round, the
// context's error when that ends first, or what failed.
func (d Demo) Run(ctx context.Context, s *server.Server) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	table := newOrders(d.Scale)
	d.Note(fmt.Sprintf("loading public.%s: %s", DemoTable, table.describe()))
	if err := table.load(ctx, conn); err != nil {
		return fmt.Errorf("load the demo's table: %w", err)
	}
	if !d.Autovacuum {
		return d.rounds(ctx, s, conn, table, func() {})
	}
	if err := loadUpdated(ctx, conn, eventsTable, scaled(eventsAtScaleOne, d.Scale)); err != nil {
		return fmt.Errorf("load the demo's table of events: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	group, ctx := errgroup.WithContext(ctx)
	indexPhase := make(chan struct{})
	group.Go(func() error {
		select {
		case <-indexPhase:
			return keepDue(ctx, s, eventsTable)
		case <-ctx.Done():
			return nil
		}
	})
	group.Go(func() error {
		defer cancel()
		return d.rounds(ctx, s, conn, table, sync.OnceFunc(func() { close(indexPhase) }))
	})
	return group.Wait()
}

// rounds are the vacuums, until the last one or until the person takes over; indexPhase
// is called in each.
func (d Demo) rounds(ctx context.Context, s *server.Server, conn *server.Conn, table orders, indexPhase func()) error {
	for round := 1; ; round++ {
		if err := table.dirty(ctx, conn, round); err != nil {
			return fmt.Errorf("make the demo's table dirty: %w", err)
		}
		if round > 1 {
			if err := d.pause(ctx); err != nil {
				return err
			}
		}
		if d.takenOver() {
			indexPhase()
			return d.stepBack(ctx, conn, table, round)
		}
		if err := d.round(ctx, s, conn, indexPhase); err != nil {
			return fmt.Errorf("round %d of the demo: %w", round, err)
		}
		if round == d.Rounds {
			return nil
		}
		d.Note("the vacuum has ended and nobody waits any more; a fifth of the rows is updated again")
	}
}

// pause waits for the next round, or until there is none.
func (d Demo) pause(ctx context.Context) error {
	if d.takenOver() {
		return nil
	}
	d.Note(fmt.Sprintf("the next vacuum starts in %.0f s", d.Pause.Seconds()))
	select {
	case <-d.TakenOver:
		return nil
	case <-time.After(d.Pause):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// round runs one vacuum with those who wait for it, until all are done.
func (d Demo) round(ctx context.Context, s *server.Server, look *server.Conn, indexPhase func()) error {
	if err := untilFree(ctx, look); err != nil {
		return err
	}
	vacuum, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(vacuum)
	if err := execAll(ctx, vacuum, "set vacuum_cost_delay = '"+demoCostDelay+"'", "set vacuum_cost_limit = "+demoCostLimit); err != nil {
		return err
	}
	d.Note(fmt.Sprintf("VACUUM (PARALLEL %d) with cost delay %s and cost limit %s begins", demoWorkers, demoCostDelay, demoCostLimit))
	group, ctx := errgroup.WithContext(ctx)
	ended := make(chan struct{})
	group.Go(func() error {
		defer close(ended)
		err := execAll(ctx, vacuum, fmt.Sprintf("VACUUM (PARALLEL %d) public.%s", demoWorkers, DemoTable))
		if endedFromOutside(err) {
			d.Note("the demo's vacuum was ended from outside: it comes again in the next round")
			return nil
		}
		return err
	})
	group.Go(func() error {
		reached, err := until(ctx, look, ended, inIndexPhase, vacuum.PID())
		if !reached || err != nil {
			return err
		}
		indexPhase()
		d.Note("ALTER TABLE comes and waits for the vacuum to end; a reader comes and waits behind it")
		_, err = waiters(ctx, s, look, "")
		return err
	})
	return group.Wait()
}

// endedFromOutside tells the error of a statement that was cancelled, or whose session
// was ended.
func endedFromOutside(err error) bool { return hasCode(err, queryCanceled, adminShutdown) }

// untilFree returns when nobody vacuums the table: the person at the screen may.
func untilFree(ctx context.Context, look *server.Conn) error {
	for {
		var busy bool
		err := look.QueryRow(ctx, "select exists (select from pg_catalog.pg_stat_progress_vacuum where relid = 'public.orders'::regclass)").Scan(&busy)
		if err != nil || !busy {
			return err
		}
		if err := sleep(ctx, lookEvery); err != nil {
			return err
		}
	}
}

// queued are those who waited behind a vacuum.
type queued struct {
	queued        bool          // the reader was seen waiting for the ALTER TABLE
	alter, reader time.Duration // how long their statements took
	gaveUp        error         // why the ALTER TABLE did not get its lock; nil: it did
}

// waiters lets a session ask for ACCESS EXCLUSIVE and, once it waits, another one
// read, which the server queues behind it. The first gives up after lock_timeout, unless
// that is "".
func waiters(ctx context.Context, s *server.Server, look *server.Conn, timeout string) (waited queued, err error) {
	alter, err := s.Connect(ctx)
	if err != nil {
		return waited, err
	}
	defer closeQuietly(alter)
	reader, err := s.Connect(ctx)
	if err != nil {
		return waited, err
	}
	defer closeQuietly(reader)
	if timeout != "" {
		if err := execAll(ctx, alter, "set lock_timeout = '"+timeout+"'"); err != nil {
			return waited, err
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	altered := make(chan struct{})
	group.Go(func() error {
		defer close(altered)
		took, err := timed(func() error {
			return execAll(ctx, alter, "ALTER TABLE public.orders ALTER COLUMN status SET DEFAULT 'new'")
		})
		waited.alter = took
		if hasCode(err, lockNotAvailable) {
			waited.gaveUp, err = err, nil
		}
		return err
	})
	group.Go(func() error {
		queued, err := until(ctx, look, altered, "select cardinality(pg_catalog.pg_blocking_pids($1)) > 0", alter.PID())
		if err != nil {
			return err
		}
		waited.queued = queued
		waited.reader, err = timed(func() error {
			return execAll(ctx, reader, "SELECT count(*) FROM public.orders WHERE shipped_at > now() - interval '1 day'")
		})
		return err
	})
	return waited, group.Wait()
}

// inIndexPhase asks whether a process vacuums indexes.
const inIndexPhase = "select exists (select from pg_catalog.pg_stat_progress_vacuum where pid = $1 and phase = 'vacuuming indexes')"

// until asks a question about a process until the answer is yes; reached is false
// when what it is about ends before that.
func until(ctx context.Context, look *server.Conn, ended <-chan struct{}, question string, pid uint32) (reached bool, err error) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		if err := look.QueryRow(ctx, question, pid).Scan(&reached); err != nil {
			return false, fmt.Errorf("%.40s…: %w", question, err)
		}
		if reached {
			return true, nil
		}
		select {
		case <-ended:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		case <-tick.C:
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// closeQuietly ends a session that is not needed any more; the server ends those
// that cannot be told.
func closeQuietly(conn *server.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx)
}
