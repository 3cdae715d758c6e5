package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// eventsAtScaleOne rows make an autovacuum with DemoSettings take about a minute and a
// half, in which its settings can be changed.
const (
	eventsTable      = "events"
	eventsAtScaleOne = 8000
)

// loadUpdated makes a table that autovacuum has to do with only when rows were updated:
// without an index, so that it is one scan. A page has room for four rows and their next
// versions.
func loadUpdated(ctx context.Context, conn *server.Conn, table string, rows int) error {
	return execAll(ctx, conn,
		fmt.Sprintf(`create table public.%s (id bigint not null, what text, seen int not null default 0)
			with (autovacuum_vacuum_threshold = 50, fillfactor = 50)`, table),
		fmt.Sprintf("alter table public.%s alter what set storage plain", table), // in CREATE TABLE from 16 on
		fmt.Sprintf("insert into public.%s select g, repeat('x', 900) from generate_series(1, %d) g", table, rows))
}

// keepDue lets autovacuum have something to do with a table of loadUpdated until the
// context ends: a dead version of every row, as soon as those before are vacuumed. It
// notices within a second or two. Pages are clean when it comes, and cost the same.
func keepDue(ctx context.Context, s *server.Server, table string) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	for {
		err := execAll(ctx, conn, fmt.Sprintf("update public.%s set seen = seen + 1", table), "checkpoint")
		if err == nil {
			err = untilVacuumed(ctx, conn, table)
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
