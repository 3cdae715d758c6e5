package act

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// ErrReadOnly is why nothing is changed. No server setting would do: VACUUM, ALTER
// SYSTEM and pg_cancel_backend run in a read-only session as well.
var ErrReadOnly = errors.New("nothing is changed: vacscope is read-only (--read-only, VACSCOPE_READ_ONLY or the config file)")

// Gate is the one way by which statements that change a server are sent.
type Gate struct {
	readOnly bool
	record   func(model.Event)
}

// NewGate makes a gate. Every statement that passes is handed to record after its
// end, from the goroutine that sent it, and so is what happens to a VACUUM.
func NewGate(readOnly bool, record func(model.Event)) *Gate {
	return &Gate{readOnly: readOnly, record: record}
}

// ReadOnly tells whether the gate is shut.
func (g *Gate) ReadOnly() bool { return g.readOnly }

// send sends one statement and waits for its end. The end of ctx cuts the
// connection; whoever only wants a statement to end asks the server to cancel it.
func (g *Gate) send(ctx context.Context, conn *pgconn.PgConn, sql string) error {
	_, err := g.sendQuery(ctx, conn, sql)
	return err
}

// sendQuery is send for a statement whose rows' first column matters.
func (g *Gate) sendQuery(ctx context.Context, conn *pgconn.PgConn, sql string) (first []string, err error) {
	if g.readOnly {
		return nil, ErrReadOnly
	}
	results, err := conn.Exec(ctx, sql).ReadAll()
	if err == nil && len(results) > 0 {
		for _, row := range results[0].Rows {
			first = append(first, string(row[0]))
		}
	}
	result := resultOf(err)
	g.record(model.Event{Kind: model.EventCommand, PID: int32(conn.PID()), Text: model.Text(sql), Result: &result})
	return first, err
}

// queryCanceled is the SQLSTATE of a statement that was cancelled.
const queryCanceled = "57014"

// resultOf is how a statement ended, by its error.
func resultOf(err error) model.Result {
	if err == nil {
		return model.Result{How: model.EndCompleted}
	}
	refused, said := errors.AsType[*pgconn.PgError](err)
	switch {
	case !said:
		return model.Result{How: model.EndNotVisible, Message: model.Text(err.Error())}
	case refused.Code == queryCanceled:
		return model.Result{How: model.EndCancelled, SQLState: refused.Code, Message: model.Text(refused.Message)}
	}
	r := model.Result{How: model.EndFailed, SQLState: refused.Code, Message: model.Text(refused.Message)}
	if refused.Detail != "" {
		r.Message += model.Text(" (" + refused.Detail + ")")
	}
	return r
}
