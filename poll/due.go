package poll

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// slowRefresh is how often settings and known relations are read again.
const slowRefresh = 5 * time.Second

// due tells when something that is read now and then is to be read again. The
// zero value is due at once.
type due struct{ last time.Time }

func (d due) now() bool { return d.after(slowRefresh) }

// after is now for what is read at another pace.
func (d due) after(pause time.Duration) bool { return d.last.IsZero() || time.Since(d.last) >= pause }

// costly tells when a reading that can be dear on some servers is made again: after
// a pause of so many times what it cost. The zero value is due at once.
type costly struct {
	asked   time.Time
	request *request // the last one; nil before it
}

func (c *costly) now(least time.Duration, times int) bool {
	return c.request == nil || time.Since(c.asked) >= max(least, c.pause(times))
}

func (c *costly) pause(times int) time.Duration {
	if c.request == nil {
		return 0
	}
	return time.Duration(times) * c.request.cost
}

// ask notes the request that is made now.
func (c *costly) ask(q *request) *request {
	c.asked, c.request = time.Now(), q
	return q
}

// relationWatch keeps which relations are in sight and whose names are known.
type relationWatch struct {
	inSight []uint32
	known   map[uint32]bool
	gone    map[uint32]*goneRelation
	again   map[uint32]time.Time // until when one that is analyzed after its VACUUM is read every beat
	refresh due
}

// goneRelation is one that went out of sight.
type goneRelation struct {
	until time.Time // until then it is read
	read  bool      // it was read since
}

// maxRead bounds the relations of a reading, at some 20 µs of server time each, by
// leaving out of those that went out of sight. A VACUUM of a database can go through
// hundreds of tables a second.
const maxRead = 40

// readAfter is for how long a relation is read after it went out of sight: its
// count of vacuums tells how the vacuum ended, and can rise a moment later.
const readAfter = 4 * time.Second

// take returns the oids to read now: those not yet read, those gone lately, or all
// in sight when a refresh is due (a schema can be renamed while its table is vacuumed).
func (w *relationWatch) take() []uint32 {
	if len(w.inSight) > 0 && w.refresh.now() {
		w.refresh.last, w.known = time.Now(), nil
	}
	oids := w.takeUnread()
	oids = append(oids, w.takeGone(max(0, maxRead-len(oids)))...)
	slices.Sort(oids)
	return slices.Compact(oids)
}

// takeUnread returns those of the oids in sight that were not yet read.
func (w *relationWatch) takeUnread() []uint32 {
	if w.known == nil {
		w.known = map[uint32]bool{}
	}
	var oids []uint32
	for _, oid := range w.inSight {
		if !w.known[oid] {
			w.known[oid] = true
			oids = append(oids, oid)
		}
	}
	return oids
}

// analyzed notes what is being analyzed: if its VACUUM went before, the counts that
// tell how that ended rise while the relation stays in sight.
func (w *relationWatch) analyzed(oids []uint32) {
	again := make(map[uint32]time.Time, len(oids))
	for _, oid := range oids {
		until, noted := w.again[oid]
		if !noted {
			until = time.Now().Add(readAfter)
		}
		again[oid] = until
		if time.Now().Before(until) {
			delete(w.known, oid)
		}
	}
	w.again = again
}

// analyzedIn lists the relations of the connected database that a poll shows in
// pg_stat_progress_analyze.
func analyzedIn(poll *model.Poll, connected uint32) []uint32 {
	var oids []uint32
	for _, p := range poll.Processes {
		if p.Progress != nil && p.Progress.View == model.ViewAnalyze && p.DatID.Or(0) == connected {
			oids = append(oids, p.Progress.RelID)
		}
	}
	return oids
}

// takeGone returns at most so many of the oids that went out of sight lately: first
// those that were not read since, then those whose time ends first.
func (w *relationWatch) takeGone(room int) []uint32 {
	now := time.Now()
	maps.DeleteFunc(w.gone, func(_ uint32, g *goneRelation) bool { return now.After(g.until) })
	oids := slices.SortedFunc(maps.Keys(w.gone), func(a, b uint32) int {
		x, y := w.gone[a], w.gone[b]
		if x.read != y.read {
			if y.read {
				return -1
			}
			return 1
		}
		return cmp.Or(x.until.Compare(y.until), cmp.Compare(a, b))
	})
	oids = oids[:min(len(oids), room)]
	for _, oid := range oids {
		w.gone[oid].read = true
	}
	return oids
}

// unread tells whether a relation is in sight that was not yet read.
func (w *relationWatch) unread() bool {
	return slices.ContainsFunc(w.inSight, func(oid uint32) bool { return !w.known[oid] })
}

// see replaces what is in sight; what went out of sight is read for a while more,
// also when it comes back, as autovacuum does that gave way: how the vacuum before
// ended must be read before the next one ends.
func (w *relationWatch) see(oids []uint32) {
	slices.Sort(oids)
	w.inSight = slices.Compact(oids)
	if w.gone == nil {
		w.gone = map[uint32]*goneRelation{}
	}
	for oid := range w.known {
		if !slices.Contains(w.inSight, oid) {
			delete(w.known, oid)
			w.gone[oid] = &goneRelation{until: time.Now().Add(readAfter)}
		}
	}
}

// also adds to what is in sight until the next poll: what only ticks saw.
func (w *relationWatch) also(oids []uint32) {
	for _, oid := range oids {
		if !slices.Contains(w.inSight, oid) {
			w.inSight = append(w.inSight, oid)
		}
	}
}

// firstUserOID is where oids of user objects begin. Below it oids are fixed, so
// that another database's relation may be a shared catalog.
const firstUserOID = 16384

// relationsIn lists the relations of a poll that the connected database's catalog
// can name. The same number in another database is another relation.
func relationsIn(poll *model.Poll, connected uint32) []uint32 {
	var oids []uint32
	for _, p := range poll.Processes {
		if p.Progress == nil || p.Progress.RelID == 0 {
			continue
		}
		if readable(p.DatID.Or(0), p.Progress.RelID, connected) {
			oids = append(oids, p.Progress.RelID)
		}
	}
	for _, l := range poll.Locks {
		if l.RelID != 0 && (l.DatID == connected || l.DatID == 0) {
			oids = append(oids, l.RelID)
		}
	}
	return oids
}

// relationsOf is the same for a tick: a vacuum can come and go between two polls.
func relationsOf(rows []model.TickRow, connected uint32) []uint32 {
	var oids []uint32
	for _, row := range rows {
		if row.RelID != 0 && readable(row.DatID, row.RelID, connected) {
			oids = append(oids, row.RelID)
		}
	}
	return oids
}

// readable tells whether the connected database's catalog can name a relation of a
// session of database datid.
func readable(datid, relid, connected uint32) bool {
	return datid == connected || relid < firstUserOID
}

// waitsForLock tells whether a process waits for a heavyweight lock.
func waitsForLock(poll *model.Poll) bool {
	return slices.ContainsFunc(poll.Processes, func(p model.Process) bool {
		return p.WaitsForLock()
	})
}
