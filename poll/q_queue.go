package poll

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// The queue is read every queueEvery, less often where that is dear: queueShare times
// its own cost passes in between.
const (
	queueEvery = time.Minute
	queueShare = 1000
)

const queueWhen = "every minute, less often where it is dear, and not on a standby"

// scoresView is where the server says of each table what autovacuum would do (19).
const scoresView = "pg_stat_autovacuum_scores"

// queueStatement reads the tables that autovacuum has something to do with, or soon
// will have. Every role may read them, and the functions lock nothing. Which tables are
// due is for model to say: here those are picked that can be, and the oldest ones, so
// that of 10,000 tables not all are sent.
func queueStatement(c columns) *statement {
	picked, score := pickedByCounts(c), ""
	if c.hasView(scoresView) && c.mayRead(scoresView) {
		picked, score = pickedByScore, "p.score, p.do_vacuum, p.do_analyze, p.for_wraparound,"
	}
	return &statement{
		part: "tables that are due for autovacuum",
		name: "vacscope_queue",
		when: queueWhen,
		sql: timed(`
select ` + score + ` c.oid as relid, n.nspname, c.relname, c.relkind::pg_catalog.text as relkind,
       (select pg_catalog.jsonb_build_object('schema', pn.nspname, 'name', p.relname)
          from pg_catalog.pg_class p join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
         where ` + toastOwner + `) as toast_of,
       greatest(c.reltuples, 0)::pg_catalog.float8 as reltuples, c.relpages::pg_catalog.int8 as relpages,
       ` + c.orNull("pg_class", "c", "relallfrozen", "int4") + `::pg_catalog.int8 as relallfrozen,
       pg_catalog.pg_stat_get_dead_tuples(c.oid) as dead_tuples,
       pg_catalog.pg_stat_get_ins_since_vacuum(c.oid) as ins_since_vacuum,
       pg_catalog.pg_stat_get_mod_since_analyze(c.oid) as mod_since_analyze,
       pg_catalog.age(c.relfrozenxid)::pg_catalog.int8 as xid_age, pg_catalog.mxid_age(c.relminmxid)::pg_catalog.int8 as mxid_age,
       pg_catalog.to_jsonb(c.reloptions) as reloptions,
       (select pg_catalog.to_jsonb(p.reloptions) from pg_catalog.pg_class p
         where ` + toastOwner + `) as owner_options,
       greatest(pg_catalog.pg_stat_get_last_vacuum_time(c.oid), pg_catalog.pg_stat_get_last_autovacuum_time(c.oid)) as last_vacuum,
       greatest(pg_catalog.pg_stat_get_last_analyze_time(c.oid), pg_catalog.pg_stat_get_last_autoanalyze_time(c.oid)) as last_analyze
from (` + picked + `) p
     join pg_catalog.pg_class c on c.oid = p.relid
     join pg_catalog.pg_namespace n on n.oid = c.relnamespace`),
	}
}

// vacuumed is what autovacuum looks at.
const vacuumed = `c.relkind in ('r', 'm', 't') and c.relpersistence <> 't'`

// oldestTables is how many of the oldest tables are read whatever they count.
const oldestTables = 5

// pickedByScore picks tables by the server's own words on each.
var pickedByScore = `
      with t as materialized (select * from pg_catalog.pg_stat_get_autovacuum_scores())
      select t.oid as relid, t.score, t.do_vacuum, t.do_analyze, t.for_wraparound
      from t
      where t.oid in (select o.oid from t o where o.do_vacuum or o.do_analyze or o.for_wraparound or o.score >= 0.5
                      order by o.score desc limit ` + strconv.Itoa(model.MaxQueueTables) + `)
         or t.oid in (select o.oid from t o order by o.xid_score desc limit ` + strconv.Itoa(oldestTables) + `)`

