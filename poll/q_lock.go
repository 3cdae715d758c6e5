package poll

import (
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// maxLocks bounds the ungranted requests that one beat takes.
const maxLocks = 1000

// lockStatement reads the ungranted lock requests. Every role sees all of them.
// pg_locks copies the whole lock table each time, so it is read only in the beat
// after one that saw a process wait for a Lock, and where many locks are held not
// in each of them (lockDue).
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

// lockDue tells when the lock requests are to be read.
type lockDue struct {
	waited bool // the last beat saw a process wait for a Lock
	told   bool // that they are not read in every beat
	costly
}

// lockShare is how many times its own cost passes between two readings: they take
// the server no more than a third of a per cent of its time.
const lockShare = 300

func (d *lockDue) now() bool { return d.waited && d.costly.now(0, lockShare) }

// dear tells that the lock requests are read at a pace of their own.
func (d *lockDue) dear() bool { return d.pause(lockShare) >= 2*time.Second }

// reserved is the share of the time that they are read for then.
func (d *lockDue) reserved() model.Ratio {
	if !d.waited || !d.dear() {
		return 0
	}
	return 1.0 / lockShare
}

// slow tells, once, that the lock table is read less often than what else is read.
func (d *lockDue) slow() model.Text {
	if d.told || !d.dear() {
		return ""
	}
	d.told = true
	pause := d.pause(lockShare)
	return model.Text("reading the lock table takes the server " + model.FormatDuration(d.request.cost) +
		": what sessions wait for is read every " + model.FormatDuration(pause.Round(time.Second)))
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
