package poll

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// minVersion is the oldest server_version_num that is accepted.
const minVersion = 130000

// deadline ends a read on the client's side. The server's statement_timeout
// (Config) strikes before it and costs one part; this costs the connection.
const deadline = 5 * time.Second

// session is one connection: the statements that fit its server, and what is
// due in the next beat.
type session struct {
	conn       *pgconn.PgConn
	server     model.Server // address and identity, and the state as last read
	state      serverState
	statements statements

	// pooled tells that a pooler may give each statement to another server process:
	// none is prepared and nothing is set.
	pooled bool
	note   model.Text // what the person should know about this connection; "" once told

	timeouts []string            // sessionTimeouts that the role or the database sets
	refused  []model.Problem     // what this role may not use, as found on connecting
	failing  failures            // the parts that fail
	raw      map[*statement]bool // those whose text is taken in the server's encoding
	// rewriting and inIndexes tell that the last beat or tick saw what a tick of the
	// leaders alone would miss.
	rewriting, inIndexes bool

	locks     lockDue
	settings  due
	databases due
	described bool // model.About was read since the configuration was loaded
	relations relationWatch
	listings  listings
	history   lastVacuumDue
	holders   holderWatch
	horizon   horizonDue
	queue     queueDue
	io        ioDue
	masked    maskedWatch
}

// close ends the session; a server that does not answer is not waited for. A read
// that was cancelled has begun to close the connection in a goroutine of its own,
// whose end is awaited.
func (s *session) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if !s.conn.IsClosed() {
		s.conn.Close(ctx)
	}
	select {
	case <-s.conn.CleanupDone():
	case <-ctx.Done():
	}
}

// reading is what one beat brought.
type reading struct {
	poll      model.Poll
	problems  []model.Problem
	clock     serverClock   // not known when the server's state could not be read
	cost      time.Duration // server time spent
	rare      time.Duration // the part of it that sets its own pace (lastVacuumDue, listings, lockDue)
	reserved  model.Ratio   // share of the time that is kept for such a part
	roundTrip time.Duration
	logged    string // the setting by which the server logs our statements; "": it does not
	pooled    bool
	note      model.Text
}

// beat reads everything that is due in one round trip, and in a second one the
// names of relations that it is the first to see, which is seldom. With whole set,
// further ones bring at once what otherwise rides in the next beat: lock requests.
// An error means that the connection is gone.
func (s *session) beat(ctx context.Context, whole bool) (*reading, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	out, err := s.beatOnce(ctx, whole)
	for err == nil && s.takeTextRaw() { // once for each statement at most
		out, err = s.beatOnce(ctx, whole)
	}
	return out, err
}

func (s *session) beatOnce(ctx context.Context, whole bool) (*reading, error) {
	out := &reading{}
	poll := &out.poll
	before := s.state.confLoadedAt
	state := &request{statement: s.statements.server, decode: s.state.decode}
	activity := list(s.statements.activity, &poll.Processes, decodeProcess)
	// What is due comes first: a count of vacuums that is read before a vacuum is
	// seen to run is from before its end.
	sent := time.Now()
	s.masked.beat()
	if err := s.read(ctx, out, append(s.due(poll), state, activity)); err != nil {
		return nil, err
	}
	out.roundTrip = time.Since(sent)
	if out.clock = clockOf(state, sent); !out.clock.known() {
		out.clock = clockOf(activity, sent)
	}
	if !before.IsZero() && !before.Equal(s.state.confLoadedAt) {
		s.settings, s.described = due{}, false
	}
	s.decodeOwn(poll.Processes)
	s.masked.join(poll)
	s.locks.waited, s.history.nothingRuns = waitsForLock(poll), nothingRuns(poll)
	s.horizon.nothingRuns = s.history.nothingRuns
	s.io.see(poll)
	s.holders.see(poll)
	s.rewriting = rewrites(poll)
	s.relations.see(relationsIn(poll, s.server.DatID))
	if err := s.readRest(ctx, out, whole); err != nil {
		return nil, err
	}
	s.relations.analyzed(analyzedIn(poll, s.server.DatID))
	if err := s.readListings(ctx, out); err != nil {
		return nil, err
	}
	s.describe(out)
	return out, nil
}

// describe fills in what the reading says of the server and of this connection.
func (s *session) describe(out *reading) {
	s.state.apply(&s.server)
	if on := s.conn.ParameterStatus("in_hot_standby"); on != "" { // 14+; told at each change
		s.server.InRecovery = on == "on"
	}
	out.poll.WALPosition = s.state.walPosition
	out.poll.Server, out.logged = s.server, s.state.logged
	out.problems = slices.Concat(s.refused, s.failing.problems())
	out.reserved = s.locks.reserved()
	out.pooled, out.note, s.note = s.pooled, cmp.Or(s.note, s.locks.slow()), ""
}

// takeTextRaw tells whether a statement failed because the server could not turn
// some text into UTF-8, and lets its text come as the server holds it from then on.
// A database that is not in UTF-8 converts what it sends, and fails on bytes of
// sessions in other encodings: one of them would hide all of pg_stat_activity.
func (s *session) takeTextRaw() bool {
	if s.pooled {
		return false
	}
	again := false
	for _, st := range s.statements.all() {
		if failed := s.failing[st.part]; failed != nil && isConversion(failed.problem) && !s.raw[st] {
			s.raw[st], again = true, true
			delete(s.failing, st.part)
			s.settings, s.databases, s.relations, s.listings = due{}, due{}, relationWatch{}, listings{}
			s.history.request, s.queue.request, s.described = nil, nil, false
		}
	}
	return again
}

