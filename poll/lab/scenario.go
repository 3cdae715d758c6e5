package lab

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// Scenario shows one behaviour of vacuum on a throwaway server, stage by stage.
type Scenario struct {
	Name    string // on the command line
	Summary string // what it shows, as a clause
	// Settings are those that the server needs beside those of every scenario, as
	// "name=value"; nil: none.
	Settings func(major int) []string
	// Begin makes the state that the stages begin with, and returns them in their order.
	// What it opens lasts until the server ends.
	Begin func(ctx context.Context, s *server.Server, scale float64) ([]Stage, error)
}

// Stage is one step of a scenario.
type Stage struct {
	Caption Caption
	// Run brings about what the caption tells, and says what came of it.
	Run func(ctx context.Context) (Check, error)
}

// Caption is what somebody who has never seen vacuum's internals is told of a stage.
type Caption struct {
	Title   string
	Happens string // what is happening, in sentences
	Look    string // what to look at
}

// Check is what came of a stage.
type Check struct {
	Figure string // what was seen, as a sentence with its figures
	Holds  bool   // that is what the stage is to show
}

// Scenarios are all of them, in the order of the list.
func Scenarios() []Scenario {
	return []Scenario{
		CostDelay(),
		Parallel(),
		LeaderWaits(),
		MultiPass(),
		OldSnapshot(),
		AutovacuumBalance(),
		LockWaits(),
		Wraparound(),
		HotTail(),
		Freeze(),
	}
}

// FindScenario returns the scenario of a name.
func FindScenario(name string) (Scenario, error) {
	var names []string
	for _, s := range Scenarios() {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return Scenario{}, fmt.Errorf("there is no scenario %q; there are %s", name, strings.Join(names, ", "))
}

// SettingsFor are the settings "name=value" of its server.
func (sc Scenario) SettingsFor(major int) []string {
	settings := shownSettings(major)
	if sc.Settings == nil {
		return settings
	}
	return slices.Concat(settings, sc.Settings(major))
}

// Show is how a scenario is played.
type Show struct {
	// Scale multiplies the number of rows.
	Scale float64
	// Say is told what is to be seen, when a stage begins and when it is over.
	Say func(model.Caption)
	// Next brings the wish to go on, after each stage but the last; nil: it goes on at once.
	Next <-chan struct{}
}

// Play plays a scenario on a server. It returns what came of the stages that ended, and
// what made it stop before the last one.
func (sc Scenario) Play(ctx context.Context, s *server.Server, show Show) ([]Check, error) {
	caption := model.Caption{Scenario: model.Text(sc.Name), Title: model.Text("what it shows: " + sc.Summary), Happens: "The server is started, and its tables are filled. This takes some seconds."}
	show.Say(caption)
	stages, err := sc.Begin(ctx, s, show.Scale)
	if err != nil {
		return nil, fmt.Errorf("prepare the scenario: %w", err)
	}
	var checks []Check
	for i, stage := range stages {
		caption = model.Caption{
			Scenario: caption.Scenario, Stage: i + 1, Stages: len(stages),
			Title: model.Text(stage.Caption.Title), Happens: model.Text(stage.Caption.Happens), Look: model.Text(stage.Caption.Look),
		}
		show.Say(caption)
		check, err := stage.Run(ctx)
		if err != nil {
			return checks, fmt.Errorf("%s: %w", stage.Caption.Title, err)
		}
		checks = append(checks, check)
		caption.Seen, caption.Failed = model.Text(check.Figure), !check.Holds
		show.Say(caption)
		if err := show.wait(ctx, caption); err != nil {
			return checks, err
		}
	}
	return checks, nil
}

// wait waits for the wish to go on.
func (s Show) wait(ctx context.Context, c model.Caption) error {
	if s.Next == nil || c.Last() {
		return ctx.Err()
	}
	select {
	case <-s.Next:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// timed is how long something took.
func timed(do func() error) (time.Duration, error) {
	began := time.Now()
	err := do()
	return time.Since(began), err
}

// seconds writes how long something took.
func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

// scaled is a number of rows at a scale, at least one.
func scaled(atScaleOne int, scale float64) int { return Params{Scale: scale}.Rows(atScaleOne) }
