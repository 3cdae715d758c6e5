package poll

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
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

// misuse is an error of what the command line says: the flags and the target.
type misuse struct{ error }

// Misused tells whether the error of ParseTarget is one of the flags or the target,
// and not of the environment or a file.
func Misused(err error) bool {
	_, misused := errors.AsType[misuse](err)
	return misused
}

// parameterError is what the driver does not accept as a parameter.
type parameterError struct{ err error }

// Error is the driver's reason, without the connection string that it repeats.
func (e parameterError) Error() string {
	text := oneLine(e.err)
	if i := strings.LastIndex(text, "`: "); i >= 0 {
		text = text[i+len("`: "):]
	}
	return "connection parameters: " + text
}

// Unwrap returns the driver's error.
func (e parameterError) Unwrap() error { return e.err }

// connectionError says why a server could not be connected to, in one line.
type connectionError struct {
	address, user string
	hadPassword   bool
	err           error
}

func connectError(config *Config, err error) error {
	return &connectionError{address: config.Address(), user: config.User(), hadPassword: config.pg.Password != "" || config.passwords != nil || config.passwordCommand != "", err: err}
}

// Error is one line without any secret, with the SQLSTATE where the server gave one.
func (e *connectionError) Error() string {
	if NeedsPassword(e) { // what the server says is that an empty one is wrong
		return "connect to " + e.address + " as " + model.Text(e.user).Display() + ": the server asks for a password, and none was supplied"
	}
	text := "connect to " + e.address + " as " + model.Text(e.user).Display() + ": " + oneLine(e.err)
	if refused, said := errors.AsType[*pgconn.PgError](e.err); said {
		text += " (SQLSTATE " + refused.Code + ")"
	}
	return text
}

// Unwrap returns the driver's error.
func (e *connectionError) Unwrap() error { return e.err }

// NeedsPassword tells whether err is a refusal for which a password has to be
// asked: the server wanted one and none was given.
func NeedsPassword(err error) bool {
	failed, ok := errors.AsType[*connectionError](err)
	refused, said := errors.AsType[*pgconn.PgError](err)
	return ok && said && !failed.hadPassword && refused.Code == invalidPassword
}

// oneLine says in one line what went wrong: what the server said when it said
// something, else each cause once.
func oneLine(err error) string {
	if failed, ok := errors.AsType[*connectionError](err); ok {
		return failed.Error()
	}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		return model.Text(refused.Severity + ": " + refused.Message).Display() // the server translates both
	}
	if failed, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		err = failed.Unwrap()
	}
	var reasons []string
	for _, cause := range causes(err) {
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
	if lookup, ok := errors.AsType[*net.DNSError](err); ok {
		return "host name " + lookup.Name + ": " + lookup.Err
	}
	for _, closed := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.EPIPE, syscall.ECONNRESET} {
		if errors.Is(err, closed) {
			return "the server closed the connection"
		}
	}
	if system, ok := errors.AsType[syscall.Errno](err); ok {
		return system.Error()
	}
	if pgconn.Timeout(err) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		return "no answer in time"
	}
	text := flat(withoutAddress(err))
	if strings.Contains(text, "server refused TLS connection") {
		return "the server does not do TLS (SSL), which sslmode asks for; sslmode=prefer connects without"
	}
	return text
}

// withoutAddress is the driver's message of one attempt, "address (host): cause".
func withoutAddress(err error) string {
	text := err.Error()
	if cause := errors.Unwrap(err); cause != nil && strings.HasSuffix(text, "): "+cause.Error()) {
		return cause.Error()
	}
	return text
}

// flat puts a text on one line.
func flat(text string) string { return strings.Join(strings.Fields(text), " ") }

// connectionProblem is the problem of a beat that had no connection.
func connectionProblem(err error) model.Problem {
	p := model.Problem{Part: "connection", Message: model.Text(oneLine(err))}
	if refused, ok := errors.AsType[*pgconn.PgError](err); ok {
		p.SQLState = refused.Code
	}
	return p
}
