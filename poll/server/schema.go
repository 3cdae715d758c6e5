package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Schema is a schema of its own on a server that was not started here: what is created
// without naming a schema lies in it, and goes with it.
type Schema struct {
	Name string
	dial func(context.Context) (*pgconn.Config, error)
}

// SchemaPrefix begins the names of these schemas.
const SchemaPrefix = "vacscope_lab_"

// dropWithin bounds how long the end of a schema may take.
const dropWithin = time.Minute

// CreateSchema makes a schema. Each of its sessions connects as dial says.
func CreateSchema(ctx context.Context, dial func(context.Context) (*pgconn.Config, error)) (*Schema, error) {
	s := &Schema{Name: fmt.Sprintf("%s%d", SchemaPrefix, rand.Uint32()), dial: dial}
	conn, err := s.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if _, err = conn.Exec(ctx, "create schema "+s.Name); err != nil {
		err = fmt.Errorf("create the schema %s: %w%s", s.Name, err, conn.mayCreate(err))
	}
	return s, errors.Join(err, conn.Close(ctx))
}

// mayCreate says how a role that may not create a schema can.
func (c *Conn) mayCreate(err error) string {
	const insufficientPrivilege = "42501"
	if refused, ok := errors.AsType[*pgconn.PgError](err); !ok || refused.Code != insufficientPrivilege {
		return ""
	}
	how := c.conn.Config()
	return fmt.Sprintf("; GRANT CREATE ON DATABASE %s TO %s lets it", pgx.Identifier{how.Database}.Sanitize(), pgx.Identifier{how.User}.Sanitize())
}

// Connect opens a session that works in the schema.
func (s *Schema) Connect(ctx context.Context) (*Conn, error) {
	how, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	config, err := pgx.ParseConfig("host=/nowhere") // all of it is replaced: pgx wants a Config that it has parsed
	if err != nil {
		return nil, err
	}
	config.Config = *how
	conn, err := connect(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connect to work in the schema %s: %w", s.Name, err)
	}
	if _, err := conn.Exec(ctx, "set search_path = "+s.Name); err != nil {
		return nil, errors.Join(err, conn.Close(ctx))
	}
	return conn, nil
}

// Drop removes the schema with all that is in it, also when ctx has ended.
func (s *Schema) Drop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), dropWithin)
	defer cancel()
	conn, err := s.Connect(ctx)
	if err == nil {
		_, err = conn.Exec(ctx, "drop schema if exists "+s.Name+" cascade")
		err = errors.Join(err, conn.Close(ctx))
	}
	if err != nil {
		return fmt.Errorf("%w; what is left goes with: DROP SCHEMA %s CASCADE", err, s.Name)
	}
	return nil
}
