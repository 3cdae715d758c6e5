package server

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Conn is a session of the superuser on a throwaway server. Only a Server makes
// one, so code that changes a server through a Conn cannot change another one.
type Conn struct{ conn *pgx.Conn }

// Connect opens a session. It ends with Close or with the server.
func (s *Server) Connect(ctx context.Context) (*Conn, error) {
	conn, err := pgx.Connect(ctx, s.ConnString())
	if err != nil {
		return nil, fmt.Errorf("connect to the throwaway server: %w", err)
	}
	return &Conn{conn}, nil
}

// Exec runs a statement, or without arguments several. Cancelling ctx cancels it
// and ends the session.
func (c *Conn) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return c.conn.Exec(ctx, sql, args...)
}

// QueryRow runs a query of one row.
func (c *Conn) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return c.conn.QueryRow(ctx, sql, args...)
}

// PID is the process id of the session's backend.
func (c *Conn) PID() uint32 { return c.conn.PgConn().PID() }

// Close ends the session.
func (c *Conn) Close(ctx context.Context) error { return c.conn.Close(ctx) }
