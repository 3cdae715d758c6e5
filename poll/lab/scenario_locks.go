package lab

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
	"golang.org/x/sync/errgroup"
)

// LockWaits shows who waits for whom around a vacuum: DDL for it, readers for that, the
// vacuum itself for a reader, and all for the locks that no list of locks has.
func LockWaits() Scenario {
	return Scenario{
		Name:    "lock-waits",
		Summary: "who waits for whom around a vacuum: DDL, readers, writers",
		Settings: func(int) []string {
			return []string{
				"max_parallel_maintenance_workers=4", "min_parallel_index_scan_size=0",
				"wal_buffers=64kB", // processes that write WAL are in each other's way on two cores too
			}
		},
		Begin: beginLockWaits,
	}
}

// lockWaits vacuums a table that others want.
type lockWaits struct {
	s     *server.Server
	conn  *server.Conn
	table orders
	round int
}

// A vacuum takes about ten seconds at scale 1; at the least scale it still lasts longer
// than somebody waits who gives up.
const (
	lockWaitsOrders = 0.4 // of the demo's rows
	leastLockWaits  = 0.3
	writers         = 16
	giveUp          = "500ms" // lock_timeout
)

func beginLockWaits(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	l := &lockWaits{s: s, conn: conn, table: newOrders(lockWaitsOrders * max(scale, leastLockWaits))}
	if err := l.table.load(ctx, conn); err != nil {
		return nil, err
	}
	for n := range writers {
		if err := execAll(ctx, conn, fmt.Sprintf("create table public.jobs_%d (what text)", n)); err != nil {
			return nil, err
		}
	}
	return []Stage{{
		Caption: Caption{
			Title: "a queue behind ALTER TABLE",
			Happens: "A slow VACUUM runs, and readers would not mind it. Then somebody's ALTER TABLE comes: it needs the table alone and waits for the vacuum. " +
				"From then on each reader waits behind the ALTER TABLE.",
			Look: "the lock waits at the bottom (on a small terminal tab shows them): who waits, how long, behind whom.",
		},
		Run: l.queue,
	}, {
		Caption: Caption{
			Title:   "the same with lock_timeout",
			Happens: "The same again, but the session of the ALTER TABLE has lock_timeout = " + giveUp + ": it gives up soon, and can try again later. The reader goes on at once.",
			Look:    "the lock waits at the bottom: the queue is gone after half a second.",
		},
		Run: l.shortQueue,
	}, {
		Caption: Caption{
			Title: "many writers",
			Happens: fmt.Sprintf("%d sessions insert rows into other tables while the VACUUM runs. Nobody waits for a lock that the server lists; ", writers) +
				"but all write WAL, and for that they need short locks inside the server (LWLocks).",
			Look: "the processes: LWLock waits stand beside the sleep on purpose. The lock waits stay empty.",
		},
		Run: l.pressure,
	}, {
		Caption: Caption{
			Title: "the vacuum gives way",
			Happens: "The end of the table is empty: its rows were deleted. To cut it off, VACUUM needs the table alone for a moment. " +
				"A session that has read the table and not ended its transaction is in the way; VACUUM waits 5 s for it and gives up.",
			Look: "the sentence below the vacuums: the vacuum waits for others to leave the table, and for whom.",
		},
		Run: l.givesWay,
	}, {
		Caption: Caption{
			Title:   "nobody in the way",
			Happens: "The reader's transaction has ended, and the VACUUM runs again: it cuts off the empty end, and the disk has its space back.",
			Look:    "the phases: truncating heap takes no time now.",
		},
		Run: l.truncates,
	}}, nil
}

// vacuum makes a fifth of the rows dead and vacuums the table with a cost limit, while
// others do something from the index phase on.
func (l *lockWaits) vacuum(ctx context.Context, limit int, others func(ctx context.Context, vacuum uint32, ended <-chan struct{}) error) error {
	if err := l.table.dirty(ctx, l.conn, l.round); err != nil {
		return err
	}
	l.round++
	conn, err := l.s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	if err := execAll(ctx, conn, "set vacuum_cost_delay = '"+demoCostDelay+"'", fmt.Sprintf("set vacuum_cost_limit = %d", limit)); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	ended := make(chan struct{})
	group.Go(func() error {
		defer close(ended)
		return execAll(ctx, conn, "vacuum (parallel 4) public.orders")
	})
	group.Go(func() error { return others(ctx, conn.PID(), ended) })
	return group.Wait()
}

// queue lets an ALTER TABLE wait for a vacuum, and a reader for that.
func (l *lockWaits) queue(ctx context.Context) (Check, error) {
	waited, err := l.behindVacuum(ctx, "")
	return Check{
		Figure: fmt.Sprintf("ALTER TABLE waited %s for the vacuum, and a SELECT %s behind it.", model.FormatDuration(waited.alter), model.FormatDuration(waited.reader)),
		Holds:  waited.queued && waited.gaveUp == nil,
	}, err
}

// shortQueue is queue with an ALTER TABLE that gives up.
func (l *lockWaits) shortQueue(ctx context.Context) (Check, error) {
	waited, err := l.behindVacuum(ctx, giveUp)
	how := "got its lock"
	if waited.gaveUp != nil {
		how = "gave up"
	}
	return Check{
		Figure: fmt.Sprintf("ALTER TABLE %s after %s; the SELECT waited %s.", how, model.FormatDuration(waited.alter), model.FormatDuration(waited.reader)),
		Holds:  waited.queued && waited.gaveUp != nil,
	}, err
}

