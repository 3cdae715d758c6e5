package lab

import (
	"context"
	"fmt"
	"math"
	"time"

	"example.com/vacscope/poll/server"
)

// eventsAtScaleOne rows make an autovacuum with DemoSettings take about a minute, in
// which its settings can be changed: a page has room for four of them and their next
// versions, and costs 1, being in memory and dirty already.
const eventsAtScaleOne = 12000

// eventsEvery is how often it is looked whether autovacuum has something to do; from the
// update to its start it takes a second or two.
const eventsEvery = 5 * time.Second

// loadEvents makes the table that autovacuum works on: without an index, so that it
// is one scan, and only when rows were updated.
func loadEvents(ctx context.Context, conn *server.Conn, scale float64) error {
	rows := max(1, int(math.Round(eventsAtScaleOne*scale)))
	return execAll(ctx, conn,
		`create table public.events (id bigint not null, what text, seen int not null default 0)
			with (autovacuum_vacuum_threshold = 50, fillfactor = 50)`,
		"alter table public.events alter column what set storage plain", // in CREATE TABLE from 16 on
		fmt.Sprintf("insert into public.events select g, repeat('x', 900) from generate_series(1, %d) g", rows))
}

// keepAutovacuum lets autovacuum have something to do, from begin until the context
// ends: a dead version of every row, as soon as those before are vacuumed.
func keepAutovacuum(ctx context.Context, s *server.Server, begin <-chan struct{}) error {
	select {
	case <-begin:
	case <-ctx.Done():
		return nil
	}
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	for ctx.Err() == nil {
		var busy bool
		err := conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_stat_progress_vacuum where relid = 'public.events'::regclass)").Scan(&busy)
		if err == nil && !busy {
			err = execAll(ctx, conn, "update public.events set seen = seen + 1")
		}
		if err == nil {
			err = sleep(ctx, eventsEvery)
		}
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("keep autovacuum busy: %w", err)
		}
	}
	return nil
}
