package main

import (
	"context"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"github.com/spf13/pflag"
)

// cacheFlags ask for readings of shared buffers at a recording's start and end.
type cacheFlags struct{ on bool }

func (f *cacheFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.on, "buffercache", false, "record which relations are in shared buffers at the start and the end (pg_buffercache, which looks at each buffer)")
}

// read is the event of a reading; it says in a note why there is none.
func (f *cacheFlags) read(ctx context.Context, to *poll.Config, say func(format string, args ...any)) (e model.Event, ok bool) {
	if !f.on {
		return e, false
	}
	cached, err := poll.Cached(ctx, to)
	if err != nil {
		say("%s", oneLine(err.Error()))
		return e, false
	}
	return model.Event{Kind: model.EventCached, Cached: cached}, true
}
