package experiment

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"example.com/vacscope/model"
)

// Transaction is one line of a log of pgbench -l.
type Transaction struct {
	// Took is its latency: with --rate from when it was due. Absent for one that failed or
	// was skipped.
	Took  model.Opt[time.Duration]
	Ended time.Time
}

// withoutDuration is what pgbench writes in place of a duration.
var withoutDuration = []string{"skipped", "failed", "serialization", "deadlock"}

// ReadTransaction reads the fields of a line of a log of pgbench -l.
func ReadTransaction(fields []string) (t Transaction, err error) {
	switch {
	case len(fields) < 6:
		return t, errors.New("it is no line of a log of pgbench -l")
	case len(fields[0]) >= len("1000000000"): // its first column is a time, not a client
		return t, errors.New("it is of a log that pgbench aggregated; without --aggregate-interval there is a line for each transaction")
	}
	seconds, err := strconv.ParseInt(fields[4], 10, 64)
	if err != nil {
		return t, fmt.Errorf(`"%s" is no number of seconds`, model.Text(fields[4]).Display())
	}
	micros, err := strconv.ParseInt(fields[5], 10, 64)
	if err != nil {
		return t, fmt.Errorf(`"%s" is no number of microseconds`, model.Text(fields[5]).Display())
	}
	t.Ended = time.Unix(seconds, 1000*micros)
	if slices.Contains(withoutDuration, fields[2]) {
		return t, nil
	}
	us, err := strconv.ParseFloat(fields[2], 64)
	if err != nil {
		return t, fmt.Errorf(`"%s" is no number of microseconds`, model.Text(fields[2]).Display())
	}
	t.Took = model.Some(time.Duration(us * float64(time.Microsecond)))
	return t, nil
}
