package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// OldSnapshot shows that VACUUM removes no row that somebody may still see: a session, a
// prepared transaction and a replication slot keep dead rows, one after another.
func OldSnapshot() Scenario {
	return Scenario{
		Name:     "old-snapshot",
		Summary:  "no dead row goes while somebody may still see it",
		Settings: func(int) []string { return []string{"max_prepared_transactions=5", "wal_level=logical"} },
		Begin:    beginOldSnapshot,
	}
}

// oldSnapshot lets keepers hold dead rows.
type oldSnapshot struct {
	s      *server.Server
	conn   *server.Conn
	report *server.Conn // the first keeper's
	rows   int
}

// keeper is somebody for whom dead rows have to stay, until it has ended.
type keeper struct {
	table      string   // whose dead rows stay, with its schema
	pace       []string // cost settings, which make the vacuums of every table about as long
	dirty      string   // statement that makes rows dead
	hold, end  func(ctx context.Context) error
	kept, gone Caption
	dead       int64 // rows that die, at least
}

const cartsAtScaleOne = 60_000

func beginOldSnapshot(ctx context.Context, s *server.Server, scale float64) ([]Stage, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	o := &oldSnapshot{s: s, conn: conn, rows: scaled(cartsAtScaleOne, scale)}
	err = execAll(ctx, conn,
		`create table public.carts (id bigint not null, what text, seen int not null default 0)
			with (autovacuum_enabled = off, fillfactor = 50)`,
		"alter table public.carts alter what set storage plain", // in CREATE TABLE from 16 on
		fmt.Sprintf("insert into public.carts select g, repeat('x', 400) from generate_series(1, %d) g", o.rows),
		"create index carts_id on public.carts (id)",
		"vacuum (analyze) public.carts")
	if err != nil {
		return nil, err
	}
	var stages []Stage
	for _, k := range []keeper{o.session(), o.prepared(), o.slot(scale)} {
		stages = append(stages,
			Stage{Caption: k.kept, Run: func(ctx context.Context) (Check, error) { return o.keeps(ctx, k) }},
			Stage{Caption: k.gone, Run: func(ctx context.Context) (Check, error) { return o.removes(ctx, k) }})
	}
	return stages, nil
}

// session is a transaction with an old snapshot.
func (o *oldSnapshot) session() keeper {
	return keeper{
		table: "public.carts", pace: cartsPace, dirty: o.updateThird(0), dead: int64(o.rows / 3),
		hold: func(ctx context.Context) (err error) {
			if o.report, err = o.s.Connect(ctx); err != nil {
				return err
			}
			return execAll(ctx, o.report, "set application_name = 'nightly report'",
				"begin isolation level repeatable read", "select count(*) from public.carts")
		},
		end: func(context.Context) error {
			closeQuietly(o.report) // the person may have ended it
			return nil
		},
		kept: Caption{
			Title: "a report is still open",
			Happens: "A report began its transaction; then a third of the rows was updated. An update leaves the old row behind, dead. " +
				"The report may still look at those rows, so this VACUUM has to leave them.",
			Look: "H lists who keeps dead rows, and can end one; a minute old it is named below the vacuums too.",
		},
		gone: Caption{
			Title:   "the report has ended",
			Happens: "The report's transaction is over. Nothing was updated since. The same VACUUM runs again, and now may remove the dead rows.",
			Look:    "H lists nobody any more.",
		},
	}
}

// prepared is a transaction that was prepared and forgotten.
func (o *oldSnapshot) prepared() keeper {
	return keeper{
		table: "public.carts", pace: cartsPace, dirty: o.updateThird(1), dead: int64(o.rows / 3),
		hold: func(ctx context.Context) error {
			return execAll(ctx, o.conn, "begin", "select pg_catalog.txid_current()", "prepare transaction 'forgotten'")
		},
		end: func(ctx context.Context) error {
			return o.endIf(ctx, "select exists (select from pg_catalog.pg_prepared_xacts where gid = 'forgotten')", "rollback prepared 'forgotten'")
		},
		kept: Caption{
			Title: "a prepared transaction was forgotten",
			Happens: "A program prepared a transaction (two-phase commit) and never came back. It belongs to no session, outlives a restart, " +
				"and keeps dead rows as an open transaction does. Rows were updated again.",
			Look: "H names it, and shows the statement that ends it; esc closes.",
		},
		gone: Caption{
			Title:   "ROLLBACK PREPARED has ended it",
			Happens: "ROLLBACK PREPARED 'forgotten' was sent, and the same VACUUM runs again.",
			Look:    "H lists nobody any more.",
		},
	}
}

