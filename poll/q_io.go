package poll

import (
	"cmp"
	"slices"
	"time"

	"example.com/vacscope/model"
)

const ioView = "pg_stat_io"

// ioStatement reads what the server counted of reads and writes of relations, of all
// processes together; nil before 16 and where this role may not. 16 and 17 tell the size
// of an operation, later versions bytes.
func ioStatement(c columns) *statement {
	if !c.hasView(ioView) || !c.mayRead(ioView) {
		return nil
	}
	bytes := func(operation string) string {
		if c.has(ioView, "read_bytes") {
			return "i." + operation + "_bytes"
		}
		return "i." + operation + "s * i.op_bytes"
	}
	return &statement{
		part: "reads and writes that the server counted",
		name: "vacscope_io",
		when: "once a minute, every 30 s while vacuums are in sight, and when one comes into sight or goes; every 2 s at most",
		sql: timed(`
select i.context, pg_catalog.max(i.stats_reset) as stats_reset,
       pg_catalog.sum(i.hits)::pg_catalog.int8 as hits, pg_catalog.sum(i.reads)::pg_catalog.int8 as reads,
       pg_catalog.sum(`+bytes("read")+`)::pg_catalog.int8 as read_bytes,
       pg_catalog.sum(i.writes)::pg_catalog.int8 as writes, pg_catalog.sum(`+bytes("write")+`)::pg_catalog.int8 as write_bytes,
       pg_catalog.sum(i.extends)::pg_catalog.int8 as extends, pg_catalog.sum(`+bytes("extend")+`)::pg_catalog.int8 as extend_bytes,
       pg_catalog.sum(i.evictions)::pg_catalog.int8 as evictions, pg_catalog.sum(i.reuses)::pg_catalog.int8 as reuses,
       pg_catalog.sum(i.fsyncs)::pg_catalog.int8 as fsyncs
from pg_catalog.pg_stat_io i
where i.object = 'relation'
group by i.context`) + `
order by r.context`,
	}
}

// decodeIO takes a row. An operation that a context does not have is NULL in it, and
// never happens there.
func decodeIO(to **model.IORead) func(row) error {
	return func(r row) error {
		if *to == nil {
			*to = &model.IORead{ResetAt: r.time("stats_reset")}
		}
		count := func(column string) int64 { return r.integer(column).Or(0) }
		size := func(column string) model.Bytes { return model.Bytes(count(column)) }
		(*to).Contexts = append((*to).Contexts, model.IOCount{
			Context: r.text("context").Or(""), Hits: count("hits"),
			Reads: count("reads"), ReadBytes: size("read_bytes"), Writes: count("writes"), WriteBytes: size("write_bytes"),
			Extends: count("extends"), ExtendBytes: size("extend_bytes"), Evictions: count("evictions"), Reuses: count("reuses"), Fsyncs: count("fsyncs"),
		})
		return nil
	}
}

// ioDue tells when the counts are read: a vacuum's own come into them when it ends, so
// that what matters is the reading before it and the one after it.
type ioDue struct {
	last    due
	inSight []vacuumInSight
	changed bool // since the last reading
}

type vacuumInSight struct {
	pid   int32
	relid uint32
}

// The pauses between two readings.
const (
	ioResting = time.Minute
	ioEvery   = 30 * time.Second // while vacuums are in sight
	ioLeast   = 2 * time.Second
)

// see takes what a beat saw.
func (d *ioDue) see(poll *model.Poll) {
	if poll.Processes == nil {
		return
	}
	var now []vacuumInSight
	for _, p := range poll.Processes {
		if p.Progress != nil && p.Progress.View != model.ViewAnalyze {
			now = append(now, vacuumInSight{p.PID, p.Progress.RelID})
		}
	}
	slices.SortFunc(now, func(a, b vacuumInSight) int { return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.relid, b.relid)) })
	d.changed = d.changed || !slices.Equal(now, d.inSight)
	d.inSight = now
}

// take returns the request when it is time for it. There is none without a statement.
func (d *ioDue) take(st *statement, poll *model.Poll) []*request {
	pause := ioResting
	switch {
	case d.changed:
		pause = ioLeast
	case len(d.inSight) > 0:
		pause = ioEvery
	}
	if st == nil || !d.last.after(pause) {
		return nil
	}
	d.last.last, d.changed = time.Now(), false
	return []*request{{statement: st, decode: decodeIO(&poll.IO), discard: func() { poll.IO = nil }}}
}
