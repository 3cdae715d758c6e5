package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// The progress views show vacuums of all databases, a catalog only the relations
// of its own. What other databases call theirs, and how often they were vacuumed,
// is read there, over one short connection.
const (
	otherEvery   = time.Minute      // how often one database is connected to, at most
	otherRefresh = 5 * time.Minute  // when what is in sight is read again
	otherAfter   = 3 * time.Second  // after the end of a vacuum its count has risen, if it does
	otherTakes   = 10 * time.Second // the longest that a lookup lasts
	otherPause   = time.Hour        // the longest pause after failures that may pass
)

// maxOtherOIDs bounds what is kept and asked for of one database.
const maxOtherOIDs = 500

// otherDatabase is what is known of one database.
type otherDatabase struct {
	datid  uint32
	name   string
	reason model.Text // why it is never asked again; "" while it may be
	next   time.Time  // not before
	pause  time.Duration
	read   map[uint32]time.Time // relations in sight, and when they were read
	after  map[uint32]time.Time // relations whose vacuum ended: read once more, not before
}

// otherDatabases reads relations of other databases: one at a time, in a goroutine
// of its own that no beat waits for. Its methods are for one goroutine at a time.
type otherDatabases struct {
	// lookup connects to a database, reads relations there, and closes; nil: never.
	lookup    func(ctx context.Context, database string, datid uint32, oids []uint32) ([]model.Relation, time.Duration, error)
	databases map[uint32]*otherDatabase
	running   chan otherResult // of the lookup under way; nil: none is
	cancel    context.CancelFunc
}

// otherResult is what a lookup came to.
type otherResult struct {
	datid     uint32
	relations []model.Relation
	cost      time.Duration // of its statements; what a new connection costs is not told
	err       error
	broken    any // what a panic said
}

// newOtherDatabases reads with connections like the given one.
func newOtherDatabases(config *Config) *otherDatabases {
	return &otherDatabases{lookup: func(ctx context.Context, database string, datid uint32, oids []uint32) ([]model.Relation, time.Duration, error) {
		return config.relationsIn(ctx, database, datid, oids)
	}}
}

// see takes what a poll shows of other databases, and begins to read the one that
// most wants it.
func (o *otherDatabases) see(poll *model.Poll, now time.Time) {
	if o.lookup == nil || poll.Processes == nil {
		return
	}
	sight := relationsElsewhere(poll)
	for datid, d := range o.databases {
		d.see(sight[datid], now)
		delete(sight, datid)
	}
	for datid, seen := range sight {
		if o.databases == nil {
			o.databases = map[uint32]*otherDatabase{}
		}
		d := &otherDatabase{datid: datid, name: seen.name, read: map[uint32]time.Time{}, after: map[uint32]time.Time{}}
		d.see(seen, now)
		o.databases[datid] = d
	}
	o.begin(now)
}

// begin starts a lookup where one is due and none is under way.
func (o *otherDatabases) begin(now time.Time) {
	if o.running != nil {
		return
	}
	for _, d := range o.databases {
		oids := d.due(now)
		if len(oids) == 0 {
			continue
		}
		d.next = now.Add(otherEvery)
		ctx, cancel := context.WithTimeout(context.Background(), otherTakes)
		o.running, o.cancel = make(chan otherResult, 1), cancel
		go look(ctx, o.lookup, d.name, d.datid, oids, o.running)
		return
	}
}

func look(ctx context.Context, lookup func(context.Context, string, uint32, []uint32) ([]model.Relation, time.Duration, error),
	name string, datid uint32, oids []uint32, to chan<- otherResult) {
	r := otherResult{datid: datid}
	defer func() {
		if broken := recover(); broken != nil {
			r.broken = fmt.Sprintf("%v\n%s", broken, debug.Stack())
		}
		to <- r
	}()
	r.relations, r.cost, r.err = lookup(ctx, name, datid, oids)
}

// take adds to a poll what a lookup has brought since, and says which of the
// databases in sight cannot be read. It returns what that cost the server.
func (o *otherDatabases) take(poll *model.Poll, now time.Time) time.Duration {
	var cost time.Duration
	select {
	case r := <-o.running:
		cost = o.taken(r, poll, now)
	default: // none is under way, or it still is
	}
	for _, datid := range databasesOf(poll) {
		if d := o.databases[datid]; d != nil && d.reason != "" {
			poll.Unreadable = append(poll.Unreadable, model.UnreadableDatabase{DatID: datid, Reason: d.reason})
		}
	}
	return cost
}

// taken notes how a lookup ended.
func (o *otherDatabases) taken(r otherResult, poll *model.Poll, now time.Time) time.Duration {
	o.cancel()
	o.running = nil
	if r.broken != nil {
		panic(r.broken) // where the caller can catch it
	}
	if d := o.databases[r.datid]; d != nil {
		d.done(r.err, now)
	}
	poll.Relations = append(poll.Relations, r.relations...)
	return r.cost
}

// await waits for the lookup under way and makes those that are due besides, one
// after the other, at most for a time.
func (o *otherDatabases) await(ctx context.Context, most time.Duration, poll *model.Poll) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	for o.running != nil {
		select {
		case r := <-o.running:
			o.taken(r, poll, time.Now())
			o.begin(time.Now())
		case <-ctx.Done():
			return
		}
	}
}

