package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// Bench runs a workload on several sides in turn, each time from the same prepared state,
// and measures each run.
type Bench struct {
	Workload Workload
	Params   Params
	Sides    []BenchSide
	Runs     int      // of each side
	Settings []string // of all sides, after those of the workload, as "name=value"
	// Keep lets the server of the last run go on; Kept is given it.
	Keep bool
	Kept func(*server.Server)
	// Begin is called when a run of a side begins to work, the number-th of so many.
	Begin func(number, of int, side string)
	// Watch is called with each server when the run of a side on it is about to begin, which
	// has a name; stop, when it has ended. nil: nobody looks on.
	Watch func(ctx context.Context, side int, name string, s *server.Server) (stop func(), err error)
}

// BenchSide is one combination of settings and server programs.
type BenchSide struct {
	Name         string
	ProgramsName string // as the person calls them; ""
	Programs     server.Programs
	Settings     []string // of this side, as "name=value"
}

// Run makes all runs. What was measured is returned also when it fails, or ctx ends:
// then the last run may be cut short.
func (b Bench) Run(ctx context.Context) (experiment.Lab, error) {
	lab := experiment.Lab{
		Workload: b.Workload.Name, Summary: b.Workload.Summary, Clients: b.Params.Clients, Duration: b.Params.Duration,
		Scale: b.Params.Scale, Seed: b.Params.Seed, Command: b.Params.Command, Runs: b.Runs, Expected: b.Workload.Expected,
	}
	lab.Settings = lastOfEach(slices.Concat(MeasuredSettings(), b.Workload.settings(b.Sides[0].Programs.Major, b.Params), b.Settings))
	for _, o := range b.Workload.Options {
		lab.Options = append(lab.Options, o.Name+"="+b.Params.Options[o.Name])
	}
	for _, s := range b.Sides {
		lab.Sides = append(lab.Sides, experiment.Side{Name: s.Name, Settings: s.Settings, Programs: experiment.ServerPrograms{Name: s.ProgramsName}})
	}
	states := map[string]*server.Server{}
	if err := b.checkCommand(); err != nil {
		return lab, err
	}
	if err := b.Workload.room(b.Params).Check("a smaller --scale"); err != nil {
		return lab, err
	}
	err := b.allRuns(ctx, states, &lab)
	for _, state := range states {
		err = errors.Join(err, state.Stop())
	}
	return lab, err
}

// allRuns makes the states, and then the runs.
func (b Bench) allRuns(ctx context.Context, states map[string]*server.Server, lab *experiment.Lab) error {
	for _, side := range b.Sides {
		if states[side.Programs.BinDir] != nil {
			continue
		}
		state, err := b.prepare(ctx, side.Programs)
		if err != nil {
			return fmt.Errorf("prepare the state for PostgreSQL %s: %w", side.Programs.Version, err)
		}
		states[side.Programs.BinDir] = state
	}
	for _, turn := range turns(len(b.Sides), b.Runs) {
		of, into := b.Sides[turn.side], &lab.Sides[turn.side]
		b.Params.Note(fmt.Sprintf("run %d of %d: %s", turn.number, turn.of, of.Name))
		run, programs, err := b.oneRun(ctx, states[of.Programs.BinDir], turn)
		if programs.Version != "" {
			into.Programs = programs
		}
		if run.Duration > 0 && !errors.As(err, new(commandError)) {
			into.Runs = append(into.Runs, run)
		}
		if err != nil {
			return fmt.Errorf("run %d, %s: %w", turn.number, of.Name, err)
		}
	}
	return nil
}

// turn is one run of a side.
type turn struct{ number, of, side int }

// turns is the order of the runs: there and back, so that what changes with time falls on
// all sides alike.
func turns(sides, runs int) []turn {
	var out []turn
	for round := range runs {
		for side := range sides {
			if round%2 == 1 {
				side = sides - 1 - side
			}
			out = append(out, turn{len(out) + 1, sides * runs, side})
		}
	}
	return out
}
