package act

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
)

// Cancel asks the server to cancel what a run's process does now, and with
// terminate to end its session. It is re-checked, in the same statement, that the
// process still is the one of the run and still runs its statement; else nothing is
// done and the error says so.
func (g *Gate) Cancel(ctx context.Context, config *poll.Config, run model.RunKey, terminate bool) error {
	sql := signalSQL(run, terminate)
	return g.connected(ctx, config, func(ctx context.Context, conn *pgconn.PgConn) error {
		rows, err := g.sendQuery(ctx, conn, sql)
		switch {
		case err != nil:
			return fmt.Errorf("signal pid %d: %w", run.PID, err)
		case len(rows) == 0:
			return fmt.Errorf("nothing was done: pid %d does not run that statement any more", run.PID)
		case rows[0] != "t":
			return fmt.Errorf("the server could not signal pid %d", run.PID)
		}
		return nil
	})
}

// signalSQL signals a process, if it still is the one of the run.
func signalSQL(run model.RunKey, terminate bool) string {
	function := "pg_cancel_backend"
	if terminate {
		function = "pg_terminate_backend"
	}
	return fmt.Sprintf(`SELECT pg_catalog.%s(a.pid) FROM pg_catalog.pg_stat_activity a `+
		`WHERE %s AND a.query_start = %s AND a.state = 'active'`,
		function, processIs(run.PID, run.BackendStart), timestamp(run.StatementStart))
}

// processIs is, of a pg_stat_activity row a, whether it is of a process, and not of a
// later one with the same pid.
func processIs(pid int32, start time.Time) string {
	return fmt.Sprintf("a.pid = %d AND a.backend_start = %s", pid, timestamp(start))
}

// timestamp is a time as an SQL value, exact to the server's microsecond. The year
// stands first: so it is read alike whatever DateStyle says.
func timestamp(t time.Time) string {
	return literal(t.UTC().Format("2006-01-02 15:04:05.000000Z")) + "::pg_catalog.timestamptz"
}