// pickedByCounts picks tables, before 19, by how full their fullest count is, of its
// threshold by the server's settings: from half of it on; those with options of their
// own, with their TOAST relations; and the oldest. Each function is called once for each
// table (offset 0), and the time goes into what is done for each.
func pickedByCounts(c columns) string {
	unfrozen := "1"
	if c.has("pg_class", "relallfrozen") {
		unfrozen = "case when c.relallfrozen > 0 and c.relpages > 0 then 1 - least(c.relallfrozen::pg_catalog.float8 / c.relpages, 1) else 1 end"
	}
	return `
      (select t.relid
       from (select t.relid, t.options,
                    greatest(t.dead / greatest(1, least(s.dead + s.dead_scale * t.live, s.dead_most)),
                             t.ins / greatest(1, s.ins + s.ins_scale * t.live * t.unfrozen),
                             t.mod / greatest(1, s.mod + s.mod_scale * t.live),
                             t.xid_age / s.xid_most, t.mxid_age / s.mxid_most) as fullness
             from (select c.oid as relid, greatest(c.reltuples, 0)::pg_catalog.float8 as live, c.reloptions as options,
                          ` + unfrozen + ` as unfrozen,
                          pg_catalog.pg_stat_get_dead_tuples(c.oid) as dead, pg_catalog.pg_stat_get_ins_since_vacuum(c.oid) as ins,
                          pg_catalog.pg_stat_get_mod_since_analyze(c.oid) as mod,
                          pg_catalog.age(c.relfrozenxid) as xid_age, pg_catalog.mxid_age(c.relminmxid) as mxid_age
                   from pg_catalog.pg_class c
                   where ` + vacuumed + ` offset 0) t
                  cross join (select ` + settingsAsNumbers("dead", "autovacuum_vacuum_threshold", "dead_scale", "autovacuum_vacuum_scale_factor",
		"dead_most", "autovacuum_vacuum_max_threshold", "ins", "autovacuum_vacuum_insert_threshold",
		"ins_scale", "autovacuum_vacuum_insert_scale_factor", "mod", "autovacuum_analyze_threshold", "mod_scale", "autovacuum_analyze_scale_factor",
		"xid_most", "autovacuum_freeze_max_age", "mxid_most", "autovacuum_multixact_freeze_max_age") + ` offset 0) s
             offset 0) t
       where t.fullness >= 0.5 or t.options::pg_catalog.text like '%autovacuum%'
          or t.relid in (select o.reltoastrelid from pg_catalog.pg_class o where o.reloptions::pg_catalog.text like '%autovacuum%')
       order by t.fullness desc limit ` + strconv.Itoa(model.MaxQueueTables) + `)
      union
      (select c.oid from pg_catalog.pg_class c where ` + vacuumed + `
       order by pg_catalog.age(c.relfrozenxid) desc limit ` + strconv.Itoa(oldestTables) + `)`
}

// settingsAsNumbers reads settings under other names, in pairs; NULL for one that is -1,
// which switches it off, or that the version lacks.
func settingsAsNumbers(names ...string) string {
	var list []string
	for pair := range slices.Chunk(names, 2) {
		list = append(list, "nullif(pg_catalog.current_setting('"+pair[1]+"', true)::pg_catalog.float8, -1) as "+pair[0])
	}
	return strings.Join(list, ",\n                                     ")
}

func decodeQueueTable(tables *[]model.QueueTable) func(row) error {
	return func(r row) error {
		t := model.QueueTable{
			RelID: r.oid("relid").Or(0), Schema: r.text("nspname").Or(""), Name: r.text("relname").Or(""), Kind: r.text("relkind").Or(""),
			RelTuples: r.float("reltuples").Or(0), RelPages: blocks(r.integer("relpages").Or(0)), RelAllFrozen: optBlocks(r.integer("relallfrozen")),
			DeadTuples: r.integer("dead_tuples").Or(0), InsSinceVacuum: r.integer("ins_since_vacuum").Or(0), ModSinceAnalyze: r.integer("mod_since_analyze").Or(0),
			XIDAge: r.integer("xid_age").Or(0), MXIDAge: r.integer("mxid_age").Or(0),
			LastVacuum: r.time("last_vacuum"), LastAnalyze: r.time("last_analyze"),
		}
		if score, ok := r.float("score").Get(); ok {
			t.Score = &model.QueueScore{Score: score, DoVacuum: r.boolean("do_vacuum"), DoAnalyze: r.boolean("do_analyze"), ForWraparound: r.boolean("for_wraparound")}
		}
		err := r.unmarshal(map[string]any{"toast_of": &t.ToastOf, "reloptions": &t.RelOptions, "owner_options": &t.OwnerOptions})
		*tables = append(*tables, t)
		if err != nil {
			return fmt.Errorf("relation %d: %w", t.RelID, err)
		}
		return nil
	}
}

// queueLockStatement reads who has, or waits for, a lock on a table of the connected
// database with which autovacuum passes the table over: all modes but the three weakest.
func queueLockStatement(c columns) *statement {
	return &statement{
		part: "who has locks that keep autovacuum from tables",
		name: "vacscope_queue_lock",
		when: queueWhen,
		sql: timed(lockHolders(c, `
select l.database as datid, l.relation as relid, l.pid, l.mode, l.granted, l.virtualtransaction
      from locks l
      where l.locktype = 'relation' and l.mode not in ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')
        and l.database in (0, (select d.oid from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()))`) + `
limit ` + strconv.Itoa(maxHolders)),
	}
}

// queueDue tells when the queue is to be read. The zero value is due at once.
type queueDue struct{ costly }

// take makes the requests where it is time for them; none otherwise.
func (d *queueDue) take(s statements, poll *model.Poll) []*request {
	if !d.now(queueEvery, queueShare) {
		return nil
	}
	q := &model.QueueRead{}
	poll.Queue = q
	tables := d.ask(list(s.queue, &q.Tables, decodeQueueTable))
	tables.discard = func() { poll.Queue = nil } // without it there is no queue
	return []*request{tables, list(s.queueLock, &q.Holders, decodeHolder)}
}
