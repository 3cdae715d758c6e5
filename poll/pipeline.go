package poll

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// statement is one query that is prepared once per connection.
type statement struct {
	part   string // what it reads, in words, for Problems
	name   string // its name on the server
	when   string // when it is sent, for people
	sql    string
	params []uint32 // types of its parameters

	prepared *pgconn.StatementDescription
}

// timed wraps a query so that every statement, also one that finds no row,
// returns the server's clock and what the server spent on it until then. The
// row that stands for "no row" has present NULL. An order by r.column can follow.
func timed(query string) string {
	return `
select pg_catalog.clock_timestamp() as server_now,
       pg_catalog.clock_timestamp() - pg_catalog.statement_timestamp() as cost, r.*
from (select 1) one left join (select true as present, q.* from (` + query + `) q) r on true`
}

// request is one execution of a statement and what came of it.
type request struct {
	statement *statement
	params    [][]byte // in text format
	decode    func(row) error
	discard   func() // drops what a statement that failed left behind; nil: nothing to drop

	at       time.Time     // the server's clock
	received time.Time     // when the first row was read
	cost     time.Duration // server time spent executing it
	err      error         // why this part has no result
}

// list makes a request that adds its rows to a list. One that found none leaves an
// empty list, one that failed leaves the list as it was: nil when nothing was read.
func list[T any](s *statement, to *[]T, decode func(*[]T) func(row) error, params ...[]byte) *request {
	before := *to
	if *to == nil {
		*to = []T{}
	}
	return &request{statement: s, params: params, decode: decode(to), discard: func() { *to = before }}
}

// resultBinary asks for all columns in binary format.
var resultBinary = []int16{1}

// run sends the requests in one pipeline, each followed by Sync, so that a
// statement that fails costs only its own request (request.err). The error it
// returns means that the connection is gone.
func run(ctx context.Context, conn *pgconn.PgConn, requests ...*request) error {
	p := conn.StartPipeline(ctx)
	for _, q := range requests {
		if q.statement.prepared != nil {
			p.SendQueryStatement(q.statement.prepared, q.params, nil, resultBinary)
		} else {
			p.SendQueryParams(q.statement.sql, q.params, q.statement.params, nil, resultBinary)
		}
		p.SendPipelineSync()
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	for _, q := range requests {
		if err := q.read(conn, p); err != nil {
			p.Close()
			return fmt.Errorf("read %s: %w", q.statement.part, err)
		}
	}
	return p.Close()
}

// read takes the request's result and its Sync from the pipeline. An error of
// the server's that leaves the connection alive, and one in decoding, stay in
// q.err; the error it returns means that the connection is gone.
func (q *request) read(conn *pgconn.PgConn, p *pgconn.Pipeline) error {
	if err := q.readRows(p); err != nil {
		if isLost(conn, err) {
			return err
		}
		q.err = err
		if q.discard != nil {
			q.discard()
		}
	}
	_, err := p.GetResults()
	return err
}

// isLost tells an error that ended the connection from a statement's own.
func isLost(conn *pgconn.PgConn, err error) bool {
	_, refused := errors.AsType[*pgconn.PgError](err)
	return !refused || conn.IsClosed()
}

func (q *request) readRows(p *pgconn.Pipeline) error {
	results, err := p.GetResults()
	if err != nil {
		return err
	}
	rows, ok := results.(*pgconn.ResultReader)
	if !ok {
		return fmt.Errorf("unexpected answer %T", results)
	}
	for rows.NextRow() {
		r := row{fields: rows.FieldDescriptions(), values: rows.Values()}
		if q.received.IsZero() {
			q.received = time.Now()
			q.at = r.time("server_now").Or(time.Time{})
		}
		q.cost = max(q.cost, r.interval("cost"))
		if r.boolean("present") {
			q.err = cmp.Or(q.err, q.decode(r))
		}
	}
	_, err = rows.Close()
	return err
}

// prepare prepares the statements in one round trip. One that the server
// refuses stays unprepared: it fails alone, each time it is run.
func prepare(ctx context.Context, conn *pgconn.PgConn, statements ...*statement) error {
	p := conn.StartPipeline(ctx)
	for _, s := range statements {
		p.SendPrepare(s.name, s.sql, s.params)
		p.SendPipelineSync()
	}
	if err := p.Flush(); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	for _, s := range statements {
		results, err := p.GetResults()
		if err != nil && isLost(conn, err) {
			p.Close()
			return fmt.Errorf("prepare %s: %w", s.part, err)
		}
		if described, ok := results.(*pgconn.StatementDescription); ok {
			described.Name = s.name // not filled in by a pipeline
			s.prepared = described
		}
		if _, err := p.GetResults(); err != nil {
			p.Close()
			return fmt.Errorf("prepare %s: %w", s.part, err)
		}
	}
	return p.Close()
}

// problem says why the request has no result; absent when it has one.
func (q *request) problem() model.Opt[model.Problem] {
	if q.err == nil {
		return model.None[model.Problem]()
	}
	p := model.Problem{Part: q.statement.part, Message: model.Text(q.err.Error())}
	if refused, ok := errors.AsType[*pgconn.PgError](q.err); ok {
		p.SQLState, p.Message = refused.Code, model.Text(refused.Message)
	}
	return model.Some(p)
}
