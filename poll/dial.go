package poll

import (
	"context"
	"io"
	"maps"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// Dial opens a connection of its own that is not for watching: the role's settings
// hold, but for those given, and for what makes text safe to send. notice gets what
// the server says meanwhile, from the goroutine that waits for its answer.
//
// The error is one line without any secret.
func (c *Config) Dial(ctx context.Context, settings map[string]string, notice func(*pgconn.Notice)) (*pgconn.PgConn, error) {
	own := *c
	own.pg = c.pg.Copy()
	own.pg.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { notice(n) }
	asked := own.pg.RuntimeParams
	own.pg.RuntimeParams = map[string]string{"client_encoding": "UTF8", "standard_conforming_strings": "on"}
	if options := asked["options"]; options != "" {
		own.pg.RuntimeParams["options"] = options
	}
	maps.Copy(own.pg.RuntimeParams, settings)
	conn, err := own.dial(ctx)
	if err != nil {
		return nil, connectError(&own, err)
	}
	return conn, nil
}

// Driver is how to connect for a driver that makes its own connections, with the
// password that is needed; the role's settings hold.
func (c *Config) Driver(ctx context.Context) (*pgconn.Config, error) {
	pg := c.pg.Copy()
	pg.RuntimeParams = map[string]string{"client_encoding": "UTF8", "application_name": "vacscope lab"}
	return pg, c.authenticate(ctx, pg)
}

// leaveTime is how long the end of a connection is waited for.
const leaveTime = time.Second

// Leave ends a connection that Dial has opened. One on which nothing runs has left the
// server then: a role whose connections are few can open the next one at once.
func Leave(conn *pgconn.PgConn) {
	if !conn.IsBusy() && !conn.IsClosed() {
		conn.Frontend().Send(&pgproto3.Terminate{})
		_ = conn.Frontend().Flush()
		_ = conn.Conn().SetReadDeadline(time.Now().Add(leaveTime))
		_, _ = io.Copy(io.Discard, conn.Conn()) // until the server has closed its end
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveTime)
	defer cancel()
	_ = conn.Close(ctx)
}
