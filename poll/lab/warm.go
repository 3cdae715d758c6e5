package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/poll/server"
)

// canPrewarm tells whether pg_prewarm can be had. Some packages lack it.
func canPrewarm(ctx context.Context, conn *server.Conn) (can bool, err error) {
	err = conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_available_extensions where name = 'pg_prewarm')").Scan(&can)
	if err != nil {
		return false, fmt.Errorf("look for pg_prewarm: %w", err)
	}
	return can, nil
}

// warm reads a table and its indexes into shared buffers, and writes what was changed by
// that. It says how, as a clause.
func warm(ctx context.Context, conn *server.Conn, table string) (how string, err error) {
	var installed bool
	err = conn.QueryRow(ctx, "select exists (select from pg_catalog.pg_extension where extname = 'pg_prewarm')").Scan(&installed)
	if err != nil {
		return "", err
	}
	if !installed {
		return "read before by a scan, without the indexes: pg_prewarm is not there", execAll(ctx, conn, "select count(*) from "+table, "checkpoint")
	}
	return "prewarmed", execAll(ctx, conn, fmt.Sprintf(`
		select pg_prewarm(oid) from pg_catalog.pg_class
		where oid = '%[1]s'::pg_catalog.regclass
		   or oid in (select indexrelid from pg_catalog.pg_index where indrelid = '%[1]s'::pg_catalog.regclass)`, table), "checkpoint")
}
