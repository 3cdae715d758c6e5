package poll

import (
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/model"
)

// SQLSTATEs that decide something.
const (
	insufficientPrivilege     = "42501"
	characterNotInRepertoire  = "22021"
	untranslatableCharacter   = "22P05"
	undefinedObject           = "42704"
	protocolViolation         = "08P01" // with which a pooler refuses a start-up parameter
	invalidPassword           = "28P01"
	firstPause                = 2 * time.Second
	firstPauseWithoutTheRight = 15 * time.Second
	longestPause              = 5 * time.Minute
)

// failures are the parts of a connection's reading that fail. One that the server
// refuses is asked for again with growing pauses, so that a missing right or a
// timeout does not fill the server's log.
type failures map[string]*failure

type failure struct {
	problem model.Problem
	pause   time.Duration
	until   time.Time // when it is asked for again
}

// paused tells whether a part is not to be asked for now.
func (f failures) paused(part string, now time.Time) bool {
	failed := f[part]
	return failed != nil && now.Before(failed.until)
}

// note keeps what came of a request.
func (f failures) note(q *request, now time.Time) {
	problem, failed := q.problem().Get()
	if !failed {
		delete(f, q.statement.part)
		return
	}
	before := f[q.statement.part]
	next := &failure{problem: problem, until: now}
	if _, refused := errors.AsType[*pgconn.PgError](q.err); refused {
		next.pause = firstPause
		if problem.SQLState == insufficientPrivilege {
			next.pause = firstPauseWithoutTheRight
		}
		if before != nil {
			next.pause = min(max(2*before.pause, next.pause), longestPause)
		}
		next.until = now.Add(next.pause)
	}
	f[q.statement.part] = next
}

// problems lists the parts that failed the last time they were asked for, by name.
func (f failures) problems() []model.Problem {
	var out []model.Problem
	for _, part := range slices.Sorted(maps.Keys(f)) {
		out = append(out, f[part].problem)
	}
	return out
}

// isConversion tells that the server could not turn some text into UTF-8.
func isConversion(p model.Problem) bool {
	return p.SQLState == characterNotInRepertoire || p.SQLState == untranslatableCharacter
}
