package lab

import (
	"context"
	"fmt"
	"math"

	"example.com/vacscope/poll/server"
)

// eventsAtScaleOne rows make an autovacuum with DemoSettings take about 25 s: a page
// has room for four of them and their next versions, and costs 1, being in memory and
// dirty already.
const eventsAtScaleOne = 4800

// loadEvents makes the table that autovacuum works on: without an index, so that it
// is one scan, and only when rows were updated.
func loadEvents(ctx context.Context, conn *server.Conn, scale float64) error {
	rows := max(1, int(math.Round(eventsAtScaleOne*scale)))
	return execAll(ctx, conn,
		`create table public.events (id bigint not null, what text storage plain, seen int not null default 0)
			with (autovacuum_vacuum_threshold = 50, fillfactor = 50)`,
		fmt.Sprintf("insert into public.events select g, repeat('x', 900) from generate_series(1, %d) g", rows))
}

// dirtyEvents leaves a dead version of every row, which autovacuum notices within a
// second or two.
func dirtyEvents(ctx context.Context, conn *server.Conn) error {
	return execAll(ctx, conn, "update public.events set seen = seen + 1")
}