// readRest reads what became due by what was read: names, or with whole set
// everything.
func (s *session) readRest(ctx context.Context, out *reading, whole bool) error {
	for whole || s.relations.unread() {
		due := s.unreadRelations
		if whole {
			due = s.due
		}
		requests := due(&out.poll)
		if len(requests) == 0 {
			return nil
		}
		if err := s.read(ctx, out, requests); err != nil {
			return err
		}
		s.relations.see(relationsIn(&out.poll, s.server.DatID))
	}
	return nil
}

// due returns requests for what is read now and then, where its time has come.
func (s *session) due(poll *model.Poll) []*request {
	requests := s.readRelations(poll, s.relations.take())
	if s.locks.now() {
		s.locks.waited = false
		requests = append(requests, s.locks.ask(list(s.statements.lock, &poll.Locks, decodeLock)))
	}
	requests = append(requests, s.masked.take(s.statements.masked, s.state.seesAll)...)
	requests = append(requests, s.holders.take(s.statements.holder, poll)...)
	requests = append(requests, s.horizon.take(s.statements, poll)...)
	requests = append(requests, s.io.take(s.statements.io, poll)...)
	if s.state.read && !s.state.inRecovery {
		requests = append(requests, s.queue.take(s.statements, poll)...)
	}
	if s.settings.now() {
		s.settings.last = time.Now()
		requests = append(requests, list(s.statements.settings, &poll.Settings, decodeSetting),
			&request{statement: s.statements.counters, decode: decodeCounters(poll)},
			&request{statement: s.statements.lockTotal, decode: decodeLockTotal(poll)})
	}
	if !s.described {
		s.described = true
		requests = append(requests, &request{statement: s.statements.about, decode: decodeAbout(&poll.About), discard: func() { poll.About = nil }})
	}
	if s.databases.after(databaseRefresh) {
		s.databases.last = time.Now()
		requests = append(requests, list(s.statements.database, &poll.Databases, decodeDatabaseAge))
	}
	if s.history.now() {
		requests = append(requests, s.history.ask(list(s.statements.lastVacuum, &poll.LastVacuums, decodeLastVacuum)))
	}
	return requests
}

// unreadRelations is the part of due that reads the catalog of what came into sight.
func (s *session) unreadRelations(poll *model.Poll) []*request {
	return s.readRelations(poll, s.relations.takeUnread())
}

func (s *session) readRelations(poll *model.Poll, oids []uint32) []*request {
	if len(oids) == 0 {
		return nil
	}
	return []*request{list(s.statements.relation, &poll.Relations, decodeRelation(s.server.DatID), oidList(oids))}
}

// read runs the requests, except those of parts that the server refused lately, and
// adds their cost to the reading.
func (s *session) read(ctx context.Context, out *reading, requests []*request) error {
	asked := s.ask(requests)
	if err := run(ctx, s.conn, s.encoded(asked)...); err != nil {
		return err
	}
	now := time.Now()
	for _, q := range asked {
		out.cost += q.cost
		if q == s.history.request || q == s.locks.request && s.locks.dear() || slices.Contains(s.statements.rare(), q.statement) {
			out.rare += q.cost
		}
		s.failing.note(q, now)
	}
	return nil
}

// ask leaves out the requests that are not to be made now.
func (s *session) ask(requests []*request) []*request {
	now := time.Now()
	return slices.DeleteFunc(requests, func(q *request) bool {
		paused := s.failing.paused(q.statement.part, now)
		if paused && q.discard != nil {
			q.discard()
		}
		return paused
	})
}

// encoded sets the encoding around the requests whose text is taken raw.
func (s *session) encoded(requests []*request) []*request {
	if len(s.raw) == 0 {
		return requests
	}
	var out []*request
	for _, q := range requests {
		if !s.raw[q.statement] {
			out = append(out, q)
			continue
		}
		out = append(out, &request{statement: encodingStatement(rawEncoding)}, q, &request{statement: encodingStatement(ourEncoding)})
	}
	return out
}

// tickReading is what a tick brought.
type tickReading struct {
	rows      []model.TickRow
	clock     serverClock
	cost      time.Duration
	roundTrip time.Duration
	problem   model.Opt[model.Problem] // the server refused it
}

// tick reads the processes of all vacuums at one moment. An error means that the
// connection is gone.
func (s *session) tick(ctx context.Context) (*tickReading, error) {
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	st := s.statements.leaders
	if s.rewriting || s.inIndexes {
		st = s.statements.tick
	}
	out, err := s.tickOnce(ctx, st)
	if err == nil && st == s.statements.leaders && mayHaveWorkers(out.rows) {
		first := out.cost
		if out, err = s.tickOnce(ctx, s.statements.tick); err == nil {
			out.cost += first
		}
	}
	if err != nil {
		return nil, err
	}
	s.inIndexes = mayHaveWorkers(out.rows)
	s.relations.also(relationsOf(out.rows, s.server.DatID))
	return out, nil
}

// tickOnce reads a tick by one of its two statements.
func (s *session) tickOnce(ctx context.Context, st *statement) (*tickReading, error) {
	out := &tickReading{}
	q := list(st, &out.rows, decodeTick)
	if s.failing.paused(q.statement.part, time.Now()) {
		out.problem = model.Some(s.failing[q.statement.part].problem)
		return out, nil
	}
	sent := time.Now()
	if err := run(ctx, s.conn, q); err != nil {
		return nil, err
	}
	s.failing.note(q, time.Now())
	out.clock, out.cost, out.problem = clockOf(q, sent), q.cost, q.problem()
	out.roundTrip = time.Since(sent)
	slices.SortFunc(out.rows, inFamilies)
	return out, nil
}
