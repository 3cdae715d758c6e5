package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// counters are the server's cumulative ones at one moment.
type counters struct {
	wal            experiment.WAL
	walBackends    []experiment.WALBackend
	io             experiment.IO
	autovacuumTime *float64 // milliseconds
	rows           experiment.Rows
	dead           int64 // n_dead_tup of the tables
}

// readCounters reads them; the rows are those of the tables.
func readCounters(ctx context.Context, conn *server.Conn, major int, tables []string) (counters, error) {
	var c counters
	for _, read := range []func() error{
		func() error { return c.readWAL(ctx, conn, major) },
		func() error { return c.readIO(ctx, conn, major) },
		func() error { return c.readRows(ctx, conn, tables) },
		func() error { return c.readWALBackends(ctx, conn, major) },
	} {
		if err := read(); err != nil {
			return c, fmt.Errorf("read the server's counters: %w", err)
		}
	}
	return c, nil
}

// readWAL reads pg_stat_wal, from 14 on; before, the position of insertion.
func (c *counters) readWAL(ctx context.Context, conn *server.Conn, major int) error {
	sql := "select wal_bytes::bigint, wal_records, wal_fpi from pg_catalog.pg_stat_wal"
	if major < 14 {
		sql = "select (pg_catalog.pg_current_wal_insert_lsn() - '0/0')::bigint, null::bigint, null::bigint"
	}
	var size, records, images *int64
	err := conn.QueryRow(ctx, sql).Scan(&size, &records, &images)
	c.wal = experiment.WAL{Bytes: optional[model.Bytes](size), Records: optional[int64](records), FullPageImages: optional[int64](images)}
	return err
}

// readIO reads pg_stat_io, from 16 on; before, pg_stat_bgwriter.
func (c *counters) readIO(ctx context.Context, conn *server.Conn, major int) error {
	c.io.From = "pg_stat_io"
	sql := `
		select sum(writes) filter (where backend_type in ('checkpointer', 'background writer'))::bigint,
		       sum(reads) filter (where backend_type not in ('checkpointer', 'background writer'))::bigint,
		       sum(writes) filter (where backend_type not in ('checkpointer', 'background writer'))::bigint,
		       (sum(coalesce(read_time, 0) + coalesce(write_time, 0) + coalesce(writeback_time, 0) + coalesce(extend_time, 0) + coalesce(fsync_time, 0))
		          filter (where backend_type = 'autovacuum worker' and pg_catalog.current_setting('track_io_timing')::bool))::float8
		from pg_catalog.pg_stat_io where object in ('relation', 'temp relation')`
	if major < 16 {
		c.io.From = "pg_stat_bgwriter"
		sql = `
		select buffers_checkpoint + buffers_clean, (select sum(blks_read)::bigint from pg_catalog.pg_stat_database), buffers_backend, null::float8
		from pg_catalog.pg_stat_bgwriter`
	}
	var background, reads, writes *int64
	err := conn.QueryRow(ctx, sql).Scan(&background, &reads, &writes, &c.autovacuumTime)
	c.io.CheckpointerWriter, c.io.OtherReads, c.io.OtherWrites = optional[int64](background), optional[int64](reads), optional[int64](writes)
	return err
}

// ofTables picks the workload's tables in a view with schemaname and relname; $1 are their
// names.
const ofTables = `(schemaname = 'public' and relname = any ($1)
	or pg_catalog.cardinality($1::text[]) = 0 and schemaname !~ '^pg_' and schemaname <> 'information_schema')`

func (c *counters) readRows(ctx context.Context, conn *server.Conn, tables []string) error {
	return conn.QueryRow(ctx, `
		select coalesce(sum(n_tup_ins), 0)::bigint, coalesce(sum(n_tup_upd), 0)::bigint, coalesce(sum(n_tup_hot_upd), 0)::bigint,
		       coalesce(sum(n_tup_del), 0)::bigint, coalesce(sum(n_dead_tup), 0)::bigint
		from pg_catalog.pg_stat_all_tables where `+ofTables, names(tables)).
		Scan(&c.rows.Inserted, &c.rows.Updated, &c.rows.UpdatedHOT, &c.rows.Deleted, &c.dead)
}

// names are the names of tables as an array for the server: never NULL.
func names(tables []string) []string { return append([]string{}, tables...) }

// readWALBackends reads the WAL's files in pg_stat_io, from 18 on.
func (c *counters) readWALBackends(ctx context.Context, conn *server.Conn, major int) error {
	if major < 18 {
		return nil
	}
	rows, err := conn.Query(ctx, `
		select backend_type, sum(write_bytes) filter (where context = 'init')::bigint, sum(write_bytes) filter (where context = 'normal')::bigint
		from pg_catalog.pg_stat_io where object = 'wal' group by backend_type order by backend_type`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var backend string
		var initialised, written *int64
		if err := rows.Scan(&backend, &initialised, &written); err != nil {
			return err
		}
		c.walBackends = append(c.walBackends, experiment.WALBackend{
			Backend: backend, Initialised: optional[model.Bytes](initialised), Written: optional[model.Bytes](written),
		})
	}
	return rows.Err()
}

// since is how much was counted since counters that were read before.
func (c counters) since(before counters) (out experiment.Measures) {
	out.WAL = experiment.WAL{
		Bytes: less(c.wal.Bytes, before.wal.Bytes), Records: less(c.wal.Records, before.wal.Records),
		FullPageImages: less(c.wal.FullPageImages, before.wal.FullPageImages),
	}
	out.IO = experiment.IO{
		From: c.io.From, CheckpointerWriter: less(c.io.CheckpointerWriter, before.io.CheckpointerWriter),
		OtherReads: less(c.io.OtherReads, before.io.OtherReads), OtherWrites: less(c.io.OtherWrites, before.io.OtherWrites),
	}
	if now, then := c.autovacuumTime, before.autovacuumTime; now != nil && then != nil {
		out.IO.AutovacuumTime = model.Some(model.Milliseconds(*now - *then))
	}
	out.Rows = experiment.Rows{
		Inserted: c.rows.Inserted - before.rows.Inserted, Updated: c.rows.Updated - before.rows.Updated,
		UpdatedHOT: c.rows.UpdatedHOT - before.rows.UpdatedHOT, Deleted: c.rows.Deleted - before.rows.Deleted,
	}
	for i, b := range c.walBackends {
		then := before.walBackends[i] // the types are those of the server's version
		b.Initialised, b.Written = less(b.Initialised, then.Initialised), less(b.Written, then.Written)
		if b.Initialised.Or(0) > 0 || b.Written.Or(0) > 0 {
			out.WALBackends = append(out.WALBackends, b)
		}
	}
	return out
}

// optional is a value that may be NULL.
func optional[T ~int64](value *int64) model.Opt[T] {
	if value == nil {
		return model.None[T]()
	}
	return model.Some(T(*value))
}

// less is a minus b; absent where one is.
func less[T ~int64](a, b model.Opt[T]) model.Opt[T] {
	x, hasX := a.Get()
	y, hasY := b.Get()
	if !hasX || !hasY {
		return model.None[T]()
	}
	return model.Some(x - y)
}
