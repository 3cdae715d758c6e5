package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"example.com/vacscope/poll"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// demoFlags are the flags of vacscope demo.
type demoFlags struct {
	throwaway throwawayFlags
	rates     rateFlags
	screen    screenFlags
	record    recordFlags
	headless  bool
	list      bool
	scale     float64
}

const maxScale = 1000

// demoPause is the time between two vacuums of the demo.
const demoPause = 10 * time.Second

func newDemoCommand() *cobra.Command {
	var f demoFlags
	cmd := &cobra.Command{
		Use:   "demo [flags] [SCENARIO]",
		Short: "Show a vacuum on a throwaway PostgreSQL of its own",
		Long: `Show a vacuum on a throwaway PostgreSQL of its own: a throttled
VACUUM (PARALLEL 4) of a table with seven indexes, again and again. In the index
phase an ALTER TABLE waits behind it, and a reader behind that.

A SCENARIO shows one behaviour of vacuum step by step, tells on the screen what
happens and what to look at, and goes on with the key n; --list lists them. With
--headless it prints what came of each step, and exits with 1 where one does not
show what it is to show.

The server is reached over a socket in a temporary folder only. It ends, and its
files go, when vacscope ends. Server programs that --fetch brought stay in
` + server.CacheDir() + `.`,
		Args: atMostOneScenario,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return scenarioNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.list {
				return listScenarios(cmd.OutOrStdout())
			}
			return f.run(cmd, args)
		},
	}
	flags := cmd.Flags()
	f.throwaway.add(flags)
	flags.BoolVar(&f.headless, "headless", false, "run one vacuum without a screen and print its summary; a scenario: what came of it")
	flags.BoolVar(&f.list, "list", false, "list the scenarios")
	flags.Float64Var(&f.scale, "scale", 1, "`TIMES` as many rows as usual; a vacuum takes about 25 s at 1")
	f.rates.addInterval(flags)
	f.rates.addTickRate(flags)
	f.screen.add(flags)
	f.record.add(flags)
	refuseConnectionFlags(cmd)
	return cmd
}

// refuseConnectionFlags makes psql's connection flags known, and an error that
// says why: they would name another server than the one that is started.
func refuseConnectionFlags(cmd *cobra.Command) {
	var ignored connectFlags
	connection := pflag.NewFlagSet("", pflag.ContinueOnError)
	ignored.add(connection)
	connection.VisitAll(func(f *pflag.Flag) { f.Hidden = true })
	cmd.Flags().AddFlagSet(connection)
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) (err error) {
		cmd.Flags().Visit(func(f *pflag.Flag) {
			if connection.Lookup(f.Name) == f {
				err = usageErrorf("%s starts a server of its own, so --%s does not go with it", cmd.CommandPath(), f.Name)
			}
		})
		return err
	}
}

func (f *demoFlags) run(cmd *cobra.Command, args []string) error {
	scenario, err := scenarioOf(args)
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if err := lab.DemoRoom(f.scale).Check("a smaller --scale"); err != nil {
		return err
	}
	server.ClearEnvironment()
	programs, err := f.throwaway.programs.find(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if what := missingIn(programs.Major); what != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "vacscope: %s\n", what)
	}
	settings := lab.DemoSettings(programs.Major)
	if scenario != nil {
		settings = scenario.SettingsFor(programs.Major)
	}
	s, err := f.throwaway.start(cmd.Context(), programs, settings)
	if err != nil {
		return err
	}
	return errors.Join(f.show(cmd, s, scenario), f.throwaway.stop(s, cmd.ErrOrStderr()))
}

func (f *demoFlags) check() error {
	if err := checkScale(f.scale); err != nil {
		return err
	}
	for _, check := range []func() error{f.throwaway.check, f.rates.check, f.screen.check, f.record.check} {
		if err := check(); err != nil {
			return err
		}
	}
	if f.headless {
		return nil
	}
	return checkTerminal("--headless works without one")
}

// checkScale checks --scale.
func checkScale(scale float64) error {
	if !(scale > 0 && scale <= maxScale) {
		return usageErrorf("--scale is %g, and can be above 0 and up to %d", scale, maxScale)
	}
	return nil
}

// show watches a scenario on the started server; nil: the demo without one.
func (f *demoFlags) show(cmd *cobra.Command, s *server.Server, scenario *lab.Scenario) error {
	config, err := poll.ParseTarget(poll.Flags{}, s.ConnString())
	if err != nil {
		return fmt.Errorf("connect to the demo's server: %w", err)
	}
	source, err := poll.Open(cmd.Context(), config, poll.Options{
		Interval:      f.rates.interval,
		TickRate:      f.rates.perSecond(),
		TickRateGiven: cmd.Flags().Changed("tick-rate"),
	})
	if err != nil {
		return fmt.Errorf("connect to the demo's server: %w", err)
	}
	defer source.Close()
	switch {
	case f.headless && scenario != nil:
		return f.printScenario(cmd, s, scenario, source)
	case f.headless:
		return f.printSummary(cmd, s, source)
	}
	return f.showScreen(cmd.Context(), s, config, source, scenario)
}

// showScreen shows a scenario, or rounds of the demo, until the person quits. What is
// changed from the screen is noted in the server's own folder, and goes with it.
func (f *demoFlags) showScreen(ctx context.Context, s *server.Server, config *poll.Config, source *poll.Source, scenario *lab.Scenario) error {
	noted := &notedStream{stream: source}
	ctx, end := context.WithCancel(ctx)
	view := &viewing{actions: newActions(config, false, noted, filepath.Join(s.SocketDir, "changes"))}
	defer view.actions.close(io.Discard) // the server goes, and all that stands with it
	options := f.screen.options()
	play := lab.Demo{Scale: f.scale, Pause: demoPause, Autovacuum: true, TakenOver: view.actions.sent, Note: noted.note}.Run
	if scenario != nil {
		next := make(chan struct{}, 1)
		options.NextStep = func() { wish(next) }
		play = f.playing(scenario, noted, next)
	}
	ended := make(chan error, 1)
	go func() {
		err := caught(func() error { return play(ctx, s) })
		if ctx.Err() != nil {
			err = nil // the end was asked for
		}
		if err != nil {
			noted.note("the demo has stopped: " + oneLine(err.Error()))
		}
		ended <- err
	}()
	options.Reconnect, options.Actions = source.Reconnect, view.actions
	recorder := f.record.on(noted, f.rates.wanted(), noted.fault)
	options.Recorder = &screenRecorder{recorder: recorder, tell: noted.fault, view: view}
	defer recorder.end()
	err := watch(ctx, recorder, options, view)
	end()
	return errors.Join(err, <-ended)
}
