package server

import (
	"context"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Conn is a session of the superuser on a throwaway server, or one that works in a
// Schema of its own. Only these two make one, so code that changes a server through a
// Conn changes nothing else.
type Conn struct {
	conn   *pgx.Conn
	notice func(*pgconn.Notice)
}

// Connect opens a session. It ends with Close or with the server.
func (s *Server) Connect(ctx context.Context) (*Conn, error) { return s.ConnectTo(ctx, "postgres") }

// ConnectTo is Connect to another database than the superuser's.
func (s *Server) ConnectTo(ctx context.Context, database string) (*Conn, error) {
	config, err := pgx.ParseConfig(s.ConnStringFor(Superuser, database))
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to the throwaway server: %w", err)
	}
	return c, nil
}

func connect(ctx context.Context, config *pgx.ConnConfig) (c *Conn, err error) {
	c = &Conn{notice: func(*pgconn.Notice) {}}
	config.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) { c.notice(n) }
	c.conn, err = pgx.ConnectConfig(ctx, config)
	return c, err
}

// OnNotice lets what the server says during a statement go to a function, which is
// called from the goroutine that runs it.
func (c *Conn) OnNotice(notice func(*pgconn.Notice)) { c.notice = notice }

// Exec runs a statement, or without arguments several. Cancelling ctx cancels it
// and ends the session.
func (c *Conn) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return c.conn.Exec(ctx, sql, args...)
}

// QueryRow runs a query of one row.
func (c *Conn) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return c.conn.QueryRow(ctx, sql, args...)
}

// Query runs a query of any number of rows.
func (c *Conn) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return c.conn.Query(ctx, sql, args...)
}

// CopyFrom runs a COPY FROM STDIN with what a reader holds.
func (c *Conn) CopyFrom(ctx context.Context, from io.Reader, sql string) (pgconn.CommandTag, error) {
	return c.conn.PgConn().CopyFrom(ctx, from, sql)
}

// PID is the process id of the session's backend.
func (c *Conn) PID() uint32 { return c.conn.PgConn().PID() }

// Close ends the session.
func (c *Conn) Close(ctx context.Context) error { return c.conn.Close(ctx) }
