package poll

import (
	"slices"
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// maxHolders bounds the granted locks that one beat takes.
const maxHolders = 200

// holdersEvery is how often they are read while a vacuum is held up: reading
// pg_locks copies the whole lock table.
const holdersEvery = 2 * time.Second

// holderStatement reads who has a lock on relations ($1: the database of each, $2:
// its number), and what they do: for vacuums that wait for others to let go of a
// page, or to leave the table. Every role sees the locks; what the sessions do is
// masked without pg_read_all_stats.
func holderStatement(c columns) *statement {
	return &statement{
		part:   "who has a lock on the tables of vacuums that are held up",
		name:   "vacscope_holder",
		when:   whileHeldUp,
		params: []uint32{oidArray, oidArray},
		sql: timed(lockHolders(c, `
select u.datid, u.relid, l.pid, l.mode, l.granted, l.virtualtransaction
      from rows from (pg_catalog.unnest($1), pg_catalog.unnest($2)) u (datid, relid)
           join locks l on l.granted and l.locktype = 'relation' and l.relation = u.relid and l.database in (u.datid, 0)`) + `
limit ` + strconv.Itoa(maxHolders)),
	}
}

// lockHolders completes a query for rows of the lock table on relations (locks) with
// what is known of whose they are.
//
// A lock without a process is a prepared transaction's. Its virtualtransaction is
// that of the session which prepared it (after a restart -1/xid), so that it is found
// through the lock on its own transaction id. For a role that may not read
// pg_prepared_xacts it has no name. A shared catalog has database 0.
func lockHolders(c columns, query string) string {
	columns, prepared := "x.gid, x.prepared, x.owner", `
     left join pg_catalog.pg_prepared_xacts x on x.transaction = t.transactionid`
	if !c.mayRead("pg_prepared_xacts") {
		columns, prepared = "null::pg_catalog.text as gid", ""
	}
	return `
with locks as materialized (
  select l.pid, l.locktype, l.mode, l.granted, l.database, l.relation, l.transactionid, l.virtualtransaction
  from pg_catalog.pg_locks l
  where l.locktype in ('relation', 'transactionid')
)
select w.datid, w.relid, w.pid, w.mode, not w.granted as waits,
       a.leader_pid, a.backend_type, a.state, a.usename, a.application_name, a.xact_start, a.query,
       ` + columns + `
from (` + query + `) w
     left join pg_catalog.pg_stat_activity a on a.pid = w.pid
     left join locks t on w.pid is null and t.pid is null and t.locktype = 'transactionid' and t.virtualtransaction = w.virtualtransaction` + prepared
}

func decodeHolder(holders *[]model.Holder) func(row) error {
	return func(r row) error {
		h := model.Holder{
			DatID:           r.oid("datid").Or(0),
			RelID:           r.oid("relid").Or(0),
			PID:             r.int32("pid").Or(0),
			Waits:           r.boolean("waits"),
			Mode:            r.text("mode").Or(""),
			GID:             r.text("gid"),
			LeaderPID:       r.int32("leader_pid"),
			BackendType:     r.text("backend_type"),
			State:           r.text("state"),
			Role:            r.text("usename"),
			ApplicationName: r.text("application_name"),
			XactStart:       r.time("xact_start"),
			Query:           cutQuery(r.text("query")),
		}
		if h.PID == 0 {
			h.Role, h.XactStart = r.text("owner"), r.time("prepared")
		}
		if h.Query.Or("") == masked && !h.BackendType.Known() {
			h.Query = model.None[model.Text]()
		}
		*holders = append(*holders, h)
		return nil
	}
}

// holderWatch keeps whose holders are to be read.
type holderWatch struct {
	datids, relids []uint32
	last           time.Time
}

// see takes the relations of vacuums that a poll shows held up.
func (w *holderWatch) see(poll *model.Poll) {
	w.datids, w.relids = nil, nil
	for _, p := range poll.Processes {
		if p.Progress == nil || p.Progress.RelID == 0 || p.Progress.View == model.ViewAnalyze {
			continue
		}
		held := p.HeldUp() || slices.ContainsFunc(poll.Processes, func(worker model.Process) bool {
			return worker.LeaderPID.Or(0) == p.PID && worker.HeldUp()
		})
		if held {
			w.datids, w.relids = append(w.datids, p.DatID.Or(0)), append(w.relids, p.Progress.RelID)
		}
	}
}

// take makes the request where it is time for one; none otherwise.
func (w *holderWatch) take(s *statement, poll *model.Poll) []*request {
	if len(w.relids) == 0 || time.Since(w.last) < holdersEvery {
		return nil
	}
	w.last = time.Now()
	return []*request{list(s, &poll.Holders, decodeHolder, oidList(w.datids), oidList(w.relids))}
}
