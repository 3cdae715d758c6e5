package main

import (
	"example.com/vacscope/poll"
	"github.com/spf13/cobra"
)

// watchFlags are the flags of watching a server.
type watchFlags struct {
	connect connectFlags
	rates   rateFlags
	screen  screenFlags
}

// asWatch makes cmd the command that watches a server: the program itself, and
// vacscope watch.
func asWatch(cmd *cobra.Command) *cobra.Command {
	var f watchFlags
	f.connect.add(cmd.Flags())
	f.rates.addInterval(cmd.Flags())
	f.rates.addTickRate(cmd.Flags())
	f.screen.add(cmd.Flags())
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
	for _, check := range []func() error{f.rates.check, f.screen.check, checkTerminal} {
		if err := check(); err != nil {
			return err
		}
	}
	source, err := f.connect.open(cmd.Context(), args, poll.Options{
		Interval:      f.rates.interval,
		TickRate:      f.rates.perSecond(),
		TickRateGiven: cmd.Flags().Changed("tick-rate"),
	}, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer source.Close()
	return watch(cmd.Context(), source, f.screen.options())
}
