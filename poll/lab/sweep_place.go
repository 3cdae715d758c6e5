package lab

import (
	"context"
	"fmt"
	"strconv"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// SweepPlace is where a sweep keeps the state of its table, from which each VACUUM begins.
type SweepPlace interface {
	// prepare makes the state of a table with some indexes.
	prepare(ctx context.Context, t indexed, indexes int) error
	// restoreNothing does what restore does of a table without rows.
	restoreNothing(ctx context.Context) error
	// restore opens a session in which the table is as it was prepared.
	restore(ctx context.Context) (*server.Conn, error)
}

// templates keeps states as databases of a throwaway server. The server copies their
// files, and writes them to disk, which takes less than making them again.
type templates struct {
	s *server.Server
	// base holds a table without dead rows and so many indexes.
	base    indexed
	indexes int
	warms   bool
}

// NewSweepPlace is on a throwaway server with SweepSettings.
func NewSweepPlace(s *server.Server) SweepPlace { return &templates{s: s} }

// The databases: a table that is loaded, one that is dirty too, and a copy of that to
// be vacuumed.
const (
	baseDatabase  = "sweep_base"
	dirtyDatabase = "sweep_dirty"
	runDatabase   = "sweep_run"
)

func (p *templates) prepare(ctx context.Context, t indexed, indexes int) error {
	if p.base != t || indexes < p.indexes {
		if err := p.load(ctx, t); err != nil {
			return err
		}
	}
	err := p.in(ctx, baseDatabase, func(conn *server.Conn) error { return t.addIndexes(ctx, conn, p.indexes+1, indexes) })
	if err != nil {
		return err
	}
	p.indexes = indexes
	if err := p.copyDatabase(ctx, baseDatabase, dirtyDatabase); err != nil {
		return err
	}
	return p.in(ctx, dirtyDatabase, func(conn *server.Conn) error { return t.makeDirty(ctx, conn) })
}

// load makes the base anew.
func (p *templates) load(ctx context.Context, t indexed) error {
	if err := p.copyDatabase(ctx, "template1", baseDatabase); err != nil {
		return err
	}
	p.base, p.indexes = t, 0
	return p.in(ctx, baseDatabase, func(conn *server.Conn) error {
		var err error
		if p.warms, err = makeWarmable(ctx, conn); err != nil {
			return err
		}
		return t.create(ctx, conn)
	})
}

func (p *templates) restore(ctx context.Context) (*server.Conn, error) {
	if err := p.copyDatabase(ctx, dirtyDatabase, runDatabase); err != nil {
		return nil, err
	}
	conn, err := p.s.ConnectTo(ctx, runDatabase)
	if err != nil || !p.warms {
		return conn, err
	}
	if err := prewarm(ctx, conn, indexedTable); err != nil {
		closeQuietly(conn)
		return nil, err
	}
	return conn, nil
}

func (p *templates) restoreNothing(ctx context.Context) error {
	return p.copyDatabase(ctx, "template1", runDatabase)
}

// copyDatabase makes a database as another one is, in place of what it was.
func (p *templates) copyDatabase(ctx context.Context, from, to string) error {
	strategy := ""
	if p.s.Major >= 15 {
		strategy = " strategy file_copy" // before, it is the only one
	}
	return p.in(ctx, "postgres", func(conn *server.Conn) error {
		return execAll(ctx, conn, "drop database if exists "+to, "create database "+to+" template "+from+strategy)
	})
}

// in works in a database.
func (p *templates) in(ctx context.Context, database string, do func(*server.Conn) error) error {
	conn, err := p.s.ConnectTo(ctx, database)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	return do(conn)
}

// ownSchema makes the state anew for each VACUUM: on a server that was not started here
// no database is copied.
type ownSchema struct {
	schema  *server.Schema
	table   indexed
	indexes int
}

// NewSweepPlaceIn is in a schema of a server that was not started here.
func NewSweepPlaceIn(schema *server.Schema) SweepPlace { return &ownSchema{schema: schema} }

func (p *ownSchema) prepare(_ context.Context, t indexed, indexes int) error {
	p.table, p.indexes = t, indexes
	return nil
}

func (p *ownSchema) restoreNothing(context.Context) error { return nil }

func (p *ownSchema) restore(ctx context.Context) (*server.Conn, error) {
	conn, err := p.schema.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.make(ctx, conn); err != nil {
		closeQuietly(conn)
		return nil, err
	}
	return conn, nil
}

// make makes the table, in a session that takes as many workers as the server allows.
func (p *ownSchema) make(ctx context.Context, conn *server.Conn) error {
	err := execAll(ctx, conn,
		"set max_parallel_maintenance_workers = "+strconv.Itoa(MostDegree), "set min_parallel_index_scan_size = 0",
		"drop table if exists "+indexedTable)
	if err == nil {
		err = p.table.create(ctx, conn)
	}
	if err == nil {
		err = p.table.addIndexes(ctx, conn, 1, p.indexes)
	}
	if err == nil {
		err = p.table.makeDirty(ctx, conn)
	}
	if err != nil {
		return fmt.Errorf("make the table: %w", err)
	}
	return nil
}

// most is the largest of some numbers, 0 of none.
func most[T int | model.Bytes](numbers []T) (largest T) {
	for _, n := range numbers {
		largest = max(largest, n)
	}
	return largest
}
