package poll

import (
	"cmp"
	"context"
	"fmt"
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
	conn   *pgconn.PgConn
	server model.Server // address and identity, and the state as last read
	state  serverState

	serverSt, activitySt, tickSt, lockSt, settingsSt, relationSt, databaseSt, countersSt *statement
	treeSt, tablesSt                                                                     *statement

	// pooled tells that a pooler may give each statement to another server process:
	// none is prepared and nothing is set.
	pooled bool
	note   model.Text // what the person should know about this connection; "" once told

	rawText   bool // text comes in the server's encoding
	locksDue  bool // the last beat saw a process wait for a Lock
	settings  due
	databases due
	relations relationWatch
	listings  listings
}

// connect opens a connection and finds out what its server can tell.
func connect(ctx context.Context, config *Config) (*session, error) {
	conn, err := config.dial(ctx)
	if err != nil {
		return nil, connectError(config, err)
	}
	s := &session{conn: conn}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	if err := s.probe(ctx); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", config.Address(), err)
	}
	s.server.Address = config.addressOf(conn)
	return s, nil
}

// probe reads the server's identity and columns and prepares the statements.
func (s *session) probe(ctx context.Context) error {
	var is identity
	found := columns{}
	identity := &request{statement: identityStatement(), decode: is.decode}
	systemID := &request{statement: systemIDStatement(), decode: func(r row) error {
		is.server.SystemIdentifier = r.string("system_identifier")
		return nil
	}}
	views := &request{statement: columnsStatement(), decode: found.add}
	if err := run(ctx, s.conn, identity, systemID, views); err != nil {
		return err
	}
	if err := cmp.Or(identity.err, views.err); err != nil {
		return fmt.Errorf("ask the server what it is: %w", err)
	}
	s.server, s.pooled = is.server, is.backendPID != s.conn.PID()
	if s.server.VersionNum < minVersion {
		return &tooOldError{version: s.server.Version}
	}
	s.serverSt, s.activitySt, s.tickSt = serverStatement(), activityStatement(found), tickStatement(found)
	s.lockSt, s.settingsSt, s.relationSt = lockStatement(found), settingsStatement(), relationStatement(found)
	s.databaseSt, s.countersSt = databaseAgeStatement(), countersStatement()
	s.treeSt, s.tablesSt = treeStatement(), listStatement()
	if s.pooled {
		s.note = "a pooler stands between: no timeouts of our own, and each statement is planned anew"
		return nil
	}
	return prepare(ctx, s.conn, s.serverSt, s.activitySt, s.tickSt, s.lockSt, s.settingsSt, s.relationSt, s.databaseSt, s.countersSt, s.treeSt, s.tablesSt)
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
	if err != nil || s.rawText || s.pooled || !slices.ContainsFunc(out.problems, isConversion) {
		return out, err
	}
	if err := s.takeTextRaw(ctx); err != nil {
		return nil, err
	}
	return s.beatOnce(ctx, whole)
}

func (s *session) beatOnce(ctx context.Context, whole bool) (*reading, error) {
	out := &reading{}
	poll := &out.poll
	before := s.state.confLoadedAt
	state := &request{statement: s.serverSt, decode: s.state.decode}
	activity := list(s.activitySt, &poll.Processes, decodeProcess)
	// What is due comes first: a count of vacuums that is read before a vacuum is
	// seen to run is from before its end.
	sent := time.Now()
	if err := s.read(ctx, out, append(s.due(poll), state, activity)); err != nil {
		return nil, err
	}
	if s.state.startedAt.IsZero() { // it was never read: what is this server?
		return nil, fmt.Errorf("read the server's state: %w", state.err)
	}
	out.roundTrip, out.clock = time.Since(sent), clockOf(state, sent)
	if !before.IsZero() && !before.Equal(s.state.confLoadedAt) {
		s.settings = due{}
	}
	s.locksDue = waitsForLock(poll)
	s.relations.see(relationsIn(poll, s.server.DatID))
	if err := s.readRest(ctx, out, whole); err != nil {
		return nil, err
	}
	if err := s.readListings(ctx, out); err != nil {
		return nil, err
	}
	s.state.apply(&s.server)
	poll.Server, out.logged = s.server, s.state.logged
	out.pooled, out.note, s.note = s.pooled, s.note, ""
	return out, nil
}

// isConversion tells that the server could not turn some text into UTF-8.
func isConversion(p model.Problem) bool {
	return p.SQLState == "22021" || p.SQLState == "22P05" // character_not_in_repertoire, untranslatable_character
}

// takeTextRaw makes the server send text as it holds it. A database that is not in
// UTF-8 converts what it sends, and fails on bytes of sessions in other encodings:
// one of them would hide all of pg_stat_activity.
func (s *session) takeTextRaw(ctx context.Context) error {
	s.rawText = true
	s.settings, s.databases, s.relations = due{}, due{}, relationWatch{}
	s.listings = listings{}
	return s.conn.Exec(ctx, "set client_encoding = 'SQL_ASCII'").Close()
}

// readRest reads what became due by what was read: names, or with whole set
// everything.
func (s *session) readRest(ctx context.Context, out *reading, whole bool) error {
	for whole || s.relations.unread() {
		due := s.dueRelations
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
	requests := s.dueRelations(poll)
	if s.locksDue {
		s.locksDue = false
		requests = append(requests, list(s.lockSt, &poll.Locks, decodeLock))
	}
	if s.settings.now() {
		s.settings.last = time.Now()
		requests = append(requests, list(s.settingsSt, &poll.Settings, decodeSetting),
			&request{statement: s.countersSt, decode: decodeCounters(poll)})
	}
	if s.databases.after(databaseRefresh) {
		s.databases.last = time.Now()
		requests = append(requests, list(s.databaseSt, &poll.Databases, decodeDatabaseAge))
	}
	return requests
}

// dueRelations is the part of due that reads the catalog.
func (s *session) dueRelations(poll *model.Poll) []*request {
	oids := s.relations.take()
	if len(oids) == 0 {
		return nil
	}
	return []*request{list(s.relationSt, &poll.Relations, decodeRelation(s.server.DatID), oidList(oids))}
}

// read runs the requests and adds their cost and their problems to the reading.
func (s *session) read(ctx context.Context, out *reading, requests []*request) error {
	if err := run(ctx, s.conn, requests...); err != nil {
		return err
	}
	for _, q := range requests {
		out.cost += q.cost
		if p, failed := q.problem().Get(); failed {
			out.problems = append(out.problems, p)
		}
	}
	return nil
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
	out := &tickReading{}
	q := list(s.tickSt, &out.rows, decodeTick)
	sent := time.Now()
	if err := run(ctx, s.conn, q); err != nil {
		return nil, err
	}
	out.clock, out.cost, out.problem = clockOf(q, sent), q.cost, q.problem()
	out.roundTrip = time.Since(sent)
	slices.SortFunc(out.rows, inFamilies)
	s.relations.also(relationsOf(out.rows, s.server.DatID))
	return out, nil
}
