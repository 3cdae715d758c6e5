package poll

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"example.com/vacscope/model"
)

// oidArray is the type oid[].
const oidArray = 1028

// relationStatement reads the catalog entries of relations of the connected
// database, and of shared catalogs (relisshared), by oid ($1). Every role may
// read them. relpages is an estimate as of the last VACUUM or ANALYZE: the
// functions that tell the true size wait behind an AccessExclusiveLock, and so
// would the poll. Names are not taken through ::regclass, which depends on
// search_path.
func relationStatement() *statement {
	return &statement{
		part:   "relations",
		name:   "vacscope_relation",
		params: []uint32{oidArray},
		sql: timed(`
select c.oid as relid, n.nspname, c.relname, c.relkind::pg_catalog.text as relkind, c.relisshared, c.relpages::pg_catalog.int8 as relpages,
       (select pg_catalog.jsonb_build_object('Schema', pn.nspname, 'Name', p.relname)
          from pg_catalog.pg_class p join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
         where c.relkind = 't' and p.reltoastrelid = c.oid) as toast_of,
       (select pg_catalog.jsonb_build_object('Schema', pn.nspname, 'Name', p.relname)
          from pg_catalog.pg_inherits i join pg_catalog.pg_class p on p.oid = i.inhparent
               join pg_catalog.pg_namespace pn on pn.oid = p.relnamespace
         where c.relispartition and i.inhrelid = c.oid limit 1) as partition_of,
       (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
                 'RelID', x.indexrelid::pg_catalog.int8, 'Name', ic.relname, 'AccessMethod', am.amname, 'RelPages', ic.relpages)
               order by x.indexrelid)
          from pg_catalog.pg_index x join pg_catalog.pg_class ic on ic.oid = x.indexrelid
               join pg_catalog.pg_am am on am.oid = ic.relam
         where x.indrelid = c.oid and x.indisready) as indexes
from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.oid = any ($1)`),
	}
}

// oidList writes oids as a value for relationStatement's parameter.
func oidList(oids []uint32) []byte {
	words := make([]string, len(oids))
	for i, oid := range oids {
		words[i] = strconv.FormatUint(uint64(oid), 10)
	}
	return []byte("{" + strings.Join(words, ",") + "}")
}

// decodeRelation takes the connected database's oid.
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
		RelPages: model.Blocks(r.integer("relpages").Or(0)),
	}
	if r.boolean("relisshared") {
		rel.DatID = 0
	}
	for column, field := range map[string]any{
		"toast_of": &rel.ToastOf, "partition_of": &rel.PartitionOf, "indexes": &rel.Indexes,
	} {
		if v := r.json(column); v != nil {
			if err := json.Unmarshal(v, field); err != nil {
				return rel, fmt.Errorf("%s of relation %d: %w", column, rel.RelID, err)
			}
		}
	}
	return rel, nil
}
