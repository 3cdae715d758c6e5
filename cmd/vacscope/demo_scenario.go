package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
)

// atMostOneScenario checks the arguments of vacscope demo.
func atMostOneScenario(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageErrorf("%s takes one scenario, and is given %d", cmd.CommandPath(), len(args))
	}
	return nil
}

// scenarioOf is the scenario that is asked for; nil: none is.
func scenarioOf(args []string) (*lab.Scenario, error) {
	if len(args) == 0 {
		return nil, nil
	}
	scenario, err := lab.FindScenario(args[0])
	if err != nil {
		return nil, usageErrorf("%v", err)
	}
	return &scenario, nil
}

func scenarioNames() []string {
	var names []string
	for _, s := range lab.Scenarios() {
		names = append(names, s.Name)
	}
	return names
}

func listScenarios(w io.Writer) error {
	for _, s := range lab.Scenarios() {
		if _, err := fmt.Fprintf(w, "%-18s  %s\n", s.Name, s.Summary); err != nil {
			return err
		}
	}
	return nil
}

// wish asks for the next step. One that is under way takes no further wish.
func wish(next chan struct{}) {
	select {
	case next <- struct{}{}:
	default:
	}
}

// playing plays a scenario for the person at the screen.
func (f *demoFlags) playing(scenario *lab.Scenario, noted *notedStream, next <-chan struct{}) func(context.Context, *server.Server) error {
	return func(ctx context.Context, s *server.Server) error {
		_, err := scenario.Play(ctx, s, lab.Show{Scale: f.scale, Next: next, Say: noted.caption})
		return err
	}
}

// caption puts in what a scenario shows now. It can be called from any goroutine.
func (n *notedStream) caption(c model.Caption) {
	n.put(model.Event{Kind: model.EventCaption, Caption: &c})
}

// printScenario plays a scenario without a screen and prints what came of each stage.
// What happens is told on standard error.
func (f *demoFlags) printScenario(cmd *cobra.Command, s *server.Server, scenario *lab.Scenario, source stream) error {
	ctx, end := context.WithCancel(cmd.Context())
	defer end()
	messages := &progressLine{w: cmd.ErrOrStderr()}
	noted := &notedStream{stream: source}
	recorder := f.record.on(noted, f.rates.wanted(), func(err error) { messages.say("%s", oneLine(err.Error())) })
	defer recorder.end()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if err := fold(ctx, recorder, func(*model.Snapshot) {}); err != nil && ctx.Err() == nil {
			messages.say("%s", oneLine(err.Error()))
		}
	}()
	checks, err := scenario.Play(ctx, s, lab.Show{Scale: f.scale, Say: func(c model.Caption) {
		noted.caption(c)
		if !c.Over() {
			messages.say("%s: %s", c.Place(), c.Title.Display())
		}
	}})
	end()
	<-watched
	failed := 0
	for i, check := range checks {
		mark := "shown"
		if !check.Holds {
			mark, failed = "NOT SHOWN", failed+1
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%d  %s  %s\n", i+1, mark, check.Figure)
	}
	if failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d of %d steps did not show what they are to show", failed, len(checks)))
	}
	return err
}
