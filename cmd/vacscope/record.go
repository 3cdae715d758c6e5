package main

import (
	"context"
	"errors"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"github.com/spf13/cobra"
)

// recordCommand is vacscope record.
type recordCommand struct {
	connect connectFlags
	rates   rateFlags
	filter  filterFlags
	file    string
	force   bool
	atMost  time.Duration
	follow  bool
	cache   cacheFlags
}

func newRecordCommand() *cobra.Command {
	var f recordCommand
	cmd := &cobra.Command{
		Use:   "record -o FILE [flags] [TARGET]",
		Short: "Record the vacuums of a server without a screen",
		Long: `Record the vacuums of a server without a screen, into a file that
vacscope help format describes.

It ends when those that run at the start, else the first that starts, have
ended, and after --for at the latest. With --follow it goes on until --for, or a
signal. --table and --database decide which vacuums are waited for; all of them
are recorded.

Exit status: 0 also when --for or a signal ended it; the file is whole then.`,
		Args: atMostOneTarget,
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.file, "output", "o", "", "record into `FILE`")
	flags.BoolVar(&f.force, "force", false, "replace FILE where there is one")
	flags.DurationVar(&f.atMost, "for", 0, "end after `TIME` at the latest, as 90s or 30m")
	flags.BoolVar(&f.follow, "follow", false, "go on when the vacuums have ended")
	f.cache.add(flags)
	onlyWritten(flags, "output", "force", "for", "follow", "buffercache")
	f.connect.add(flags)
	f.rates.addInterval(flags)
	f.rates.addTickRate(flags)
	f.filter.add(flags)
	return cmd
}

// errTime is the end by --for.
var errTime = errors.New("the time is over")

func (f *recordCommand) run(cmd *cobra.Command, args []string) error {
	if f.file == "" {
		return usageErrorf("-o FILE says where to record into")
	}
	if f.atMost < 0 {
		return usageErrorf("--for is %s, and cannot be below 0", f.atMost)
	}
	if err := errors.Join(f.rates.check(), checkNewFile(f.file, f.force)); err != nil {
		return err
	}
	filter, err := f.filter.filter()
	if err != nil {
		return err
	}
	to, source, err := f.connect.openWith(cmd.Context(), args, poll.Options{
		Interval: f.rates.interval, TickRate: f.rates.perSecond(), TickRateGiven: cmd.Flags().Changed("tick-rate"),
	}, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer source.Close()
	ctx := cmd.Context()
	if f.atMost > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, f.atMost, errTime)
		defer cancel()
	}
	return f.record(ctx, to, source, filter, &progressLine{w: cmd.ErrOrStderr()})
}

// record records until the end that was asked for.
func (f *recordCommand) record(ctx context.Context, to *poll.Config, source stream, filter model.Filter, messages *progressLine) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	file := recordInto(f.file, f.force, f.rates.wanted(), end)
	noted := &notedStream{stream: source}
	recorder := &recorder{stream: noted}
	recorder.add(file)
	if e, ok := f.cache.read(ctx, to, messages.say); ok {
		noted.put(e)
	}
	var chosen model.Chosen
	var last *model.Snapshot
	samples := 0
	err := fold(ctx, recorder, func(s *model.Snapshot) {
		samples, last = samples+1, s
		if done := chosen.Step(filter.View(s)); done && !f.follow {
			end(errDone)
		}
	})
	if e, ok := f.cache.read(context.WithoutCancel(ctx), to, messages.say); ok && last != nil {
		e.At = last.Now
		recorder.take(model.Sample{Seq: last.Seq + 1, At: last.Now, Events: []model.Event{e}})
	}
	if err := errors.Join(err, file.end()); err != nil {
		return err
	}
	messages.say("%s recorded into %s", model.FormatCounted(samples, "sample", "samples"), f.file)
	return &exitError{exitDone, nil} // also when a signal asked for it
}
