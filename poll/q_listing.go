package poll

import (
	"strconv"

	"example.com/vacscope/model"
)

// maxListed is how many relations of a tree or a database are read: more are
// counted as that many.
const maxListed = 20_000

// treeStatement reads the tables of the inheritance trees above relations ($1), in
// the order in which VACUUM of the root goes through them: level by level, within
// a level by the order of the parents, then by oid. A relation can stand in
// several trees, that of its parent and that of its grandparent. No lock is taken:
// pg_partition_tree and the like take one on each relation.
func treeStatement() *statement {
	const order = "order by pg_catalog.cardinality(f.path), f.path"
	return &statement{
		part:   "partition trees",
		name:   "vacscope_tree",
		when:   forACommand,
		params: []uint32{oidArray},
		sql: timed(`
with recursive up(root) as (
  select i.inhparent from pg_catalog.pg_inherits i where i.inhrelid = any ($1)
  union
  select i.inhparent from up u join pg_catalog.pg_inherits i on i.inhrelid = u.root
), down(root, relid, path) as (
  select u.root, u.root, array[]::pg_catalog.oid[] from up u
  union all
  select d.root, i.inhrelid, d.path || i.inhrelid from down d join pg_catalog.pg_inherits i on i.inhparent = d.relid
), few as materialized (
  select d.root, d.relid, d.path from down d limit ` + strconv.Itoa(maxListed) + `
)
select f.root, n.nspname, p.relname, pg_catalog.array_agg(c.oid ` + order + `) as relids,
       pg_catalog.array_agg(c.relpages ` + order + `) as relpages, pg_catalog.array_agg(c.reltoastrelid ` + order + `) as toast
from few f
     join pg_catalog.pg_class c on c.oid = f.relid and c.relkind in ('r', 'm')
     join pg_catalog.pg_class p on p.oid = f.root
     join pg_catalog.pg_namespace n on n.oid = p.relnamespace
group by f.root, n.nspname, p.relname`),
	}
}

// listStatement reads the tables of the connected database in the order of
// their rows in pg_class, in which a VACUUM without names goes through them.
func listStatement() *statement {
	return &statement{
		part: "tables of the database",
		name: "vacscope_tables",
		when: forACommand,
		sql: timed(`
select '0'::pg_catalog.oid as root, null as nspname, null as relname,
       pg_catalog.array_agg(f.oid order by f.ctid) as relids, pg_catalog.array_agg(f.relpages order by f.ctid) as relpages,
       pg_catalog.array_agg(f.reltoastrelid order by f.ctid) as toast
from (select c.oid, c.ctid, c.relpages, c.reltoastrelid from pg_catalog.pg_class c
      where c.relkind in ('r', 'm') limit ` + strconv.Itoa(maxListed) + `) f`),
	}
}

// listing is what was read of one tree or database.
type listing struct {
	model.Listing
	places map[uint32]model.Place // of tables, and of their TOAST relations the same
}

func decodeListing(listings *[]listing) func(row) error {
	return func(r row) error {
		l := listing{
			Listing: model.Listing{RelID: r.oid("root").Or(0), Schema: r.text("nspname").Or(""), Name: r.text("relname").Or("")},
			places:  map[uint32]model.Place{},
		}
		relids, pages, toast := r.int32s("relids"), r.int32s("relpages"), r.int32s("toast") // oid[] and int4[] look alike
		l.Relations = len(relids)
		for i, relid := range relids {
			n := blocks(int64(pages[i]))
			place := model.Place{RelID: uint32(relid), Number: i + 1, PagesBefore: l.RelPages, RelPages: n}
			l.places[place.RelID] = place
			if of := uint32(toast[i]); of != 0 {
				place.RelID = of
				l.places[of] = place
			}
			l.RelPages += n
		}
		*listings = append(*listings, l)
		return nil
	}
}
