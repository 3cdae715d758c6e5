package poll

import (
	"context"
	"maps"

	"github.com/jackc/pgx/v5/pgconn"
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
