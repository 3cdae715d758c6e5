package lab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

const (
	copyTable   = "copied"
	copyRows    = 50_000 // that one COPY brings, at scale 1
	createCopy  = "create table public.copied (id bigint generated always as identity primary key, payload text not null)"
	copyCommand = "copy public.copied (payload) from stdin"
)

// copyLoad is COPY after COPY into one table.
func copyLoad() Workload {
	return Workload{
		Name:      "copy",
		Summary:   "COPY of rows into a table, again and again",
		Published: "--rate 0 --scale 100 --duration 21m",
		Duration:  time.Minute,
		Clients:   1,
		Options:   []Option{rateOption(2, "COPYs")},
		Tables:    []string{copyTable},
		Expected:  experiment.Expected{Freezing: true, Aggressive: true},
		Settings:  loadSettings,
		Load: func(ctx context.Context, s *server.Server, p Params) error {
			return loadTable(ctx, s, copyTable, createCopy)
		},
		Run: func(ctx context.Context, s *server.Server, p Params, o *Observed) error {
			return load(ctx, s, p, o, func(ctx context.Context, c *client) error { return c.copy(ctx, p.Rows(copyRows)) }, scaleFreezeAges(s, p, copyTable))
		},
	}
}

// copy runs one COPY when it is due, and notes how long it took.
func (c *client) copy(ctx context.Context, rows int) error {
	due, err := c.pace.wait(ctx)
	if err != nil {
		return err
	}
	if _, err := c.conn.CopyFrom(ctx, newRows(rows), copyCommand); err != nil {
		return fmt.Errorf("COPY: %w", err)
	}
	c.o.Took("COPY", time.Since(due))
	return nil
}

// copyLine is a row in COPY's text format.
const copyLine = "a line that is copied; it is as long as a row of a table often is, and always the same\n"

// newRows is the text of so many rows. Making it costs next to nothing.
func newRows(rows int) io.Reader {
	return io.LimitReader(&repeating{block: bytes.Repeat([]byte(copyLine), 500)}, int64(rows)*int64(len(copyLine)))
}

// repeating reads a block again and again.
type repeating struct {
	block []byte
	at    int
}

func (r *repeating) Read(p []byte) (int, error) {
	n := copy(p, r.block[r.at:])
	r.at = (r.at + n) % len(r.block)
	return n, nil
}
