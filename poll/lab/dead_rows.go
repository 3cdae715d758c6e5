package lab

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// deadRows are those that a VACUUM met.
type deadRows struct {
	removed, kept int64 // kept: somebody could still see them
}

func (d deadRows) sentence() string {
	return fmt.Sprintf("VACUUM removed %s; %s had to stay.", model.FormatCounted(d.removed, "dead row", "dead rows"), model.FormatCount(d.kept))
}

// What VACUUM VERBOSE says of them: from 15 on in one message, before in one with a detail.
var (
	deadRowsSaid   = regexp.MustCompile(`tuples: (\d+) removed, \d+ remain, (\d+) are dead but not yet removable`)
	deadRowsSaid14 = regexp.MustCompile(`found (\d+) removable, \d+ nonremovable row versions in [^\n]*\n(\d+) dead row versions cannot be removed yet`)
)

// vacuumVerbose runs a VACUUM of a table and returns what it says of the table's dead rows.
func vacuumVerbose(ctx context.Context, conn *server.Conn, table string, options ...string) (deadRows, error) {
	v, err := vacuumSaying(ctx, conn, table, options...)
	if err != nil {
		return deadRows{}, err
	}
	var found []string
	for _, message := range v.messages() {
		for _, said := range []*regexp.Regexp{deadRowsSaid, deadRowsSaid14} {
			if found == nil { // those of its TOAST table come after
				found = said.FindStringSubmatch(message)
			}
		}
	}
	if found == nil {
		return deadRows{}, fmt.Errorf("VACUUM (VERBOSE) %s said nothing of its dead rows", table)
	}
	removed, err := strconv.ParseInt(found[1], 10, 64)
	kept, keptErr := strconv.ParseInt(found[2], 10, 64)
	return deadRows{removed, kept}, errors.Join(err, keptErr)
}
