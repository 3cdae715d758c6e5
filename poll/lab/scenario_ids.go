package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// ageOf is how many transaction ids were given out since those that a table of schema
// public may still hold.
func ageOf(ctx context.Context, conn *server.Conn, table string) (age int64, err error) {
	err = conn.QueryRow(ctx,
		"select pg_catalog.age(relfrozenxid) from pg_catalog.pg_class where relnamespace = 'public'::regnamespace and relname = $1", table).Scan(&age)
	if err != nil {
		return 0, fmt.Errorf("read the age of %s: %w", table, err)
	}
	return age, nil
}

// ageTo uses up transaction ids, several hundred thousand a second, until a table is as
// old as that. The system's own tables in its database are frozen at times, so that they
// stay younger than the table, and their vacuums away.
func ageTo(ctx context.Context, conn *server.Conn, table string, age int64) error {
	for _, part := range []int64{2, 1} {
		if err := freezeCatalogs(ctx, conn); err != nil {
			return err
		}
		now, err := ageOf(ctx, conn, table)
		if err != nil {
			return err
		}
		if err := useIDs(ctx, conn, max(0, age-now)/part); err != nil {
			return err
		}
	}
	return nil
}

func useIDs(ctx context.Context, conn *server.Conn, n int64) error {
	err := execAll(ctx, conn, "set synchronous_commit = off",
		fmt.Sprintf("do $$ begin for i in 1..%d loop perform pg_catalog.txid_current(); commit; end loop; end $$", n),
		"reset synchronous_commit")
	if err != nil {
		return fmt.Errorf("use up transaction ids: %w", err)
	}
	return nil
}

// freezeCatalogs freezes the system's own tables, at full speed.
func freezeCatalogs(ctx context.Context, conn *server.Conn) error {
	var tables string
	err := conn.QueryRow(ctx, `
		select pg_catalog.string_agg(pg_catalog.format('%I.%I', n.nspname, c.relname), ', ')
		from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
		where n.nspname in ('pg_catalog', 'information_schema') and c.relkind = 'r'`).Scan(&tables)
	if err != nil {
		return fmt.Errorf("list the system's tables: %w", err)
	}
	return execAll(ctx, conn, "vacuum (freeze) "+tables)
}
