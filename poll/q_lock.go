package poll

import (
	"strconv"

	"example.com/vacscope/model"
)

// maxLocks bounds the ungranted requests that one beat takes.
const maxLocks = 1000

// lockStatement reads the ungranted lock requests. Every role sees all of them.
// pg_locks copies the whole lock table each time, so it is read only in the beat
// after one that saw a process wait for a Lock.
//
// database and relation are NULL when the lock is not on such an object, database
// is 0 for a shared relation. waitstart came with 14 and is NULL for a moment at
// the beginning of a wait.
func lockStatement(c columns) *statement {
	return &statement{
		part: "lock requests",
		name: "vacscope_lock",
		when: afterALockWait,
		sql: timed(`
select l.pid, l.locktype, l.mode, l.database, l.relation, ` + c.orNull("pg_locks", "l", "waitstart", "timestamptz") + ` as waitstart
from pg_catalog.pg_locks l
where not l.granted and l.pid <> pg_catalog.pg_backend_pid()
limit ` + strconv.Itoa(maxLocks)),
	}
}

func decodeLock(locks *[]model.Lock) func(row) error {
	return func(r row) error {
		*locks = append(*locks, model.Lock{
			PID:       r.int32("pid").Or(0),
			LockType:  r.text("locktype").Or(""),
			Mode:      r.text("mode").Or(""),
			DatID:     r.oid("database").Or(0),
			RelID:     r.oid("relation").Or(0),
			WaitStart: r.time("waitstart"),
		})
		return nil
	}
}
