package main

import (
	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"github.com/spf13/cobra"
)

// watchFlags are the flags of watching a server.
type watchFlags struct {
	connect connectFlags
	rates   rateFlags
	screen  screenFlags
	filter  filterFlags
	record  recordFlags
	history historyFlags

	untilDone bool
	readOnly  bool
}

// asWatch makes cmd the command that watches a server: the program itself, and
// vacscope watch.
func asWatch(cmd *cobra.Command) *cobra.Command {
	var f watchFlags
	f.connect.add(cmd.Flags())
	f.rates.addInterval(cmd.Flags())
	f.rates.addTickRate(cmd.Flags())
	f.screen.add(cmd.Flags())
	f.filter.add(cmd.Flags())
	f.record.add(cmd.Flags())
	f.history.add(cmd.Flags())
	cmd.Flags().BoolVar(&f.untilDone, "until-done", false, "end when the vacuums running at the start, else the first that starts, have ended; status 0: all completed, 4: a result is not visible, else 3")
	cmd.Flags().BoolVar(&f.readOnly, "read-only", false, "change nothing on the server, whatever key is pressed")
	cmd.Args = atMostOneTarget
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return f.watch(cmd, args) }
	return cmd
}

func newWatchCommand() *cobra.Command {
	return asWatch(&cobra.Command{
		Use:   "watch [flags] [TARGET]",
		Short: "Watch a server's vacuums (what vacscope does without a command)",
	})
}

func (f *watchFlags) watch(cmd *cobra.Command, args []string) error {
	for _, check := range []func() error{f.rates.check, f.screen.check, f.record.check} {
		if err := check(); err != nil {
			return err
		}
	}
	if err := checkTerminal("vacscope snapshot and vacscope snapshot --watch work without one"); err != nil {
		return err
	}
	filter, err := f.filter.filter()
	if err != nil {
		return err
	}
	view := &viewing{filter: filter}
	if f.untilDone {
		view.until = new(model.Chosen)
	}
	to, source, err := f.connect.openWith(cmd.Context(), args, poll.Options{
		Interval:      f.rates.interval,
		TickRate:      f.rates.perSecond(),
		TickRateGiven: cmd.Flags().Changed("tick-rate"),
	}, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer source.Close()
	noted := &notedStream{stream: source}
	view.actions = newActions(to, f.readOnly, noted, stateFolder())
	defer view.actions.close(cmd.ErrOrStderr())
	options := f.screen.options()
	options.Actions, options.Reconnect = view.actions, source.Reconnect
	recorder := f.record.on(noted, f.rates.wanted(), noted.fault)
	options.Recorder = &screenRecorder{recorder: recorder, tell: noted.fault, view: view}
	f.history.keep(recorder, noted.note)
	options.History = earlierHistory()
	view.priors = recorder.priors
	defer recorder.end()
	if err := watch(cmd.Context(), recorder, options, view); err != nil {
		return err
	}
	return view.result(cmd.OutOrStdout())
}
