package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5/pgconn"
)

// ReadPrograms asks a server about its programs, and about what makes it safe. How it was
// configured only a superuser can read.
func ReadPrograms(ctx context.Context, conn *server.Conn, name string) (experiment.ServerPrograms, error) {
	about := experiment.ServerPrograms{Name: name}
	err := conn.QueryRow(ctx, `
		select pg_catalog.current_setting('server_version'), pg_catalog.current_setting('server_version_num')::int / 10000,
		       pg_catalog.current_setting('debug_assertions')::bool,
		       pg_catalog.current_setting('fsync')::bool, pg_catalog.current_setting('full_page_writes')::bool`).
		Scan(&about.Version, &about.Major, &about.DebugAssertions, &about.Fsync, &about.FullPageWrites)
	if err != nil {
		return about, fmt.Errorf("read about the server's programs: %w", err)
	}
	var configure string
	switch err := conn.QueryRow(ctx, "select setting from pg_catalog.pg_config where name = 'CONFIGURE'").Scan(&configure); {
	case err == nil:
		about.Configure = model.Some(configure)
	case !hasCode(err, insufficientPrivilege):
		return about, fmt.Errorf("read how the server was configured: %w", err)
	}
	return about, nil
}

// The codes of errors that are told apart.
const (
	insufficientPrivilege = "42501"
	lockNotAvailable      = "55P03"
	queryCanceled         = "57014"
	adminShutdown         = "57P01"
)

// hasCode tells whether an error is one that the server said, with one of some codes.
func hasCode(err error, codes ...string) bool {
	refused, ok := errors.AsType[*pgconn.PgError](err)
	return ok && slices.Contains(codes, refused.Code)
}
