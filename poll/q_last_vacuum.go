package poll

import (
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// maxLastVacuums bounds the tables read: those vacuumed last.
const maxLastVacuums = 20

// lastVacuumStatement reads when the tables of the connected database were vacuumed
// last, from the cumulative statistics. Every role may read them, and the functions
// lock nothing. They are called once for each table of pg_class (offset 0 keeps
// them from being called once for each place where they stand), which for 10,000
// tables takes the server some 20 ms: hence lastVacuumDue. TOAST tables are left
// out, as their tables stand for them.
//
// Total times are there from 18 on (pg_stat_all_tables), in milliseconds, and count
// what the counts count.
func lastVacuumStatement(c columns) *statement {
	total := func(kind string) string {
		if c.has("pg_stat_all_tables", "total_"+kind+"_time") {
			return "pg_catalog.pg_stat_get_total_" + kind + "_time(v.relid)"
		}
		return "null::pg_catalog.float8"
	}
	return &statement{
		part: "last vacuums",
		name: "vacscope_last_vacuum",
		when: "when no vacuum is in sight, at most once a minute",
		sql: timed(`
select v.relid, n.nspname, v.relname, v.last_vacuum, v.last_autovacuum,
       pg_catalog.pg_stat_get_vacuum_count(v.relid) as vacuum_count, `+total("vacuum")+` as total_vacuum_time,
       pg_catalog.pg_stat_get_autovacuum_count(v.relid) as autovacuum_count, `+total("autovacuum")+` as total_autovacuum_time
from (select t.*
      from (select c.oid as relid, c.relname, c.relnamespace,
                   pg_catalog.pg_stat_get_last_vacuum_time(c.oid) as last_vacuum,
                   pg_catalog.pg_stat_get_last_autovacuum_time(c.oid) as last_autovacuum
            from pg_catalog.pg_class c
            where c.relkind in ('r', 'm') offset 0) t
      where t.last_vacuum is not null or t.last_autovacuum is not null
      order by greatest(t.last_vacuum, t.last_autovacuum) desc, t.relid
      limit `+strconv.Itoa(maxLastVacuums)+`) v
     join pg_catalog.pg_namespace n on n.oid = v.relnamespace`) + `
order by greatest(r.last_vacuum, r.last_autovacuum) desc, r.relid`,
	}
}

func decodeLastVacuum(to *[]model.LastVacuum) func(row) error {
	return func(r row) error {
		*to = append(*to, model.LastVacuum{
			RelID:  r.oid("relid").Or(0),
			Schema: r.text("nspname").Or(""),
			Name:   r.text("relname").Or(""),
			Manual: model.VacuumHistory{
				Last: r.time("last_vacuum"), Count: r.integer("vacuum_count").Or(0), Total: r.milliseconds("total_vacuum_time"),
			},
			Auto: model.VacuumHistory{
				Last: r.time("last_autovacuum"), Count: r.integer("autovacuum_count").Or(0), Total: r.milliseconds("total_autovacuum_time"),
			},
		})
		return nil
	}
}

func (r row) milliseconds(column string) model.Opt[time.Duration] {
	if ms, ok := r.float(column).Get(); ok {
		return model.Some(model.Milliseconds(ms))
	}
	return model.None[time.Duration]()
}

// lastVacuumDue tells when the last vacuums are to be read: when nothing runs, once
// a minute, less often where the reading is dear. The zero value is due at once.
type lastVacuumDue struct {
	nothingRuns bool // as of the last beat
	costly
}

const (
	lastVacuumRefresh = time.Minute
	// lastVacuumShare is how many times its own cost passes between two readings.
	lastVacuumShare = 2000
)

func (d *lastVacuumDue) now() bool {
	return d.nothingRuns && d.costly.now(lastVacuumRefresh, lastVacuumShare)
}

// nothingRuns tells that a poll that could be read has no vacuum in it.
func nothingRuns(poll *model.Poll) bool {
	for _, p := range poll.Processes {
		if p.Progress != nil && p.Progress.View != model.ViewAnalyze {
			return false
		}
	}
	return poll.Processes != nil
}