// close ends the lookup under way and waits for its end.
func (o *otherDatabases) close() {
	if o.running != nil {
		o.cancel()
		<-o.running
		o.running = nil
	}
}

// see replaces what is in sight. Of a relation that was read and has gone, the
// count is wanted once more.
func (d *otherDatabase) see(seen elsewhere, now time.Time) {
	for oid := range d.read {
		if _, there := seen.oids[oid]; !there {
			delete(d.read, oid)
			if len(d.after) < maxOtherOIDs {
				d.after[oid] = now.Add(otherAfter)
			}
		}
	}
	for oid := range seen.oids {
		if _, known := d.read[oid]; !known && len(d.read) < maxOtherOIDs {
			d.read[oid] = time.Time{}
		}
	}
}

// due are the relations to read now: none unless one of them is to be read.
func (d *otherDatabase) due(now time.Time) []uint32 {
	if d.reason != "" || now.Before(d.next) {
		return nil
	}
	var oids []uint32
	for oid, at := range d.read {
		if now.Sub(at) >= otherRefresh {
			oids = append(oids, oid)
			d.read[oid] = now
		}
	}
	for oid, from := range d.after {
		if !now.Before(from) {
			oids = append(oids, oid)
			delete(d.after, oid)
		}
	}
	slices.Sort(oids)
	return slices.Compact(oids)
}

// done notes whether the database could be read. One that refuses is not asked
// again; after a failure that may pass, the pauses grow.
func (d *otherDatabase) done(err error, now time.Time) {
	if err == nil {
		d.pause = 0
		return
	}
	if reason, refuses := refusal(err); refuses {
		d.reason = model.Text(reason)
		return
	}
	d.pause = min(max(2*d.pause, otherEvery), otherPause)
	d.next = now.Add(d.pause)
	clear(d.read)
}

// refusal tells whether the server will say the same again, and what it says in the
// words of this program.
func refusal(err error) (string, bool) {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	if !ok {
		return "", false
	}
	switch {
	case refused.Code == "55000":
		return "it does not accept connections", true
	case refused.Code == "42501":
		return "this role may not connect to it", true
	case refused.Code == "3D000":
		return "it is gone", true
	case refused.Code[:2] == "28":
		return "the server does not let this role into it (pg_hba.conf, or another password)", true
	case refused.Code[:2] == "53", refused.Code[:2] == "57", refused.Code[:2] == "08":
		return "", false
	}
	return "it cannot be read (SQLSTATE " + refused.Code + ")", true
}

// elsewhere is what a poll shows of another database.
type elsewhere struct {
	name string
	oids map[uint32]bool
}

// relationsElsewhere are the relations of a poll that only their own database's
// catalog can name, by database. Those that an autovacuum's own text names are
// left out.
func relationsElsewhere(poll *model.Poll) map[uint32]elsewhere {
	names, found := map[uint32]string{}, map[uint32]elsewhere{}
	add := func(datid, relid uint32) {
		name := names[datid]
		if relid == 0 || name == "" || readable(datid, relid, poll.Server.DatID) {
			return
		}
		if found[datid].oids == nil {
			found[datid] = elsewhere{name, map[uint32]bool{}}
		}
		found[datid].oids[relid] = true
	}
	for _, p := range poll.Processes {
		if name, ok := p.Database.Get(); ok {
			names[p.DatID.Or(0)] = string(name)
		}
		if _, named := model.AutovacuumTarget(p.Query.Or("")); p.Progress != nil && !named {
			add(p.DatID.Or(0), p.Progress.RelID)
		}
	}
	for _, l := range poll.Locks {
		add(l.DatID, l.RelID)
	}
	return found
}

// databasesOf are the other databases of a poll's processes.
func databasesOf(poll *model.Poll) []uint32 {
	var datids []uint32
	for _, p := range poll.Processes {
		if datid := p.DatID.Or(0); datid != 0 && datid != poll.Server.DatID && !slices.Contains(datids, datid) {
			datids = append(datids, datid)
		}
	}
	return datids
}

// relationsIn connects to another database of the server, reads relations there and
// closes the connection.
func (c *Config) relationsIn(ctx context.Context, database string, datid uint32, oids []uint32) (relations []model.Relation, cost time.Duration, err error) {
	there := *c
	there.pg = c.pg.Copy()
	there.pg.Database = database
	conn, err := there.dial(ctx)
	if err != nil {
		return nil, 0, connectError(&there, err)
	}
	s := &session{conn: conn}
	defer s.close()
	found := newColumns()
	views := &request{statement: columnsStatement(), decode: found.add}
	if err := run(ctx, conn, views); err != nil {
		return nil, 0, err
	}
	names := list(relationStatement(found), &relations, decodeRelation(datid), oidList(oids))
	if err := run(ctx, conn, names); err != nil {
		return nil, views.cost, err
	}
	for i := range relations {
		relations[i].ReadAt = model.Some(names.at)
	}
	return relations, views.cost + names.cost, cmp.Or(views.err, names.err)
}
