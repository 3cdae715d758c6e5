package poll

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// oidArray is the type oid[].
const oidArray = 1028

// relationStatement reads the catalog entries of relations of the database that it
// is run in, and of shared catalogs (relisshared), by oid ($1). Every role may
// read them. relpages is an estimate as of the last VACUUM or ANALYZE: the
// functions that tell the true size wait behind an AccessExclusiveLock, and so
// would the poll. Names are not taken through ::regclass, which depends on
// search_path.
//
// The counts rise when a VACUUM (not FULL) of the relation completed; on 13 and 14
// up to half a second later. reltuples is NULL where the relation was never
// vacuumed or analyzed (14+; 0 before). relallfrozen is there from 18 on.
func relationStatement(c columns) *statement {
	return &statement{
		part:   "relations",
		name:   "vacscope_relation",
		when:   nowAndThen + ", and for what came into sight or went out of it",
		params: []uint32{oidArray},
		sql: timed(`
select c.oid as relid, n.nspname, c.relname, c.relkind::pg_catalog.text as relkind, c.relisshared, c.relpages::pg_catalog.int8 as relpages,
       (select pg_catalog.jsonb_build_object('schema', pn.nspname, 'name', p.relname)
          from pg_catalog.pg_class p join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
         where ` + toastOwner + `) as toast_of,
       (select pg_catalog.jsonb_build_object('schema', pn.nspname, 'name', p.relname)
          from pg_catalog.pg_inherits i join pg_catalog.pg_class p on p.oid = i.inhparent
               join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
         where c.relispartition and i.inhrelid = c.oid limit 1) as partition_of,
       (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
                 'relid', x.indexrelid::pg_catalog.int8, 'name', ic.relname, 'access_method', am.amname, 'relpages', ic.relpages)
               order by x.indexrelid)
          from pg_catalog.pg_index x join pg_catalog.pg_class ic on ic.oid = x.indexrelid
               join pg_catalog.pg_am am on am.oid = ic.relam
         where x.indrelid = c.oid and x.indisready) as indexes,
       nullif(c.reltuples, -1)::pg_catalog.float8 as reltuples, c.relallvisible::pg_catalog.int8 as relallvisible,
       ` + c.orNull("pg_class", "c", "relallfrozen", "int4") + `::pg_catalog.int8 as relallfrozen,
       nullif(c.relfrozenxid, '0')::pg_catalog.text::pg_catalog.int8 as relfrozenxid,
       case when c.relfrozenxid <> '0' then pg_catalog.age(c.relfrozenxid)::pg_catalog.int8 end as xid_age,
       case when c.relminmxid <> '0' then pg_catalog.mxid_age(c.relminmxid)::pg_catalog.int8 end as mxid_age,
       pg_catalog.to_jsonb(c.reloptions) as reloptions,
       (select pg_catalog.to_jsonb(p.reloptions) from pg_catalog.pg_class p
         where ` + toastOwner + `) as owner_options,
       pg_catalog.pg_stat_get_vacuum_count(c.oid) as vacuum_count,
       pg_catalog.pg_stat_get_autovacuum_count(c.oid) as autovacuum_count,
       pg_catalog.pg_stat_get_analyze_count(c.oid) as analyze_count,
       pg_catalog.pg_stat_get_autoanalyze_count(c.oid) as autoanalyze_count,
       pg_catalog.pg_stat_get_last_vacuum_time(c.oid) as last_vacuum,
       pg_catalog.pg_stat_get_last_autovacuum_time(c.oid) as last_autovacuum,
       pg_catalog.pg_stat_get_last_analyze_time(c.oid) as last_analyze,
       pg_catalog.pg_stat_get_last_autoanalyze_time(c.oid) as last_autoanalyze,
       pg_catalog.pg_stat_get_live_tuples(c.oid) as live_tuples, pg_catalog.pg_stat_get_dead_tuples(c.oid) as dead_tuples` +
			totalTimes(c) + `
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1)`),
	}
}

// toastOwner finds the table p of TOAST relation c by the dependency between them,
// or, for those that initdb made before it noted dependencies, by the name: no index
// leads from a TOAST relation to its table, and a search through all of pg_class
// takes the server 5 ms where there are 10,000 tables.
const toastOwner = `p.reltoastrelid = c.oid and p.oid = case when c.relkind <> 't' then null
             when c.oid < 16384 then pg_catalog.substr(c.relname::pg_catalog.text, 10)::pg_catalog.oid
             else (select d.refobjid from pg_catalog.pg_depend d
                    where d.classid = 1259 and d.objid = c.oid and d.objsubid = 0 and d.refclassid = 1259 and d.deptype = 'i' limit 1) end`

