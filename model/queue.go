package model

import (
	"cmp"
	"slices"
	"time"
)

// Queue is what autovacuum has to do next in the connected database, as of one reading.
type Queue struct {
	ReadAt time.Time
	// Tables stand in the order in which they hurt: what must be vacuumed against
	// wraparound, then what autovacuum would vacuum or analyze, then what is past a
	// threshold that does not count, then what comes near to one. Within each the
	// server's score decides (19), else how far past its threshold the fullest count is;
	// before 19 autovacuum itself goes through pg_class as it is stored.
	Tables []QueuedTable
	// Whole tells that no table which is due is missing: fewer than MaxQueueTables were read.
	Whole bool
	// HoldersRead tells that the lock table could be read.
	HoldersRead bool
	// Off is why autovacuum only vacuums against wraparound: the setting that is off,
	// autovacuum or track_counts; "" when it does all.
	Off string
}

// QueuedTable is one table of a Queue.
type QueuedTable struct {
	QueueTable
	Pressures []Pressure // the fullest first
	// Vacuum and Analyze tell what autovacuum would do with it now; Wraparound that it
	// must, also where it is off.
	Vacuum, Analyze, Wraparound bool
	// Disabled tells that the table's own options keep autovacuum away from it.
	Disabled bool
	// Holders are who has, or waits for, a lock with which autovacuum passes the table
	// over; a vacuum's own processes are among them.
	Holders []Holder
}

// Due tells that autovacuum has something to do with the table.
func (t QueuedTable) Due() bool { return t.Vacuum || t.Analyze }

// Over tells that a count is past its threshold, whether that counts or not.
func (t QueuedTable) Over() bool {
	return slices.ContainsFunc(t.Pressures, Pressure.Over)
}

// Fullest is the share of its threshold that the fullest count has; 0 when none is known.
func (t QueuedTable) Fullest() Ratio {
	if len(t.Pressures) == 0 {
		return 0
	}
	return t.Pressures[0].Share()
}

// newQueue says what a reading means with the settings in force.
func newQueue(at time.Time, read *QueueRead, settings []Setting) *Queue {
	q := &Queue{ReadAt: at, Whole: len(read.Tables) < MaxQueueTables, HoldersRead: read.Holders != nil}
	for _, name := range []string{"autovacuum", "track_counts"} {
		if q.Off == "" && isOff(settings, name) {
			q.Off = name
		}
	}
	for _, t := range read.Tables {
		queued := q.judge(t, settings)
		for _, h := range read.Holders {
			if h.RelID == t.RelID {
				queued.Holders = append(queued.Holders, h)
			}
		}
		q.Tables = append(q.Tables, queued)
	}
	slices.SortStableFunc(q.Tables, byNeed)
	return q
}

// readQueue takes a reading of the queue, and judges it again when settings were read.
func (t *Tracker) readQueue(at time.Time, p *Poll) {
	if p.Queue != nil {
		t.queueRead, t.queueAt = p.Queue, at
	}
	switch {
	case p.Server.InRecovery || t.queueRead == nil:
		t.queue = nil
	case p.Queue != nil || p.Settings != nil:
		t.queue = newQueue(t.queueAt, t.queueRead, t.settings)
	}
}

// autovacuumWorkers counts autovacuum's workers in sight.
func (t *Tracker) autovacuumWorkers() Opt[int] {
	if !t.server.SeesAll {
		return None[int]()
	}
	n := 0
	for _, proc := range t.sessions {
		if proc.BackendType.Or("") == autovacuumWorker {
			n++
		}
	}
	return Some(n)
}

// judge tells what autovacuum would do with a table.
func (q *Queue) judge(t QueueTable, settings []Setting) QueuedTable {
	out := QueuedTable{QueueTable: t, Pressures: t.pressures(settings), Disabled: inForce{t.options(), nil}.disabled()}
	works := q.Off == "" && !out.Disabled
	for _, p := range out.Pressures {
		if !p.Over() {
			continue
		}
		out.Wraparound = out.Wraparound || p.wraps()
		out.Vacuum = out.Vacuum || p.wraps() || works && !p.analyzes()
		out.Analyze = out.Analyze || works && p.analyzes()
	}
	if s := t.Score; s != nil {
		out.Vacuum, out.Analyze, out.Wraparound = s.DoVacuum, s.DoAnalyze, s.ForWraparound
	}
	return out
}

// byNeed orders tables by what hurts most.
func byNeed(a, b QueuedTable) int {
	if order := cmp.Compare(a.rank(), b.rank()); order != 0 {
		return order
	}
	if a.Score != nil && b.Score != nil && a.Score.Score != b.Score.Score {
		return cmp.Compare(b.Score.Score, a.Score.Score)
	}
	return cmp.Compare(b.Fullest(), a.Fullest())
}

func (t QueuedTable) rank() int {
	switch {
	case t.Wraparound:
		return 0
	case t.Due():
		return 1
	case t.Over():
		return 2
	}
	return 3
}
