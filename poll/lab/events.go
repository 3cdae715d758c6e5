package lab

import (
	"context"
	"fmt"
	"math"

	"example.com/vacscope/poll/server"
)

// eventsAtScaleOne rows make an autovacuum with DemoSettings take about a minute and a
// half, in which its settings can be changed: a page has room for four of them and their
// next versions. Pages are clean when it comes, and cost the same.
const eventsAtScaleOne = 8000

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
// ends: a dead version of every row, as soon as those before are vacuumed. It notices
// within a second or two.
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
	for {
		err := execAll(ctx, conn, "update public.events set seen = seen + 1", "checkpoint")
		if err == nil {
			err = untilVacuumed(ctx, conn, "events")
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("keep autovacuum at work: %w", err)
		}
	}
}

// untilVacuumed returns when the server has counted another vacuum of a table, by
// whomever.
func untilVacuumed(ctx context.Context, conn *server.Conn, table string) error {
	for before := int64(-1); ; {
		var now int64
		err := conn.QueryRow(ctx,
			"select vacuum_count + autovacuum_count from pg_catalog.pg_stat_all_tables where schemaname = 'public' and relname = $1", table).Scan(&now)
		if err != nil {
			return fmt.Errorf("count the vacuums of %s: %w", table, err)
		}
		if before >= 0 && now != before {
			return nil
		}
		before = now
		if err := sleep(ctx, lookEvery); err != nil {
			return err
		}
	}
}
