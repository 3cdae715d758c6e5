package main

import (
	"context"
	"errors"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
)

// printSummary runs one round of the scenario and prints what was seen of its
// vacuum. What happens is told on standard error.
func (f *demoFlags) printSummary(cmd *cobra.Command, s *server.Server, source stream) error {
	messages := &progressLine{w: cmd.ErrOrStderr()}
	note := func(text string) { messages.say("%s", text) }
	ctx, end := context.WithCancelCause(cmd.Context())
	defer end(nil)
	demo := lab.Demo{Scale: f.scale, Rounds: 1, Note: note}
	ended := make(chan struct{})
	go func() {
		if err := caught(func() error { return demo.Run(ctx, s) }); err != nil {
			end(err)
		}
		close(ended)
	}()
	recorder := f.record.on(source, f.rates.wanted(), func(err error) { note(oneLine(err.Error())) })
	defer recorder.end()
	run, err := watchUntilEnded(ctx, recorder, lab.DemoTable, ended)
	end(nil)
	<-ended
	if err != nil {
		return err
	}
	return report.WriteRun(cmd.OutOrStdout(), run)
}

// pollsForResult is how many polls it can take, after a vacuum has ended, until
// the count of the table's vacuums tells whether it completed.
const pollsForResult = 6

// watchUntilEnded folds the stream until the vacuum of a table has been seen to
// end, and how; it ends, at the latest, with the first poll after ended is closed.
func watchUntilEnded(ctx context.Context, s stream, table model.Text, ended <-chan struct{}) (*model.Run, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	var run *model.Run
	polls := 0 // since ended was closed
	err := fold(ctx, s, func(snapshot *model.Snapshot) {
		if run = endedRun(snapshot, table); run != nil {
			end(nil)
			return
		}
		select {
		case <-ended:
			if polls++; polls > pollsForResult {
				end(errors.New("the vacuum was over before it was seen; a larger --scale makes it longer"))
			}
		default:
		}
	})
	if run != nil {
		return run, nil
	}
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	return nil, err
}

func endedRun(s *model.Snapshot, table model.Text) *model.Run {
	for _, run := range s.Ended {
		if run.Table.Or("") == table && !run.End.Open {
			return run
		}
	}
	return nil
}
