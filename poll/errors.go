package poll

import (
	"errors"
	"strings"

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

// oneLine flattens an error: what the server said when it said something, else
// the driver's words without its preamble, each cause once.
func oneLine(err error) string {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return strings.Join(strings.Fields(refused.Severity+": "+refused.Message), " ")
	}
	var failed *pgconn.ConnectError
	if errors.As(err, &failed) {
		err = failed.Unwrap()
	}
	var causes []string
	seen := map[string]bool{}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		line = strings.Join(strings.Fields(line), " ")
		if line != "" && !seen[line] {
			seen[line] = true
			causes = append(causes, line)
		}
	}
	return strings.Join(causes, "; ")
}

// connectionProblem is the problem of a beat that had no connection.
func connectionProblem(err error) model.Problem {
	p := model.Problem{Part: "connection", Message: model.Text(oneLine(err))}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		p.SQLState = refused.Code
	}
	return p
}
