package act

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// Review reads what is to be known before a plan is sent.
func (p *Prepared) Review(ctx context.Context) (model.VacuumReview, error) {
	ctx, cancel := context.WithTimeout(ctx, setupTime)
	defer cancel()
	r := model.VacuumReview{Table: p.Table, Statements: p.Statements(), Settings: p.Settings}
	var err error
	if r.Holders, err = holders(ctx, p.conn, p.table.oid); err != nil {
		return r, err
	}
	oid := strconv.FormatUint(uint64(p.table.oid), 10)
	rows, err := query(ctx, p.conn, `
select (select count(*) from pg_catalog.pg_locks l where l.relation = c.oid and not l.granted), `+mayVacuum(p.version)+`
from pg_catalog.pg_class c join pg_catalog.pg_database d on d.datname = pg_catalog.current_database()
where c.oid = $1::pg_catalog.oid`, oid)
	if err != nil || len(rows) == 0 {
		return r, fmt.Errorf("read who waits for the table and whether it may be vacuumed: %w", err)
	}
	r.Waiting, _ = strconv.Atoi(rows[0][0]) // a count of the server's
	r.Allowed = rows[0][1] == "t"
	switch {
	case p.plan.Full || p.partitioned():
	case p.plan.IndexCleanup == "off":
		r.Workers, r.WorkersWhy = model.Some(0), "INDEX_CLEANUP is off"
	default:
		err = p.workers(ctx, oid, &r)
	}
	return r, err
}

// workers tells how many workers the server can plan for the table with this
// session's settings: one for each large enough index but the leader's.
func (p *Prepared) workers(ctx context.Context, oid string, r *model.VacuumReview) error {
	rows, err := query(ctx, p.conn, `
select count(*) filter (where ic.relpages >= s.least and am.amname <> 'brin'), s.most, s.total, s.processes
from (select pg_catalog.current_setting('max_parallel_maintenance_workers')::pg_catalog.int8 as most,
             pg_catalog.current_setting('max_parallel_workers')::pg_catalog.int8 as total,
             pg_catalog.current_setting('max_worker_processes')::pg_catalog.int8 as processes,
             (select g.setting::pg_catalog.int8 from pg_catalog.pg_settings g where g.name = 'min_parallel_index_scan_size') as least) s
     left join pg_catalog.pg_index x on x.indrelid = $1::pg_catalog.oid and x.indisready
     left join pg_catalog.pg_class ic on ic.oid = x.indexrelid
     left join pg_catalog.pg_am am on am.oid = ic.relam
group by s.most, s.total, s.processes`, oid)
	if err != nil {
		return fmt.Errorf("read how many parallel workers there can be: %w", err)
	}
	number := func(i int) int {
		n, _ := strconv.Atoi(rows[0][i]) // a count of the server's
		return n
	}
	eligible, most, total, processes := number(0), number(1), number(2), number(3)
	workers := max(0, eligible-1)
	r.WorkersWhy = fmt.Sprintf("%d of its indexes are large enough, and the leader takes one", eligible)
	for _, limit := range []struct {
		n   int
		why string
	}{
		{most, fmt.Sprintf("max_parallel_maintenance_workers is %d", most)},
		{total, fmt.Sprintf("max_parallel_workers is %d", total)},
		{processes, fmt.Sprintf("max_worker_processes is %d", processes)},
		{p.plan.Parallel.Or(workers), fmt.Sprintf("PARALLEL %d asks for no more", p.plan.Parallel.Or(0))},
	} {
		if limit.n < workers {
			workers, r.WorkersWhy = limit.n, limit.why
		}
	}
	r.Workers = model.Some(workers)
	return nil
}

// holders reads who holds a lock on the table, or on one of its partitions, that a
// VACUUM would wait for: all modes but the three weakest. A worker of autovacuum has
// no role, also where its row is masked. A parallel worker is its leader's.
func holders(ctx context.Context, conn *pgconn.PgConn, oid uint32) ([]model.TableHolder, error) {
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
	var out []model.TableHolder
	for _, r := range rows {
		pid, _ := strconv.Atoi(r[0]) // an int4 of the server's
		h := model.TableHolder{PID: int32(pid), Autovacuum: r[1] == "t", Query: model.Text(r[2])}
		if h.Query == "<insufficient privilege>" {
			h.Query = ""
		}
		h.AntiWraparound = h.Autovacuum && model.PreventsWraparound(h.Query)
		out = append(out, h)
	}
	return out, nil
}
