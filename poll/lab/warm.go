package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// makeWarmable makes pg_prewarm in the session's database, and tells whether it could be
// had: some packages lack it.
func makeWarmable(ctx context.Context, conn *server.Conn) (can bool, err error) {
	err = conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_available_extensions where name = 'pg_prewarm')").Scan(&can)
	if err != nil {
		return false, fmt.Errorf("look for pg_prewarm: %w", err)
	}
	if !can {
		return false, nil
	}
	return true, execAll(ctx, conn, "create extension pg_prewarm")
}

// prewarm reads a table and its indexes into shared buffers, with pg_prewarm.
func prewarm(ctx context.Context, conn *server.Conn, table string) error {
	return execAll(ctx, conn, fmt.Sprintf(`
		select pg_prewarm(oid) from pg_catalog.pg_class
		where oid = '%[1]s'::pg_catalog.regclass
		   or oid in (select indexrelid from pg_catalog.pg_index where indrelid = '%[1]s'::pg_catalog.regclass)`, table))
}

// warm reads a table and its indexes into shared buffers as far as it can be done, and
// writes what was changed by that. It says how, as a clause.
func warm(ctx context.Context, conn *server.Conn, table string) (how string, err error) {
	var installed bool
	err = conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_extension where extname = 'pg_prewarm')").Scan(&installed)
	if err != nil {
		return "", err
	}
	if installed {
		err = prewarm(ctx, conn, table)
		how = "prewarmed"
	} else {
		err = execAll(ctx, conn, "select count(*) from "+table)
		how = "the table was read before and its indexes were not, because pg_prewarm is not there"
	}
	if err != nil {
		return "", err
	}
	return how, execAll(ctx, conn, "checkpoint")
}
