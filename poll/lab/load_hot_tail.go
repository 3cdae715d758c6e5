package lab

import (
	"context"
	"fmt"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

const (
	hotTailTable = "hot_tail"
	// hotTailInserts is how many rows a client inserts before it updates one.
	hotTailInserts = 20
	hotTailRows    = 600_000 // that are there when a run begins, at scale 1
)

// hotTail is a table that grows, and of which only the newest rows are updated: pages
// become all-visible and stay so, unfrozen, until a vacuum freezes them, which an
// aggressive one has to.
func hotTail() Workload {
	return Workload{
		Name:      "hot-tail",
		Summary:   "clients that insert rows and update the newest",
		Published: "--clients 32 --rate 0 --tail 200000, for hours",
		Duration:  time.Minute,
		Clients:   8,
		Options: []Option{
			rateOption(2000, "statements"),
			{Name: "tail", Default: "20000", Usage: "update one of the last `N` rows", Check: Number(1, 1_000_000_000)},
		},
		Tables:   []string{hotTailTable},
		Expected: experiment.Expected{Freezing: true, Aggressive: true, HOT: true},
		Settings: loadSettings,
		Load:     loadHotTail,
		Run: func(ctx context.Context, s *server.Server, p Params, o *Observed) error {
			return runHotTail(ctx, s, p, o, 0)
		},
	}
}

// hotTailDelete is hotTail with somebody who deletes the old rows.
func hotTailDelete() Workload {
	w := hotTail()
	w.Name = "hot-tail-delete"
	w.Summary = "hot-tail, while the oldest rows are deleted"
	w.Options = append(w.Options, Option{
		Name: "delete-rate", Default: "20000", Usage: "delete the oldest rows but the tail, at most `N` per second", Check: Number(deleteBatch, 10_000_000),
	})
	w.Run = func(ctx context.Context, s *server.Server, p Params, o *Observed) error {
		return runHotTail(ctx, s, p, o, p.Number("delete-rate"))
	}
	return w
}

// loadHotTail makes the table. A page keeps room for new versions of its rows, so that
// only the newest pages change.
func loadHotTail(ctx context.Context, s *server.Server, p Params) error {
	return loadTable(ctx, s, hotTailTable,
		`create table public.hot_tail (id bigint generated always as identity primary key, seen int not null default 0, payload text not null) with (fillfactor = 90)`,
		fmt.Sprintf("insert into public.hot_tail (payload) select repeat('x', 80) from generate_series(1, %d)", p.Rows(hotTailRows)),
		hotTailStatements(p.Number("tail")))
}

// loadTable makes a table with statements, and its pages all-visible but not frozen.
func loadTable(ctx context.Context, s *server.Server, table string, statements ...string) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	return execAll(ctx, conn, append(statements, "vacuum (analyze) public."+table)...)
}

// hotTailStatements insert rows, then update one of the last.
func hotTailStatements(tail int) string {
	return statementsProcedure("updated bigint;",
		fmt.Sprintf("insert into public.hot_tail (payload) select repeat('x', 80) from generate_series(1, %d)", hotTailInserts),
		fmt.Sprintf("updated := lastval() - floor(random() * %d)::bigint; update public.hot_tail set seen = seen + 1 where id = updated", tail))
}

// runHotTail lets the clients work, and deletes up to so many rows per second; 0: none.
func runHotTail(ctx context.Context, s *server.Server, p Params, o *Observed, deletes int) error {
	others := []func(context.Context) error{scaleFreezeAges(s, p, hotTailTable)}
	if deletes > 0 {
		others = append(others, func(ctx context.Context) error { return deleteOldest(ctx, s, deletes, p.Number("tail")) })
	}
	return load(ctx, s, p, o, statements, others...)
}

// deleteBatch is how many rows one statement deletes.
const deleteBatch = 1000

// deleteOldest deletes up to so many of the oldest rows per second, but not the tail.
func deleteOldest(ctx context.Context, s *server.Server, rate, tail int) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	pace := newPace(time.Now(), rate/deleteBatch, 0, 1)
	for from := int64(1); ; {
		if _, err := pace.wait(ctx); err != nil {
			return err
		}
		done, err := conn.Exec(ctx, "delete from public.hot_tail where id >= $1 and id < least($1 + $2, (select last_value from public.hot_tail_id_seq) - $3)", from, deleteBatch, tail)
		if err != nil {
			return fmt.Errorf("delete the oldest rows: %w", err)
		}
		from += done.RowsAffected()
	}
}