// temporaryTables is how many are made and dropped at scale 1, so that rows of the
// catalogs die: seven of pg_attribute for each.
const (
	temporaryTables = 2000
	attributesOfOne = 7
)

// slot is a logical replication slot, which keeps the catalogs' dead rows only.
func (o *oldSnapshot) slot(scale float64) keeper {
	tables := scaled(temporaryTables, scale)
	return keeper{
		table: "pg_catalog.pg_attribute", pace: catalogPace, dead: int64(tables * attributesOfOne),
		dirty: fmt.Sprintf(`do $$ begin for i in 1..%d loop
			create temp table step (number int); drop table step; commit;
			for j in 1..6 loop perform pg_catalog.txid_current(); commit; end loop;
			end loop; end $$`, tables),
		hold: func(ctx context.Context) error {
			return execAll(ctx, o.conn, "select pg_catalog.pg_create_logical_replication_slot('old_subscriber', 'pgoutput')")
		},
		end: func(ctx context.Context) error {
			return o.endIf(ctx, "select exists (select from pg_catalog.pg_replication_slots where slot_name = 'old_subscriber')",
				"select pg_catalog.pg_drop_replication_slot('old_subscriber')")
		},
		kept: Caption{
			Title: "a replication slot nobody reads",
			Happens: "A subscriber has gone; its replication slot stayed. Such a slot keeps dead rows of the catalogs, which describe all tables: " +
				"here of pg_attribute, after many temporary tables came and went.",
			Look: "below the vacuums the slot is named: old_subscriber. H shows the statement that drops it.",
		},
		gone: Caption{
			Title:   "the slot was dropped",
			Happens: "The slot was dropped, and the same VACUUM runs again.",
			Look:    "H lists nobody any more.",
		},
	}
}

// Vacuums of about seven seconds at scale 1.
var (
	cartsPace   = []string{"set vacuum_cost_delay = '2ms'", "set vacuum_cost_limit = 40"}
	catalogPace = []string{"set vacuum_cost_delay = '10ms'", "set vacuum_cost_limit = 15"}
)

// updateThird updates every third row, each in a transaction of its own: the screen
// speaks of a keeper that holds the dead rows of many.
func (o *oldSnapshot) updateThird(third int) string {
	return fmt.Sprintf(`do $$ begin for i in 1..%d loop update public.carts set seen = seen + 1 where id = 3 * i - %d; commit; end loop; end $$`, o.rows/3, third)
}

// endIf runs a statement, unless the person at the screen has ended what it ends.
func (o *oldSnapshot) endIf(ctx context.Context, exists, end string) error {
	var there bool
	if err := o.conn.QueryRow(ctx, exists).Scan(&there); err != nil || !there {
		return err
	}
	return execAll(ctx, o.conn, end)
}

// keeps lets a keeper hold, makes rows dead, and vacuums in vain.
func (o *oldSnapshot) keeps(ctx context.Context, k keeper) (Check, error) {
	if err := k.hold(ctx); err != nil {
		return Check{}, err
	}
	if err := execAll(ctx, o.conn, k.dirty); err != nil {
		return Check{}, err
	}
	dead, err := o.vacuum(ctx, k)
	return Check{Figure: dead.sentence(), Holds: dead.removed == 0 && dead.kept >= k.dead}, err
}

// removes ends a keeper, and vacuums again. Some of the rows may have been removed by who
// came upon them meanwhile.
func (o *oldSnapshot) removes(ctx context.Context, k keeper) (Check, error) {
	if err := k.end(ctx); err != nil {
		return Check{}, err
	}
	dead, err := o.vacuum(ctx, k)
	return Check{Figure: dead.sentence(), Holds: dead.removed >= k.dead*9/10 && dead.kept == 0}, err
}

// vacuum runs a VACUUM of a keeper's table. The checkpoint before it makes all pages
// clean, so that each of them costs the same.
func (o *oldSnapshot) vacuum(ctx context.Context, k keeper) (deadRows, error) {
	conn, err := o.s.Connect(ctx) // vacuums of one session would be seen as one command's
	if err != nil {
		return deadRows{}, err
	}
	defer closeQuietly(conn)
	if err := execAll(ctx, conn, append([]string{"checkpoint"}, k.pace...)...); err != nil {
		return deadRows{}, err
	}
	return vacuumVerbose(ctx, conn, k.table)
}
