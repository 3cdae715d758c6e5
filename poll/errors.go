package poll

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// errNotConnected is what a beat without a connection fails with.
var errNotConnected = errors.New("not connected")

// tooOldError is a server that this program does not read.
type tooOldError struct{ version model.Text }

func (e *tooOldError) Error() string {
	return "the server is PostgreSQL " + e.version.Display() + "; 13 or newer is needed"
}

// ConnectError says why a server could not be connected to, in one line.
type ConnectError struct {
	address     string
	hadPassword bool
	err         error
}

func connectError(config *Config, err error) error {
	return &ConnectError{address: config.Address(), hadPassword: config.pg.Password != "", err: err}
}

// Error is one line without any secret.
func (e *ConnectError) Error() string { return "connect to " + e.address + ": " + oneLine(e.err) }

// Unwrap returns the driver's error.
func (e *ConnectError) Unwrap() error { return e.err }

// NeedsPassword tells whether err is a refusal for which a password has to be
// asked: the server wanted one and none was given.
func NeedsPassword(err error) bool {
	const invalidPassword = "28P01"
	var failed *ConnectError
	var refused *pgconn.PgError
	return errors.As(err, &failed) && !failed.hadPassword && errors.As(err, &refused) && refused.Code == invalidPassword
}

// oneLine says in one line what went wrong: what the server said when it said
// something, else each cause once.
func oneLine(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return refused.Severity + ": " + model.Text(refused.Message).Display()
	}
	var failed *pgconn.ConnectError
	if !errors.As(err, &failed) {
		return flat(err.Error())
	}
	var reasons []string
	for _, cause := range causes(failed.Unwrap()) {
		if r := reason(cause); !slices.Contains(reasons, r) {
			reasons = append(reasons, r)
		}
	}
	return strings.Join(reasons, "; ")
}

func causes(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// reason is the innermost cause where it says all: the address stands before it
// already.
func reason(err error) string {
	var lookup *net.DNSError
	var system syscall.Errno
	var network net.Error
	switch {
	case errors.As(err, &lookup):
		return "host name " + lookup.Name + ": " + lookup.Err
	case errors.As(err, &system):
		return system.Error()
	case errors.As(err, &network) && network.Timeout(), errors.Is(err, context.DeadlineExceeded), pgconn.Timeout(err):
		return "no answer in time"
	}
	return flat(err.Error())
}

// flat puts a text on one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// connectionProblem is the problem of a beat that had no connection.
func connectionProblem(err error) model.Problem {
	p := model.Problem{Part: "connection", Message: model.Text(oneLine(err))}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		p.SQLState = refused.Code
	}
	return p
}