func (l *lockWaits) behindVacuum(ctx context.Context, timeout string) (waited queued, err error) {
	err = l.vacuum(ctx, 10, func(ctx context.Context, vacuum uint32, ended <-chan struct{}) error {
		reached, err := until(ctx, l.conn, ended, inIndexPhase, vacuum)
		if !reached || err != nil {
			return err
		}
		waited, err = waiters(ctx, l.s, l.conn, timeout)
		return err
	})
	return waited, err
}

// pressure lets many sessions write while the table is vacuumed.
func (l *lockWaits) pressure(ctx context.Context) (Check, error) {
	var seen lightweight
	err := l.vacuum(ctx, 30, func(ctx context.Context, vacuum uint32, ended <-chan struct{}) (err error) {
		group, working := errgroup.WithContext(ctx)
		for n := range writers {
			group.Go(func() error { return l.write(working, n) })
		}
		if seen, err = l.sample(working, vacuum, ended); err != nil {
			return errors.Join(err, group.Wait())
		}
		err = execAll(ctx, l.conn, "select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity where application_name = 'writer'")
		return errors.Join(err, group.Wait())
	})
	return Check{
		Figure: fmt.Sprintf("Seen waiting for an LWLock: the vacuum's processes in %d of %d samples, the writers in %d of %d.", seen.vacuum, seen.ofVacuum, seen.writers, seen.ofWriters),
		Holds:  seen.vacuum > 0 && seen.writers > 0,
	}, err
}

// write inserts rows into a table of the writer's own until the session is ended.
func (l *lockWaits) write(ctx context.Context, n int) error {
	conn, err := l.s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	err = execAll(ctx, conn, "set application_name = 'writer'",
		fmt.Sprintf("do $$ begin loop insert into public.jobs_%d (what) select repeat('x', 200) from generate_series(1, 5); commit; end loop; end $$", n))
	if endedFromOutside(err) {
		return nil
	}
	return err
}

// lightweight is how often processes were seen waiting for an LWLock.
type lightweight struct{ vacuum, ofVacuum, writers, ofWriters int64 }

const sampleEvery = 20 * time.Millisecond

// sample looks at the processes until the vacuum has ended.
func (l *lockWaits) sample(ctx context.Context, vacuum uint32, ended <-chan struct{}) (all lightweight, err error) {
	for {
		var now lightweight
		err := l.conn.QueryRow(ctx, `
			select count(*) filter (where light and not writes), count(*) filter (where not writes),
			       count(*) filter (where light and writes), count(*) filter (where writes)
			from (select wait_event_type is not null and wait_event_type in ('LWLock', 'Buffer') as light, application_name = 'writer' as writes
			      from pg_catalog.pg_stat_activity
			      where application_name = 'writer' and state = 'active' or pid = $1 or leader_pid = $1) as process`,
			vacuum).Scan(&now.vacuum, &now.ofVacuum, &now.writers, &now.ofWriters)
		if err != nil {
			return all, err
		}
		all = lightweight{all.vacuum + now.vacuum, all.ofVacuum + now.ofVacuum, all.writers + now.writers, all.ofWriters + now.ofWriters}
		select {
		case <-ended:
			return all, nil
		case <-time.After(sampleEvery):
		}
	}
}

// givesWay vacuums a table with an empty end while a reader is in the way.
func (l *lockWaits) givesWay(ctx context.Context) (Check, error) {
	err := execAll(ctx, l.conn, fmt.Sprintf("delete from public.orders where id > %d", l.table.rows/4))
	if err != nil {
		return Check{}, err
	}
	reader, err := l.s.Connect(ctx)
	if err != nil {
		return Check{}, err
	}
	defer closeQuietly(reader)
	if err := execAll(ctx, reader, "set application_name = 'forgotten window'", "begin", "select count(*) from public.orders"); err != nil {
		return Check{}, err
	}
	before, after, took, err := l.cutOff(ctx)
	return Check{
		Figure: fmt.Sprintf("VACUUM gave up after %s: the table has %s, as before.", model.FormatDuration(took), model.FormatBytes(after)),
		Holds:  after == before,
	}, err
}

// truncates vacuums it again, with nobody in the way.
func (l *lockWaits) truncates(ctx context.Context) (Check, error) {
	before, after, took, err := l.cutOff(ctx)
	return Check{
		Figure: fmt.Sprintf("VACUUM took %s, and the table has %s instead of %s.", model.FormatDuration(took), model.FormatBytes(after), model.FormatBytes(before)),
		Holds:  after < before/2,
	}, err
}

// cutOff vacuums the table as fast as it goes, and returns its size before and after.
func (l *lockWaits) cutOff(ctx context.Context) (before, after model.Bytes, took time.Duration, err error) {
	vacuum, err := l.s.Connect(ctx)
	if err != nil {
		return 0, 0, 0, err
	}
	defer closeQuietly(vacuum)
	if before, err = l.size(ctx); err != nil {
		return 0, 0, 0, err
	}
	if took, err = timed(func() error { return execAll(ctx, vacuum, "vacuum public.orders") }); err != nil {
		return 0, 0, 0, err
	}
	after, err = l.size(ctx)
	return before, after, took, err
}

func (l *lockWaits) size(ctx context.Context) (size model.Bytes, err error) {
	err = l.conn.QueryRow(ctx, "select pg_catalog.pg_relation_size('public.orders')").Scan(&size)
	return size, err
}
