package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/act"
	"github.com/spf13/cobra"
)

func newVacuumCommand() *cobra.Command {
	var f vacuumFlags
	cmd := &cobra.Command{
		Use:   "vacuum [flags] TABLE",
		Short: "Run one VACUUM, watch it, print its summary",
		Long: `Run one VACUUM, watch it, print its summary.

TABLE is a name as in SQL: unquoted it is folded to lower case, "Quoted" it is
kept, SCHEMA.TABLE names the schema. While somebody else holds the table, the
command waits and cancels no autovacuum; --skip-locked and --lock-timeout say
otherwise. ^C cancels the VACUUM on the server and waits for its answer, a
second ^C leaves at once.

Exit status: 0 completed; 1 it could not be started; 2 usage; 3 it failed, was
cancelled or skipped the table; 4 its result is not known.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := refused(cmd.Flags()); err != nil {
				return err
			}
			if len(args) != 1 {
				return usageErrorf("one TABLE is vacuumed, and %d are given", len(args))
			}
			return nil
		},
	}
	f.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := f.settle(cmd.Flags(), args[0]); err != nil {
			return err
		}
		return f.run(cmd)
	}
	return cmd
}

func (f *vacuumFlags) run(cmd *cobra.Command) error {
	f.connect.noOthers = true // one table of this database is watched
	to, source, err := f.connect.openWith(cmd.Context(), nil, poll.Options{
		Interval: f.rates.interval, TickRate: f.rates.perSecond(), TickRateGiven: cmd.Flags().Changed("tick-rate"),
	}, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	defer source.Close()
	w := &vacuumWatch{
		stream: &notedStream{stream: source}, notices: f.showNotice,
		messages: &progressLine{w: cmd.ErrOrStderr()}, results: cmd.OutOrStdout(),
	}
	w.recorder = f.record.on(w.stream, f.rates.wanted(), func(err error) { w.messages.say("%s", oneLine(err.Error())) })
	f.history.keep(w.recorder, func(note string) { w.messages.say("%s", note) })
	defer w.recorder.end()
	prepared, err := act.NewGate(f.readOnly, w.event).Prepare(cmd.Context(), to, f.plan)
	if err != nil {
		return err
	}
	defer prepared.Close()
	w.prepared = prepared
	w.messages.say("%s", model.Text(prepared.Statement).Display())
	held := func(who string) {
		w.messages.say("%s is held by %s: waiting until it is free", prepared.Table.Display(), who)
	}
	run := func() (model.Result, error) { return w.watch(cmd.Context()) }
	result, err := prepared.WhenFree(cmd.Context(), held, run)
	if err != nil {
		return err
	}
	return w.conclude(result)
}

// vacuumWatch watches the one VACUUM that the command runs.
type vacuumWatch struct {
	stream   *notedStream
	recorder *recorder // of the stream
	prepared *act.Prepared
	messages *progressLine
	results  io.Writer
	notices  bool         // print what the server says meanwhile
	runs     []*model.Run // of the VACUUM, that have ended, in order
}

// event takes what happens to the VACUUM, from the goroutine that runs it.
func (w *vacuumWatch) event(e model.Event) {
	if e.Kind == model.EventNotice && w.notices {
		w.messages.say("%s", strings.TrimSpace(linesOf(e.Text)))
	}
	w.stream.put(e)
}

// linesOf is a text of several lines, each safe to print.
func linesOf(t model.Text) string {
	var lines []string
	for line := range strings.SplitSeq(string(t), "\n") {
		lines = append(lines, model.Text(line).Display())
	}
	return strings.Join(lines, "\n")
}

// watch runs the VACUUM and folds the stream until the server has answered and the
// runs have been seen to end.
func (w *vacuumWatch) watch(ctx context.Context) (model.Result, error) {
	done := make(chan model.Result, 1)
	go func() { done <- w.prepared.Run() }()
	left := make(chan error, 1)
	go w.cancelOnSignal(ctx, left)

	folding, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var result *model.Result
	polls := 0 // since the server has answered
	err := fold(folding, w.recorder, func(s *model.Snapshot) {
		w.take(s)
		select {
		case r := <-done:
			result = &r
		default:
		}
		if result == nil {
			select {
			case <-left:
				stop()
			default:
			}
			return
		}
		if polls++; polls > pollsForResult || polls > 1 && !w.open(s) {
			stop()
		}
	})
	switch {
	case result != nil:
		return *result, nil
	case err != nil:
		return model.Result{}, err
	}
	return model.Result{}, &exitError{exitUnknown, fmt.Errorf(
		"left at once: the VACUUM of pid %d may go on; vacscope shows it, SELECT pg_cancel_backend(%d) ends it", w.prepared.PID, w.prepared.PID)}
}

// cancelOnSignal asks the server to cancel the VACUUM when ctx ends by a signal,
// and tells of a second one.
func (w *vacuumWatch) cancelOnSignal(ctx context.Context, left chan<- error) {
	<-ctx.Done()
	if !errors.As(context.Cause(ctx), new(signalError)) {
		return
	}
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(again)
	w.messages.say("cancelling; the server's answer is awaited, a second ^C leaves at once")
	if err := w.prepared.Cancel(context.WithoutCancel(ctx)); err != nil {
		w.messages.say("%s", oneLine(err.Error()))
	}
	left <- signalError{<-again}
}

// take keeps the runs of the VACUUM that have ended and shows the one that runs.
func (w *vacuumWatch) take(s *model.Snapshot) {
	w.recorder.priors.learn(s)
	w.runs = w.runs[:0]
	for _, r := range s.Ended {
		if r.Key.PID == w.prepared.PID && r.Own != nil {
			w.runs = append([]*model.Run{r}, w.runs...)
		}
	}
	for _, r := range s.Active {
		if r.Key.PID == w.prepared.PID {
			w.messages.draw(report.ProgressLine(s, r))
		}
	}
}

// open tells whether the end of a run is still to be seen.
func (w *vacuumWatch) open(s *model.Snapshot) bool {
	for _, r := range s.Active {
		if r.Key.PID == w.prepared.PID {
			return true
		}
	}
	for _, r := range w.runs {
		if r.End.Open {
			return true
		}
	}
	return false
}

// conclude prints the summary and turns the result into the command's.
func (w *vacuumWatch) conclude(result model.Result) error {
	w.messages.erase()
	for _, r := range w.runs {
		if err := report.WriteRun(w.results, r); err != nil {
			return err
		}
	}
	name := w.prepared.Table.Display()
	switch result.How {
	case model.EndCompleted:
		if len(w.runs) == 0 {
			fmt.Fprintf(w.results, "%s: completed, too soon to be watched\n", name)
		}
		return nil
	case model.EndNotVisible:
		return &exitError{exitUnknown, fmt.Errorf("the connection was lost (%s): whether the VACUUM of %s completed, "+
			"SELECT last_vacuum, vacuum_count FROM pg_stat_all_tables WHERE relid = '%s'::regclass tells", result.Message.Display(), name, name)}
	case model.EndCancelled:
		return &exitError{exitVacuumFailed, fmt.Errorf("the VACUUM of %s was cancelled: %s (%s)", name, result.Message.Display(), result.SQLState)}
	}
	return &exitError{exitVacuumFailed, fmt.Errorf("the VACUUM of %s failed: %s (%s)", name, result.Message.Display(), result.SQLState)}
}
