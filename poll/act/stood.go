package act

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// stood reads what the change's scope says of the setting now.
func stood(ctx context.Context, conn *pgconn.PgConn, c model.Change) (model.Stood, error) {
	var rows [][]string
	var err error
	switch c.Scope {
	case model.ScopeServer:
		return stoodInFile(ctx, conn, c.Name)
	case model.ScopeDatabase:
		rows, err = query(ctx, conn, `
select pg_catalog.unnest(s.setconfig) from pg_catalog.pg_db_role_setting s
where s.setrole = 0 and s.setdatabase = (select d.oid from pg_catalog.pg_database d where d.datname = $1)`, string(c.Database))
	case model.ScopeRole:
		rows, err = query(ctx, conn, `
select pg_catalog.unnest(s.setconfig) from pg_catalog.pg_db_role_setting s
where s.setdatabase = 0 and s.setrole = (select r.oid from pg_catalog.pg_roles r where r.rolname = $1)`, string(c.Role))
	case model.ScopeTable, model.ScopeToast:
		rows, err = query(ctx, conn, `
select coalesce(given.option, '')
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_class o on o.oid = case when $3 = 'toast' then c.reltoastrelid else c.oid end
     left join lateral pg_catalog.unnest(o.reloptions) given(option) on true
where n.nspname = $1 and c.relname = $2`, string(c.Table.Schema), string(c.Table.Name), string(c.Scope))
		if err == nil && len(rows) == 0 {
			err = errNoTable
		}
	}
	if err != nil {
		return model.Stood{}, fmt.Errorf("read what %s says of %s: %w", c.Place(), c.Name, err)
	}
	for _, r := range rows {
		if name, value, _ := strings.Cut(r[0], "="); name == c.Name {
			return model.Stood{Known: true, Value: model.Some(value)}, nil
		}
	}
	return model.Stood{Known: true}, nil
}

// errNoTable tells that there is no such table, or that it has no TOAST table.
var errNoTable = errors.New("there is no such table")

// stoodInFile reads what ALTER SYSTEM had set: a line of postgresql.auto.conf. The
// file is for superusers; other roles may see from pg_settings whether the value in
// force came from there, and where they do not, it is not known.
func stoodInFile(ctx context.Context, conn *pgconn.PgConn, name string) (model.Stood, error) {
	const auto = "postgresql.auto.conf"
	rows, err := query(ctx, conn, `
select f.setting from pg_catalog.pg_file_settings f where f.name = $1 and f.sourcefile like '%/`+auto+`' order by f.seqno desc`, name)
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok && refused.Code == insufficientPrivilege {
		return stoodInForce(ctx, conn, name, auto)
	}
	if err != nil {
		return model.Stood{}, fmt.Errorf("read what %s says of %s: %w", auto, name, err)
	}
	s := model.Stood{Known: true}
	if len(rows) > 0 {
		s.Value = model.Some(rows[0][0])
	}
	return s, nil
}

// insufficientPrivilege is the SQLSTATE of what a role may not do.
const insufficientPrivilege = "42501"

// stoodInForce is stoodInFile for a role that may not read the files.
func stoodInForce(ctx context.Context, conn *pgconn.PgConn, name, auto string) (model.Stood, error) {
	rows, err := query(ctx, conn, `
select case when s.unit = '8kB' then (s.setting::pg_catalog.int8 * 8) || 'kB'
            else s.setting || coalesce(case when s.unit in ('ms', 's', 'kB', 'MB') then s.unit end, '') end, coalesce(s.sourcefile, ''), s.source
from pg_catalog.pg_settings s where s.name = $1`, name)
	switch {
	case err != nil:
		return model.Stood{}, fmt.Errorf("read the setting %s: %w", name, err)
	case len(rows) == 0:
		return model.Stood{}, fmt.Errorf("this server has no setting %s", name)
	case rows[0][2] == "default":
		return model.Stood{Known: true}, nil
	case strings.HasSuffix(rows[0][1], auto):
		return model.Stood{Known: true, Value: model.Some(rows[0][0])}, nil
	}
	return model.Stood{}, nil
}
