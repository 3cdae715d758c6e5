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

// catalogPath is the start-up parameter of sessions that only look around: an
// operator is looked for along the search_path, and one of somebody else's that stands
// before the catalog's would run with the rights of this role.
const catalogPath = "pg_catalog"

// findTable looks a plan's table up. A name without a schema is looked for along
// the session's search_path, which is the catalog alone from then on. Nothing is locked.
func findTable(ctx context.Context, conn *pgconn.PgConn, p model.VacuumPlan) (table, error) {
	name, shown := quoted(p.Table), p.Table.QuoteIdent().Display()
	if schema, given := p.Schema.Get(); given {
		name, shown = quoted(schema)+"."+name, model.RelationName{Schema: schema, Name: p.Table}.Display()
	}
	found, err := query(ctx, conn, `
select pg_catalog.to_regclass($1)::pg_catalog.oid, pg_catalog.set_config('search_path', '`+catalogPath+`', false)`, name)
	if err != nil {
		return table{}, fmt.Errorf("look up the table %s: %w", shown, err)
	}
	if found[0][0] == "" {
		return table{}, fmt.Errorf("there is no table %s in this database", shown)
	}
	rows, err := query(ctx, conn, `
select c.oid, n.nspname, c.relname, c.relkind
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = $1::pg_catalog.oid`, found[0][0])
	if err != nil {
		return table{}, fmt.Errorf("look up the table %s: %w", shown, err)
	}
	if len(rows) == 0 {
		return table{}, fmt.Errorf("there is no table %s in this database", shown)
	}
	r := rows[0]
	oid, err := strconv.ParseUint(r[0], 10, 32)
	if err != nil {
		return table{}, fmt.Errorf("look up the table %s: %w", shown, err)
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
