package poll

import (
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// maxXminHolders bounds the rows of each part: the oldest.
const maxXminHolders = 50

// The pauses between two readings of the removal horizon: while vacuums are in sight,
// and while none is. horizonShare is how many times its own cost passes in between.
const (
	horizonEvery   = 5 * time.Second
	horizonResting = time.Minute
	horizonShare   = 2000
)

// horizonStatement makes the statement of one part from a query with a column age: the
// oldest rows, the oldest first.
func horizonStatement(part, name, query string) *statement {
	return &statement{
		part: part,
		name: name,
		when: horizonWhen,
		sql: timed(query+`
order by age desc nulls last
limit `+strconv.Itoa(maxXminHolders)) + `
order by r.age desc nulls last`,
	}
}

// xidSessionsStatement reads the sessions that keep dead rows from being removed:
// those with a transaction id or a snapshot. A lazy VACUUM with its workers is left
// out, as the server leaves it out; one that waits for its table has no progress row
// yet and is told by its text (model). Ids and ages are there for every role; of a
// session that is masked, what it does is not. A masked session may be a worker of a
// masked vacuum of the same role, and is then left out.
//
// A standby with hot_standby_feedback and no slot shows here as its walsender.
func xidSessionsStatement() *statement {
	return horizonStatement("sessions that keep dead rows from being removed", "vacscope_horizon_sessions", `
select a.pid, a.backend_start, a.datid, a.datname, a.usename, a.application_name, a.backend_type, a.state, a.xact_start, a.query,
       a.backend_type is null as masked,
       greatest(pg_catalog.age(a.backend_xid), pg_catalog.age(a.backend_xmin))::pg_catalog.int8 as age,
       exists (select from pg_catalog.pg_stat_progress_analyze p where p.pid = a.pid) as analyzes
from pg_catalog.pg_stat_activity a
where (a.backend_xid is not null or a.backend_xmin is not null)
  and a.pid <> pg_catalog.pg_backend_pid()
  and a.application_name is distinct from 'vacscope'
  and not exists (select from pg_catalog.pg_stat_progress_vacuum v where v.pid in (a.pid, a.leader_pid))
  and not (a.backend_type is null and exists (
        select from pg_catalog.pg_stat_progress_vacuum v join pg_catalog.pg_stat_activity l on l.pid = v.pid
        where l.usesysid = a.usesysid and l.datid = a.datid))`)
}

// preparedXactsStatement reads the prepared transactions: no session shows them.
func preparedXactsStatement() *statement {
	return horizonStatement("prepared transactions", "vacscope_horizon_prepared", `
select x.gid, x.transaction as xid, d.oid as datid, x.database as datname, x.owner as usename, x.prepared as xact_start,
       pg_catalog.age(x.transaction)::pg_catalog.int8 as age
from pg_catalog.pg_prepared_xacts x left join pg_catalog.pg_database d on d.datname = x.database`)
}

// slotsStatement reads the replication slots that keep rows: xmin those of all tables
// (a standby with hot_standby_feedback), catalog_xmin those of the catalogs only
// (logical decoding). A slot that was invalidated keeps nothing.
func slotsStatement() *statement {
	return horizonStatement("replication slots that keep dead rows from being removed", "vacscope_horizon_slots", `
select s.slot_name, s.database as datname, s.active, s.xmin is null as catalog_only, coalesce(s.xmin, s.catalog_xmin) as xid,
       pg_catalog.age(coalesce(s.xmin, s.catalog_xmin))::pg_catalog.int8 as age
from pg_catalog.pg_replication_slots s
where (s.xmin is not null or s.catalog_xmin is not null) and s.wal_status is distinct from 'lost'`)
}

// decodeXminHolder decodes a row of each of the three; what a row is is told by its
// columns.
func decodeXminHolder(holders *[]model.XminHolder) func(row) error {
	return func(r row) error {
		h := model.XminHolder{
			Kind:            model.HolderSession,
			PID:             r.int32("pid").Or(0),
			BackendStart:    r.time("backend_start"),
			GID:             r.text("gid").Or(""),
			Slot:            r.text("slot_name").Or(""),
			XID:             r.oid("xid"),
			Age:             r.integer("age").Or(0),
			Since:           r.time("xact_start"),
			DatID:           r.oid("datid").Or(0),
			Database:        r.text("datname"),
			Role:            r.text("usename"),
			ApplicationName: r.text("application_name"),
			BackendType:     r.text("backend_type"),
			State:           r.text("state"),
			Query:           cutQuery(r.text("query")),
			Masked:          r.boolean("masked"),
			Active:          r.boolean("active"),
			Analyzes:        r.boolean("analyzes"),
		}
		switch {
		case r.raw("gid") != nil:
			h.Kind = model.HolderPrepared
		case r.raw("slot_name") != nil && r.boolean("catalog_only"):
			h.Kind = model.HolderSlotCatalog
		case r.raw("slot_name") != nil:
			h.Kind = model.HolderSlot
		case h.BackendType.Or("") == "walsender":
			h.Kind = model.HolderWalsender
		}
		if h.Masked {
			h.Query = model.None[model.Text]()
		}
		*holders = append(*holders, h)
		return nil
	}
}

// horizonDue tells when the horizon is to be read. The zero value is due at once.
type horizonDue struct {
	costly
	nothingRuns bool // as of the last beat
}

func (d *horizonDue) now() bool {
	if d.nothingRuns {
		return d.costly.now(horizonResting, horizonShare)
	}
	return d.costly.now(horizonEvery, horizonShare)
}

// take makes the requests where it is time for them; none otherwise. Each part has a
// statement of its own, so that one which this role may not read costs only itself.
func (d *horizonDue) take(s statements, poll *model.Poll) []*request {
	if !d.now() {
		return nil
	}
	h := &model.HorizonRead{}
	poll.Horizon = h
	return []*request{
		d.ask(list(s.xidSessions, &h.Sessions, decodeXminHolder)),
		list(s.preparedXacts, &h.Prepared, decodeXminHolder),
		list(s.slots, &h.Slots, decodeXminHolder),
	}
}
