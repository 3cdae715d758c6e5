package poll

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// sessionTimeouts are settings with which a role or a database can end every
// session, and that some versions do not have: a start-up parameter that the server
// does not know is refused, so they are sent only where they are needed.
var sessionTimeouts = [...]string{"transaction_timeout", "idle_session_timeout"}

// timeouts are the sessionTimeouts to switch off on connecting, for all connections
// of one Config. The methods can be called from any goroutine.
type timeouts struct{ names atomic.Pointer[[]string] }

func (t *timeouts) get() []string {
	if names := t.names.Load(); names != nil {
		return *names
	}
	return nil
}

func (t *timeouts) set(names []string) { t.names.Store(&names) }

// timeoutsOf are the sessionTimeouts that a version has.
func timeoutsOf(versionNum int) []string {
	switch {
	case versionNum >= 170000:
		return sessionTimeouts[:]
	case versionNum >= 140000:
		return sessionTimeouts[1:]
	}
	return nil
}

// connect opens a connection and finds out what its server can tell. Where the role
// has a timeout that would end the session, it connects again with start-up
// parameters that win over it.
func connect(ctx context.Context, config *Config) (*session, error) {
	s, err := connectOnce(ctx, config)
	known := config.timeouts.get()
	switch {
	case hasState(err, undefinedObject) && len(known) > 0: // another server answers here now
		config.timeouts.set(nil)
	case len(known) > 0 || ctx.Err() != nil:
		return s, err
	case err == nil && !s.pooled && len(s.timeouts) > 0:
		s.close()
		config.timeouts.set(timeoutsOf(s.server.VersionNum))
	default:
		ended, ok := errors.AsType[*endedError](err)
		if !ok {
			return s, err
		}
		config.timeouts.set(timeoutsOf(ended.versionNum))
	}
	return connectOnce(ctx, config)
}

// endedError is a connection that the server ended before it said what it is.
type endedError struct {
	versionNum int
	err        error
}

// Error is the error's that ended it.
func (e *endedError) Error() string { return oneLine(e.err) }

// Unwrap returns the error that ended it.
func (e *endedError) Unwrap() error { return e.err }

func connectOnce(ctx context.Context, config *Config) (*session, error) {
	conn, err := config.dial(ctx)
	if err != nil {
		return nil, connectError(config, err)
	}
	s := &session{conn: conn, failing: failures{}, raw: map[*statement]bool{}}
	ctx, cancel := context.WithTimeout(ctx, deadline)
	defer cancel()
	if err := s.probe(ctx); err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", config.Address(), err)
	}
	s.server.Address = config.addressOf(conn)
	return s, nil
}

// probe finds out what the server is, what its views have and what this role may
// use, and prepares the statements. What cannot be read is listed, and left out.
func (s *session) probe(ctx context.Context) error {
	is, found := identity{}, newColumns()
	id := &request{statement: identityStatement(), decode: is.decode}
	database := &request{statement: databaseStatement(), decode: is.decodeDatabase}
	systemID := &request{statement: systemIDStatement(), decode: func(r row) error {
		is.server.SystemIdentifier = r.string("system_identifier")
		return nil
	}}
	views := &request{statement: columnsStatement(), decode: found.add}
	functions := &request{statement: functionsStatement(), decode: found.addFunction}
	told := versionNum(s.conn.ParameterStatus("server_version"))
	if err := run(ctx, s.conn, id, database, systemID, views, functions); err != nil {
		return &endedError{told, fmt.Errorf("ask the server what it is: %w", err)}
	}
	if id.err != nil { // what the connection itself was told has to do
		is.server.VersionNum, is.server.Version = told, model.Text(s.conn.ParameterStatus("server_version"))
		is.backendPID = s.conn.PID()
	}
	if is.server.VersionNum < minVersion {
		return &tooOldError{version: is.server.Version}
	}
	if views.err != nil {
		refused := found.refused
		found = columnsOf(is.server.VersionNum)
		found.refused = refused
	}
	s.server, s.timeouts, s.pooled = is.server, is.timeouts, is.backendPID != s.conn.PID()
	s.refused = found.problems()
	for _, q := range []*request{id, database, views, functions} {
		if p, failed := q.problem().Get(); failed {
			s.refused = append(s.refused, p)
		}
	}
	s.statements = statementsFor(found)
	if s.pooled {
		s.note = "a pooler stands between: no timeouts of our own, and each statement is planned anew"
		return nil
	}
	if err := prepare(ctx, s.conn, s.statements.all()...); err != nil {
		return &endedError{told, err}
	}
	return nil
}

// versionNum reads "18.4 (Debian 18.4-1)" or "19beta3" as server_version_num does;
// 0 when it is no version.
func versionNum(version string) int {
	digits := func(s string) (number int, rest string) {
		end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(s)
		}
		number, _ = strconv.Atoi(s[:end]) // of no digits: 0
		return number, s[end:]
	}
	major, rest := digits(version)
	minor, _ := digits(strings.TrimPrefix(rest, "."))
	return major*10000 + minor
}

// dial connects. A pooler knows only the start-up parameters that it keeps for
// each client, and refuses others: through one it is tried with those.
func (c *Config) dial(ctx context.Context) (*pgconn.PgConn, error) {
	pg := c.pg.Copy()
	if err := c.authenticate(ctx, pg); err != nil {
		return nil, err
	}
	for _, name := range c.timeouts.get() {
		pg.RuntimeParams[name] = "0"
	}
	conn, err := pgconn.ConnectConfig(ctx, pg)
	if !hasState(err, protocolViolation) {
		return conn, err
	}
	for name := range pg.RuntimeParams {
		if !slices.Contains([]string{"application_name", "client_encoding", "datestyle", "standard_conforming_strings"}, name) {
			delete(pg.RuntimeParams, name)
		}
	}
	return pgconn.ConnectConfig(ctx, pg)
}

// hasState tells whether the server refused with an SQLSTATE.
func hasState(err error, sqlState string) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && refused.Code == sqlState
}
