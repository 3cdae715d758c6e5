package act

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// maxChoices is how many tables a choice lists.
const maxChoices = 100

// mayVacuum is, of a pg_class row c, whether this role may vacuum it: owner of the
// table or of the database, or from 17 on by the privilege MAINTAIN.
func mayVacuum(version int) string {
	owner := `(not c.relisshared and pg_catalog.pg_has_role(d.datdba, 'usage') or pg_catalog.pg_has_role(c.relowner, 'usage'))`
	if version < 170000 {
		return owner
	}
	return "(" + owner + " or pg_catalog.has_table_privilege(c.oid, 'maintain'))"
}

// neverMeasured is, of a pg_class row c, whether relpages says nothing: the relation
// was not vacuumed or analyzed since it was made. Up to 13 an empty one looks the same.
func neverMeasured(version int) string {
	if version < 140000 {
		return "c.relpages = 0 and c.reltuples = 0"
	}
	return "c.reltuples = -1"
}

// rowsOfAPage is how many rows a page holds where that is not known: of 100 bytes each.
const rowsOfAPage = 80

// Tables lists tables whose name has the letters of typed in their order, the
// largest first; one that was never measured stands where its rows in the statistics
// put it, as asking for its size would wait for who holds it. The server filters, so
// that a hundred thousand tables do not matter.
func (g *Gate) Tables(ctx context.Context, config *poll.Config, typed string) ([]model.TableChoice, error) {
	var out []model.TableChoice
	err := g.reading(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		version, err := versionOf(ctx, conn)
		if err != nil {
			return err
		}
		rows, err := query(ctx, conn, `
select c.oid, n.nspname, c.relname, c.relkind = 'p', case when not m.never then c.relpages end, case when m.never then m.rows end, pg_catalog.pg_stat_get_dead_tuples(c.oid),
       (extract(epoch from greatest(pg_catalog.pg_stat_get_last_vacuum_time(c.oid), pg_catalog.pg_stat_get_last_autovacuum_time(c.oid))) * 1000000)::pg_catalog.int8,
       `+mayVacuum(version)+`
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     join pg_catalog.pg_database d on d.datname = pg_catalog.current_database()
     cross join lateral (select `+neverMeasured(version)+` as never,
       pg_catalog.pg_stat_get_live_tuples(c.oid) + pg_catalog.pg_stat_get_dead_tuples(c.oid) as rows) m
where c.relkind in ('r', 'm', 'p') and n.nspname !~ '^pg_(temp|toast)'
  and (n.nspname || '.' || c.relname) ilike $1
order by n.nspname in ('pg_catalog', 'information_schema'), case when m.never then m.rows / `+strconv.Itoa(rowsOfAPage)+` else c.relpages end desc, n.nspname, c.relname
limit `+strconv.Itoa(maxChoices), pattern(typed))
		if err != nil {
			return fmt.Errorf("list the tables: %w", err)
		}
		for _, r := range rows {
			out = append(out, choice(r))
		}
		return nil
	})
	return out, err
}

func choice(r []string) model.TableChoice {
	oid, _ := strconv.ParseUint(r[0], 10, 32) // numbers of the server's
	t := model.TableChoice{
		RelID: uint32(oid), Name: model.RelationName{Schema: model.Text(r[1]), Name: model.Text(r[2])},
		Partitioned: r[3] == "t", Allowed: r[8] == "t",
	}
	if pages, err := strconv.ParseInt(r[4], 10, 64); err == nil && !t.Partitioned {
		t.RelPages = model.Some(model.Blocks(pages))
	}
	if n, err := strconv.ParseInt(r[5], 10, 64); err == nil && n > 0 && !t.Partitioned {
		t.Rows = model.Some(n)
	}
	if dead, err := strconv.ParseInt(r[6], 10, 64); err == nil && !t.Partitioned {
		t.DeadTuples = model.Some(dead)
	}
	if micros, err := strconv.ParseInt(r[7], 10, 64); err == nil {
		t.LastVacuum = model.Some(time.UnixMicro(micros))
	}
	return t
}

// pattern matches what has the letters in their order.
func pattern(typed string) string {
	var b strings.Builder
	b.WriteByte('%')
	for _, r := range typed {
		if strings.ContainsRune(`\%_`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		b.WriteByte('%')
	}
	return b.String()
}

// reading is connected for what changes nothing: it also works read-only.
func (g *Gate) reading(ctx context.Context, config *poll.Config, do func(context.Context, *pgconn.PgConn) error) error {
	return dialled(ctx, config, map[string]string{"lock_timeout": "1s"}, do)
}

func versionOf(ctx context.Context, conn *pgconn.PgConn) (int, error) {
	rows, err := query(ctx, conn, `select pg_catalog.current_setting('server_version_num')`)
	if err != nil {
		return 0, fmt.Errorf("ask the server for its version: %w", err)
	}
	return strconv.Atoi(rows[0][0])
}
