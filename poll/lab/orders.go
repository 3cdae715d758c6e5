package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// orders is the table that the demo vacuums: rows of about 250 bytes, no column
// long enough for a TOAST table, and seven indexes of different sizes. Their low
// fill factors make many pages of few rows, so that loading is quick, vacuuming
// is not, and the updated rows find room without a page being split: every round
// meets the same number of pages.
type orders struct{ rows int }

// rowsAtScaleOne makes a vacuum at demoCostDelay and demoCostLimit take about 25 s,
// most of them asleep, so that it hardly depends on the machine.
const rowsAtScaleOne = 140_000

func newOrders(scale float64) orders { return orders{rows: scaled(rowsAtScaleOne, scale)} }

var ordersIndexes = []string{
	"alter table public.orders add constraint orders_pkey primary key (id) with (fillfactor = 50)",
	"create index orders_customer_idx on public.orders (customer) with (fillfactor = 20)",
	"create index orders_email_idx on public.orders (email) with (fillfactor = 20)",
	"create index orders_product_idx on public.orders (product) with (fillfactor = 20)",
	"create index orders_tracking_idx on public.orders (tracking) with (fillfactor = 20)",
	"create index orders_status_placed_at_idx on public.orders (status, placed_at) with (fillfactor = 30)",
	"create index orders_shipped_at_idx on public.orders (shipped_at) with (fillfactor = 50)",
}

// describe says how much is loaded.
func (o orders) describe() string {
	return fmt.Sprintf("%s rows, %d indexes", model.FormatCount(int64(o.rows)), len(ordersIndexes))
}

// load makes the table.
func (o orders) load(ctx context.Context, conn *server.Conn) error {
	statements := []string{
		`create table public.orders (
			id bigint not null, customer varchar(40), email varchar(64), product varchar(40), tracking varchar(40),
			status varchar(12), placed_at timestamptz, shipped_at timestamptz, total numeric(10,2)
		) with (autovacuum_enabled = off, fillfactor = 75)`,
		fmt.Sprintf(`insert into public.orders
			select g, md5('c' || g), md5('e' || g) || '@mail.example', md5('p' || g), md5('t' || g),
			       'paid', now() - g * interval '1 second', now() - g * interval '1 second', g %% 1000
			from generate_series(1, %d) g`, o.rows),
	}
	return execAll(ctx, conn, append(statements, ordersIndexes...)...)
}

// dirty updates every fifth row, another fifth each round. The lock keeps a VACUUM that
// waits for the table until there is something for it to do. The checkpoint writes the
// pages, so that the vacuum is the one who makes them dirty, at its cost.
func (o orders) dirty(ctx context.Context, conn *server.Conn, round int) error {
	return execAll(ctx, conn,
		"begin", "lock table public.orders in share update exclusive mode",
		fmt.Sprintf("update public.orders set shipped_at = now() where id %% 5 = %d", round%5),
		"commit", "checkpoint")
}

// execAll runs statements one after another, each in a transaction of its own.
func execAll(ctx context.Context, conn *server.Conn, statements ...string) error {
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%.40s…: %w", statement, err)
		}
	}
	return nil
}
