package lab

import (
	"context"
	"strings"
	"time"

	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5/pgconn"
)

// vacuumSaid is what a VACUUM (VERBOSE) said.
type vacuumSaid struct {
	took    time.Duration // by the client's clock, around the statement
	notices []*pgconn.Notice
}

// vacuumSaying runs a VACUUM (VERBOSE) of a table, with other options.
func vacuumSaying(ctx context.Context, conn *server.Conn, table string, options ...string) (v vacuumSaid, err error) {
	conn.OnNotice(func(n *pgconn.Notice) { v.notices = append(v.notices, n) })
	defer conn.OnNotice(func(*pgconn.Notice) {})
	v.took, err = timed(func() error {
		return execAll(ctx, conn, "vacuum ("+strings.Join(append([]string{"verbose"}, options...), ", ")+") "+table)
	})
	return v, err
}

// messages are what was said, each with its detail in the lines after it.
func (v vacuumSaid) messages() (out []string) {
	for _, n := range v.notices {
		out = append(out, n.Message+"\n"+n.Detail)
	}
	return out
}
