package lab

import (
	"context"
	"fmt"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// indexed is a table of narrow rows whose indexes are all equal, a share of its rows dead.
// These are the first ones of the table, so that a VACUUM leaves out the pages behind
// them, and lie all over the indexes. It has no schema: that of the session holds.
type indexed struct {
	rows  int64
	dirty model.Ratio
}

const (
	indexedTable = "measured"

	// A page of 8 kB holds 185 of its rows, and of its index 367 entries as it is built.
	rowsPerPage    = 185
	entriesPerPage = 367
	pageBytes      = 8192
)

func newIndexed(size model.Bytes, dirty model.Ratio) indexed {
	return indexed{max(1, int64(size)/pageBytes*rowsPerPage), dirty}
}

// bytes is how large the table is with some indexes, about.
func (t indexed) bytes(indexes int) model.Bytes {
	pages := float64(t.rows)/rowsPerPage + float64(indexes)*float64(t.rows)/entriesPerPage
	return model.Bytes(pages * pageBytes)
}

// create makes the table, in which the order of the indexed column is another one than
// that of the rows. It is vacuumed, which marks its pages as visible to all.
func (t indexed) create(ctx context.Context, conn *server.Conn) error {
	return execAll(ctx, conn,
		"create table "+indexedTable+" (id bigint not null, k bigint not null) with (autovacuum_enabled = off)",
		fmt.Sprintf("insert into %s select g, g * 7919 %% %d from generate_series(1::bigint, %d) g", indexedTable, t.rows, t.rows),
		"vacuum "+indexedTable)
}

// addIndexes makes the indexes from one on up to another; the first one is 1.
func (t indexed) addIndexes(ctx context.Context, conn *server.Conn, from, to int) error {
	for n := from; n <= to; n++ {
		if err := execAll(ctx, conn, fmt.Sprintf("create index %s_k_%d on %s (k)", indexedTable, n, indexedTable)); err != nil {
			return err
		}
	}
	return nil
}

// makeDirty makes rows dead.
func (t indexed) makeDirty(ctx context.Context, conn *server.Conn) error {
	return execAll(ctx, conn, fmt.Sprintf("delete from %s where id <= %d", indexedTable, int64(float64(t.dirty)*float64(t.rows))))
}
