package lab

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// waitInterval is the time between two looks at what backends wait for. Each is at a
// random moment of its interval, so that it does not keep time with what it looks at.
const waitInterval = 200 * time.Millisecond

// watch looks at the server's backends until it is ended.
type watch struct {
	conn    *server.Conn
	sql     string // of vacuums
	tables  []string
	cancel  context.CancelFunc
	done    chan struct{}
	err     error // valid after done, as are the rest
	waits   map[experiment.Wait]int
	vacuums map[vacuumKey]*seenVacuum
}

// beginWatch begins to look.
func beginWatch(ctx context.Context, s *server.Server, tables []string) (*watch, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	working, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &watch{
		conn: conn, sql: vacuumsStatement(s.Major), tables: tables, cancel: cancel, done: make(chan struct{}),
		waits: map[experiment.Wait]int{}, vacuums: map[vacuumKey]*seenVacuum{},
	}
	go func() {
		defer close(w.done)
		w.err = w.look(working)
	}()
	return w, nil
}

// stop stops looking; an error is that of a look.
func (w *watch) stop() error {
	w.cancel()
	<-w.done
	if w.err != nil {
		return fmt.Errorf("watch the server's backends: %w", w.err)
	}
	return nil
}

// close ends the session; the watch was stopped.
func (w *watch) close() { closeQuietly(w.conn) }

// waited are the samples of what backends waited for; the watch was stopped.
func (w *watch) waited() []experiment.Wait {
	var waits []experiment.Wait
	for wait, n := range w.waits {
		wait.Samples = n
		waits = append(waits, wait)
	}
	return waits
}

// look looks until ctx ends, and then once more at vacuums. No statement is cancelled:
// that would end the session.
func (w *watch) look(ctx context.Context) error {
	asking := context.WithoutCancel(ctx)
	for slot := time.Now(); ; slot = slot.Add(waitInterval) {
		ended := sleep(ctx, time.Until(slot.Add(rand.N(waitInterval))))
		if err := w.lookAtVacuums(asking); err != nil {
			return err
		}
		if ended != nil {
			return nil
		}
		if err := w.lookAtWaits(asking); err != nil {
			return err
		}
	}
}

// lookAtWaits counts the backends at work by what they wait for. Those that have no state,
// which serve the whole server, are at work unless they wait for something to do; so is
// nobody in pg_sleep, where clients of a load generator wait for what is due.
func (w *watch) lookAtWaits(ctx context.Context) error {
	rows, err := w.conn.Query(ctx, `
		select backend_type, coalesce(wait_event_type, ''), coalesce(wait_event, ''), count(*)
		from pg_catalog.pg_stat_activity
		where pid <> pg_catalog.pg_backend_pid() and backend_type is not null and application_name <> $1
		      and (state = 'active' or state is null and wait_event_type is distinct from 'Activity') and wait_event is distinct from 'PgSleep'
		group by 1, 2, 3`, watcher)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var wait experiment.Wait
		var n int
		if err := rows.Scan(&wait.Backend, &wait.Type, &wait.Event, &n); err != nil {
			return err
		}
		w.waits[wait] += n
	}
	return rows.Err()
}
