package poll

import (
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// databaseRefresh is how often the databases' ages are read: they grow with what
// the whole cluster does and fall when a database has been vacuumed.
const databaseRefresh = time.Minute

// maxDatabases bounds the rows read: a cluster can have many thousands.
const maxDatabases = 1000

// databaseAgeStatement reads how old the databases are: the connected one first, then
// the oldest. Every role may read pg_database.
func databaseAgeStatement() *statement {
	return &statement{
		part: "databases",
		name: "vacscope_database",
		when: "once a minute",
		sql: timed(`
select d.oid as datid, d.datname, d.datallowconn,
       pg_catalog.age(d.datfrozenxid)::pg_catalog.int8 as xid_age, pg_catalog.mxid_age(d.datminmxid)::pg_catalog.int8 as mxid_age
from pg_catalog.pg_database d
order by d.datname = pg_catalog.current_database() desc, pg_catalog.age(d.datfrozenxid) desc, d.oid
limit ` + strconv.Itoa(maxDatabases)),
	}
}

func decodeDatabaseAge(databases *[]model.Database) func(row) error {
	return func(r row) error {
		*databases = append(*databases, model.Database{
			DatID:            r.oid("datid").Or(0),
			Name:             r.text("datname").Or(""),
			XIDAge:           r.integer("xid_age").Or(0),
			MXIDAge:          r.integer("mxid_age").Or(0),
			AllowConnections: r.boolean("datallowconn"),
		})
		return nil
	}
}

// countersStatement reads the next transaction id (xid8, so that it does not wrap)
// and the next multixact id. Neither function takes an id, and both work on a
// standby. mxid_age is the distance to the next one, modulo 2^32.
func countersStatement() *statement {
	return &statement{
		part: "transaction ids",
		name: "vacscope_counters",
		when: "every 5 s",
		sql: timed(`
select pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot())::pg_catalog.text::pg_catalog.int8 as next_xid,
       pg_catalog.mxid_age('1') as mxids_from_first`),
	}
}

func decodeCounters(poll *model.Poll) func(row) error {
	return func(r row) error {
		if xid, ok := r.integer("next_xid").Get(); ok {
			poll.NextXID = model.Some(uint64(xid))
		}
		if n, ok := r.int32("mxids_from_first").Get(); ok {
			poll.NextMXID = model.Some(uint32(n) + 1)
		}
		return nil
	}
}
