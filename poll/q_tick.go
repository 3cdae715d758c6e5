package poll

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// tickStatement reads all processes of vacuums at one moment: leaders (a row of
// pg_stat_progress_vacuum, or of the view of VACUUM FULL, CLUSTER and REPACK) and
// their parallel workers. Progress, state and wait stand in one statement so that
// they belong together.
//
// Rows that this role may not see (phase is NULL) are left out. Workers have no
// progress columns. indexes_processed is there from 17 on, delay_time
// (milliseconds, leader and workers together) from 18 on.
//
// It asks for the leaders by pid, and for all sessions only while there can be
// workers, who live in the index phases (those of a rewrite in any).
// pg_stat_get_activity is what pg_stat_activity is made of; with a pid it makes one
// row instead of one for every session.
//
// leader_pid alone does not make a parallel worker of a vacuum: parallel queries
// have it too, and the decoding worker of 19's REPACK (CONCURRENTLY), which is named
// by its backend_type. That is NULL for a worker that starts (14).
func tickStatement(c columns) *statement {
	return &statement{
		part: "tick",
		name: "vacscope_tick",
		when: withWorkers,
		sql: timed(`
with v as materialized (
` + tickRows(c) + `)
select a.pid, a.datid, a.backend_start, a.query_start, a.leader_pid, a.state = 'active' as active,
       v.relid, v.phase, v.index_vacuum_count, v.indexes_processed, v.delay_time,
       a.wait_event_type, a.wait_event, null as helper
from v cross join lateral pg_catalog.pg_stat_get_activity(v.pid) a
union all
select a.pid, a.datid, a.backend_start, a.query_start, a.leader_pid, a.state = 'active',
       null, null, null, null, null,
       a.wait_event_type, a.wait_event, nullif(a.backend_type, 'parallel worker')
from pg_catalog.pg_stat_get_activity(null) a
where exists (select from v where v.has_workers)
  and a.leader_pid in (select v.pid from v) and coalesce(a.backend_type, 'parallel worker') in ('parallel worker', 'REPACK decoding worker')`),
	}
}

// leadersStatement is tickStatement for the time in which no vacuum can have workers
// and no table is rewritten: one view and no second branch. It runs many times a second.
func leadersStatement(c columns) *statement {
	const view = "pg_stat_progress_vacuum"
	if !c.mayRead(view) {
		none := tickStatement(c)
		none.name = "vacscope_leaders"
		return none
	}
	return &statement{
		part: "tick",
		name: "vacscope_leaders",
		when: eachTick,
		sql: timed(`
select a.pid, a.datid, a.backend_start, a.query_start, a.leader_pid, a.state = 'active' as active,
       v.relid, v.phase, v.index_vacuum_count,
       ` + c.orNull(view, "v", "indexes_processed", "int8") + ` as indexes_processed,
       ` + c.orNull(view, "v", "delay_time", "float8") + ` as delay_time,
       a.wait_event_type, a.wait_event, null as helper
from pg_catalog.pg_stat_progress_vacuum v cross join lateral pg_catalog.pg_stat_get_activity(v.pid) a
where v.phase is not null`),
	}
}

// mayHaveWorkers tells whether a leader is in a phase in which there are workers.
func mayHaveWorkers(rows []model.TickRow) bool {
	return slices.ContainsFunc(rows, func(r model.TickRow) bool {
		return r.Phase == "vacuuming indexes" || r.Phase == "cleaning up indexes"
	})
}

// rewrites tells whether a poll shows a VACUUM FULL, CLUSTER or REPACK.
func rewrites(poll *model.Poll) bool {
	return slices.ContainsFunc(poll.Processes, func(p model.Process) bool {
		return p.Progress != nil && (p.Progress.View == model.ViewCluster || p.Progress.View == model.ViewRepack)
	})
}

// tickRows selects from the progress views that this role may read.
func tickRows(c columns) string {
	const view = "pg_stat_progress_vacuum"
	_, rewriteView := c.rewriteView()
	var selects []string
	if c.mayRead(view) {
		selects = append(selects, `  select v.pid, v.relid, v.phase, v.index_vacuum_count,
         `+c.orNull(view, "v", "indexes_processed", "int8")+` as indexes_processed,
         `+c.orNull(view, "v", "delay_time", "float8")+` as delay_time,
         v.phase in ('vacuuming indexes', 'cleaning up indexes') as has_workers
  from pg_catalog.pg_stat_progress_vacuum v
  where v.phase is not null
`)
	}
	if c.mayRead(rewriteView) {
		selects = append(selects, `  select w.pid, w.relid, w.phase, 0::pg_catalog.int8 as index_vacuum_count,
         null::pg_catalog.int8 as indexes_processed, null::pg_catalog.float8 as delay_time, true as has_workers
  from pg_catalog.`+rewriteView+` w
  where w.phase is not null
`)
	}
	if len(selects) == 0 {
		return `  select 0 as pid, null::pg_catalog.oid as relid, null as phase, null::pg_catalog.int8 as index_vacuum_count,
         null::pg_catalog.int8 as indexes_processed, null::pg_catalog.float8 as delay_time, false as has_workers
  where false
`
	}
	return strings.Join(selects, "  union all\n")
}

// inFamilies puts leaders before their workers.
func inFamilies(a, b model.TickRow) int {
	return cmp.Or(
		cmp.Compare(a.LeaderPID.Or(a.PID), b.LeaderPID.Or(b.PID)),
		cmp.Compare(a.LeaderPID.Or(0), b.LeaderPID.Or(0)),
		cmp.Compare(a.PID, b.PID),
	)
}

func decodeTick(rows *[]model.TickRow) func(row) error {
	return func(r row) error {
		*rows = append(*rows, model.TickRow{
			PID:              r.int32("pid").Or(0),
			BackendStart:     r.time("backend_start").Or(time.Time{}),
			StatementStart:   r.time("query_start"),
			LeaderPID:        r.int32("leader_pid"),
			DatID:            r.oid("datid").Or(0),
			Active:           r.boolean("active"),
			RelID:            r.oid("relid").Or(0),
			Phase:            r.text("phase").Or(""),
			IndexVacuumCount: r.integer("index_vacuum_count").Or(0),
			IndexesProcessed: r.integer("indexes_processed"),
			DelayTime:        r.float("delay_time"),
			Helper:           r.text("helper").Or(""),
			Wait:             decodeWait(r),
		})
		return nil
	}
}

func decodeWait(r row) model.Opt[model.Wait] {
	typ, ok := r.text("wait_event_type").Get()
	if !ok {
		return model.None[model.Wait]()
	}
	return model.Some(model.Wait{Type: typ, Event: r.text("wait_event").Or("")})
}
