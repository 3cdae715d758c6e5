package act

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// table is the relation that a plan names, as the catalog has it.
type table struct {
	oid  uint32
	name model.RelationName
	kind string // relkind
}

// findTable looks a plan's table up. A name without a schema is looked for along
// the session's search_path. Nothing is locked.
func findTable(ctx context.Context, conn *pgconn.PgConn, p model.VacuumPlan) (table, error) {
	name := quoted(p.Table)
	if schema, given := p.Schema.Get(); given {
		name = quoted(schema) + "." + name
	}
	rows, err := query(ctx, conn, `
select c.oid, n.nspname, c.relname, c.relkind
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = pg_catalog.to_regclass($1)`, name)
	if err != nil {
		return table{}, fmt.Errorf("look up the table %s: %w", model.Text(name).Display(), err)
	}
	if len(rows) == 0 {
		return table{}, fmt.Errorf("there is no table %s in this database", model.Text(name).Display())
	}
	r := rows[0]
	oid, err := strconv.ParseUint(r[0], 10, 32)
	if err != nil {
		return table{}, fmt.Errorf("look up the table %s: %w", model.Text(name).Display(), err)
	}
	t := table{uint32(oid), model.RelationName{Schema: model.Text(r[1]), Name: model.Text(r[2])}, r[3]}
	if what := notVacuumed[t.kind]; what != "" {
		return table{}, fmt.Errorf("%s is %s, which VACUUM does not take: name a table", t.name.Display(), what)
	}
	return t, nil
}

// notVacuumed are the kinds of relations that VACUUM skips with a warning.
var notVacuumed = map[string]string{
	"v": "a view", "i": "an index", "I": "an index", "S": "a sequence", "c": "a type", "f": "a foreign table",
}

// Holder is a session whose lock on a table a VACUUM of it would wait for.
type Holder struct {
	PID int32
	// Autovacuum tells that it is an autovacuum worker: one that waits for it longer
	// than deadlock_timeout makes the server cancel it.
	Autovacuum bool
	// AntiWraparound tells that it is one that gives no way.
	AntiWraparound bool
	Query          model.Text // "" when this role may not see it
}

// String says who it is.
func (h Holder) String() string {
	switch {
	case h.AntiWraparound:
		return fmt.Sprintf("an autovacuum to prevent wraparound (pid %d), which gives no way", h.PID)
	case h.Autovacuum:
		return fmt.Sprintf("an autovacuum (pid %d)", h.PID)
	case h.PID == 0:
		return "a prepared transaction"
	case h.Query == "":
		return fmt.Sprintf("pid %d", h.PID)
	}
	const long = 60
	text := []rune(h.Query.Display())
	if len(text) > long {
		text = append(text[:long], []rune(" ...")...)
	}
	return fmt.Sprintf("pid %d (%s)", h.PID, string(text))
}

// holders reads who holds a lock on the table, or on one of its partitions, that a VACUUM would wait for: all
// modes but the three weakest. A worker of autovacuum has no role, also where its
// row is masked. A parallel worker is its leader's.
func holders(ctx context.Context, conn *pgconn.PgConn, oid uint32) ([]Holder, error) {
	rows, err := query(ctx, conn, `
with recursive tree as (
  select $1::pg_catalog.oid as oid
  union all
  select i.inhrelid from pg_catalog.pg_inherits i join tree t on i.inhparent = t.oid
         join pg_catalog.pg_class c on c.oid = i.inhparent and c.relkind = 'p'
)
select distinct coalesce(l.pid, 0), a.usesysid is null and l.pid is not null as autovacuum, coalesce(a.query, '')
from pg_catalog.pg_locks l left join pg_catalog.pg_stat_activity a on a.pid = l.pid
where l.locktype = 'relation' and l.granted and l.relation in (select t.oid from tree t)
  and l.database in (0, (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))
  and l.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
  and l.pid is distinct from pg_catalog.pg_backend_pid() and a.leader_pid is null
order by 2 desc, 1`, strconv.FormatUint(uint64(oid), 10))
	if err != nil {
		return nil, fmt.Errorf("read who holds the table: %w", err)
	}
	var out []Holder
	for _, r := range rows {
		pid, _ := strconv.Atoi(r[0]) // an int4 of the server's
		h := Holder{PID: int32(pid), Autovacuum: r[1] == "t", Query: model.Text(r[2])}
		if h.Query == "<insufficient privilege>" {
			h.Query = ""
		}
		h.AntiWraparound = h.Autovacuum && model.PreventsWraparound(h.Query)
		out = append(out, h)
	}
	return out, nil
}

// query reads rows as text; NULL is "".
func query(ctx context.Context, conn *pgconn.PgConn, sql string, args ...string) ([][]string, error) {
	params := make([][]byte, len(args))
	for i, a := range args {
		params[i] = []byte(a)
	}
	result := conn.ExecParams(ctx, sql, params, nil, nil, nil).Read()
	if result.Err != nil {
		return nil, result.Err
	}
	rows := make([][]string, len(result.Rows))
	for i, r := range result.Rows {
		for _, v := range r {
			rows[i] = append(rows[i], string(v))
		}
	}
	return rows, nil
}
