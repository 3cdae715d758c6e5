package poll

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// The reading of shared buffers looks at every one of them: on a large server it takes
// seconds of a processor.
const (
	cachedTimeout  = 10 * time.Second // the server's
	cachedDeadline = 15 * time.Second
)

// whenAsked is when the statements of a reading of shared buffers are sent.
const whenAsked = "with --buffercache, when a recording begins and ends, over a connection of its own"

// cacheSchemaStatement finds the schema of the extension pg_buffercache.
func cacheSchemaStatement() *statement {
	return &statement{
		part: "schema of pg_buffercache",
		when: whenAsked,
		sql: timed(`
select n.nspname from pg_catalog.pg_extension e join pg_catalog.pg_namespace n on n.oid = e.extnamespace
where e.extname = 'pg_buffercache'`),
	}
}

// cachedStatement counts the buffers of the relations of the connected database and of
// the shared ones, all forks together. The names of the extension's views stand in a schema.
func cachedStatement(schema string) *statement {
	return &statement{
		part: "shared buffers",
		when: whenAsked,
		sql: timed(`
select c.oid as relid, c.relisshared, c.relname, pg_catalog.count(*) as buffers,
       pg_catalog.count(*) filter (where b.isdirty) as dirty
from `+schema+`.pg_buffercache b
     join pg_catalog.pg_class c on pg_catalog.pg_relation_filenode(c.oid) = b.relfilenode
     join pg_catalog.pg_database d on d.datname = pg_catalog.current_database()
where b.reldatabase = case when c.relisshared then 0 else d.oid end
group by c.oid, c.relisshared, c.relname`) + fmt.Sprintf(`
order by r.buffers desc
limit %d`, model.MostCached),
	}
}

// Cached reads how many shared buffers the relations of a database have, the 1,000 with
// most of them. It connects, and ends that connection.
func Cached(ctx context.Context, config *Config) ([]model.CachedRelation, error) {
	ctx, cancel := context.WithTimeout(ctx, cachedDeadline)
	defer cancel()
	there := *config
	there.pg = config.pg.Copy()
	there.pg.RuntimeParams["statement_timeout"] = fmt.Sprint(cachedTimeout.Milliseconds())
	conn, err := there.dial(ctx)
	if err != nil {
		return nil, connectError(&there, err)
	}
	s := &session{conn: conn}
	defer s.close()
	schema, datid := "", uint32(0)
	where := &request{statement: cacheSchemaStatement(), decode: func(r row) error {
		schema = r.string("nspname")
		return nil
	}}
	is := &request{statement: databaseStatement(), decode: func(r row) error {
		datid = r.oid("datid").Or(0)
		return nil
	}}
	if err := run(ctx, conn, where, is); err != nil {
		return nil, fmt.Errorf("read shared buffers: %w", err)
	}
	if schema == "" && where.err == nil {
		return nil, errors.New("read shared buffers: the extension pg_buffercache is not in this database; CREATE EXTENSION pg_buffercache makes it")
	}
	out := []model.CachedRelation{}
	quoted := `"` + strings.ReplaceAll(schema, `"`, `""`) + `"`
	q := list(cachedStatement(quoted), &out, decodeCached(datid))
	if err := run(ctx, conn, q); err != nil {
		return nil, fmt.Errorf("read shared buffers: %w", err)
	}
	for _, r := range []*request{where, is, q} {
		if p, failed := r.problem().Get(); failed {
			return nil, fmt.Errorf("read shared buffers: %s (SQLSTATE %s); members of pg_monitor may", p.Message.Display(), p.SQLState)
		}
	}
	return out, nil
}

func decodeCached(datid uint32) func(*[]model.CachedRelation) func(row) error {
	return func(to *[]model.CachedRelation) func(row) error {
		return func(r row) error {
			c := model.CachedRelation{
				DatID: datid, RelID: r.oid("relid").Or(0), Name: r.text("relname").Or(""),
				Buffers: model.Blocks(r.integer("buffers").Or(0)), Dirty: model.Blocks(r.integer("dirty").Or(0)),
			}
			if r.boolean("relisshared") {
				c.DatID = 0
			}
			*to = append(*to, c)
			return nil
		}
	}
}