// totalTimes are the times that vacuums of a relation took together, in ms, where
// the server keeps them (18+).
func totalTimes(c columns) string {
	if !c.has("pg_stat_all_tables", "total_vacuum_time") {
		return ""
	}
	return `,
       pg_catalog.pg_stat_get_total_vacuum_time(c.oid) as total_vacuum_time,
       pg_catalog.pg_stat_get_total_autovacuum_time(c.oid) as total_autovacuum_time`
}

// oidList writes oids as a value for relationStatement's parameter.
func oidList(oids []uint32) []byte {
	words := make([]string, len(oids))
	for i, oid := range oids {
		words[i] = strconv.FormatUint(uint64(oid), 10)
	}
	return []byte("{" + strings.Join(words, ",") + "}")
}

// decodeRelation takes the oid of the database that is read.
func decodeRelation(datid uint32) func(*[]model.Relation) func(row) error {
	return func(relations *[]model.Relation) func(row) error {
		return func(r row) error {
			rel, err := relation(r, datid)
			*relations = append(*relations, rel)
			return err
		}
	}
}

func relation(r row, datid uint32) (model.Relation, error) {
	rel := model.Relation{
		DatID:    datid,
		RelID:    r.oid("relid").Or(0),
		Schema:   r.text("nspname").Or(""),
		Name:     r.text("relname").Or(""),
		Kind:     r.text("relkind").Or(""),
		RelPages: blocks(r.integer("relpages").Or(0)),

		RelTuples:        r.float("reltuples"),
		RelAllVisible:    blocks(r.integer("relallvisible").Or(0)),
		RelAllFrozen:     optBlocks(r.integer("relallfrozen")),
		RelFrozenXID:     optXID(r.integer("relfrozenxid")),
		XIDAge:           r.integer("xid_age"),
		MXIDAge:          r.integer("mxid_age"),
		VacuumCount:      r.integer("vacuum_count").Or(0),
		AutovacuumCount:  r.integer("autovacuum_count").Or(0),
		AnalyzeCount:     r.integer("analyze_count").Or(0),
		AutoanalyzeCount: r.integer("autoanalyze_count").Or(0),
		LastVacuum:       r.time("last_vacuum"),
		LastAutovacuum:   r.time("last_autovacuum"),
		LastAnalyze:      r.time("last_analyze"),
		LastAutoanalyze:  r.time("last_autoanalyze"),
		LiveTuples:       r.integer("live_tuples").Or(0),
		DeadTuples:       r.integer("dead_tuples").Or(0),

		TotalVacuumTime:     optMilliseconds(r.float("total_vacuum_time")),
		TotalAutovacuumTime: optMilliseconds(r.float("total_autovacuum_time")),
	}
	if r.boolean("relisshared") {
		rel.DatID = 0
	}
	err := r.unmarshal(map[string]any{
		"toast_of": &rel.ToastOf, "partition_of": &rel.PartitionOf, "indexes": &rel.Indexes, "reloptions": &rel.RelOptions,
		"owner_options": &rel.OwnerOptions,
	})
	if err != nil {
		return rel, fmt.Errorf("relation %d: %w", rel.RelID, err)
	}
	for i := range rel.Indexes {
		rel.Indexes[i].RelPages = blocks(int64(rel.Indexes[i].RelPages))
	}
	return rel, nil
}

// blocks is a number of blocks as pg_class has it: a signed column, although a
// relation can have more than 2^31 of them (16 TB). -1 stands for none: a partitioned
// table once it was analyzed.
func blocks(relpages int64) model.Blocks {
	if relpages == -1 {
		return 0
	}
	return model.Blocks(uint32(relpages))
}

func optXID(n model.Opt[int64]) model.Opt[uint32] {
	if v, ok := n.Get(); ok {
		return model.Some(uint32(v))
	}
	return model.None[uint32]()
}

func optBlocks(n model.Opt[int64]) model.Opt[model.Blocks] {
	if v, ok := n.Get(); ok {
		return model.Some(blocks(v))
	}
	return model.None[model.Blocks]()
}

func optMilliseconds(ms model.Opt[float64]) model.Opt[time.Duration] {
	if v, ok := ms.Get(); ok {
		return model.Some(model.Milliseconds(v))
	}
	return model.None[time.Duration]()
}
