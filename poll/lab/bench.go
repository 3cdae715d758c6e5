package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

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
	if err := b.Workload.room(b.Params).Check("a smaller --scale"); err != nil {
		return lab, err
	}
	err := b.allRuns(ctx, states, &lab)
	for _, state := range states {
		err = errors.Join(err, state.Stop())
	}
	return lab, err
}

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
	order := turns(len(b.Sides), b.Runs)
	for i, side := range order {
		b.Params.Note(fmt.Sprintf("run %d of %d: %s", i+1, len(order), b.Sides[side].Name))
		begin := func() { b.Begin(i+1, len(order), b.Sides[side].Name) }
		run := experiment.Run{Number: i + 1}
		err := b.oneRun(ctx, states, side, &run, &lab.Sides[side].Programs, begin, i == len(order)-1)
		if run.Duration > 0 {
			lab.Sides[side].Runs = append(lab.Sides[side].Runs, run)
		}
		if err != nil {
			return fmt.Errorf("run %d, %s: %w", i+1, b.Sides[side].Name, err)
		}
	}
	return nil
}

// turns is the order of the runs, as the numbers of their sides: there and back, so that
// what changes with time falls on all sides alike.
func turns(sides, runs int) []int {
	var out []int
	for round := range runs {
		for i := range sides {
			if round%2 == 1 {
				i = sides - 1 - i
			}
			out = append(out, i)
		}
	}
	return out
}

// settings are those of a side's server; those of no side, nil, of the one on which the
// state is made.
func (b Bench) settings(major int, side []string) []string {
	return slices.Concat(MeasuredSettings(), meterSettings(major), b.Workload.settings(major, b.Params), b.Settings, side)
}

func (w Workload) settings(major int, p Params) []string {
	if w.Settings == nil {
		return nil
	}
	return w.Settings(major, p)
}

// lastOfEach are settings without those that others overrule.
func lastOfEach(settings []string) []string {
	var out []string
	for _, setting := range settings {
		name, _, _ := strings.Cut(setting, "=")
		out = slices.DeleteFunc(out, func(s string) bool { return strings.HasPrefix(s, name+"=") })
		out = append(out, setting)
	}
	return out
}

// prepare makes the state on a server of its own, and halts that. Nothing is vacuumed
// meanwhile but by the workload itself.
func (b Bench) prepare(ctx context.Context, programs server.Programs) (*server.Server, error) {
	s, err := server.Start(ctx, server.Config{Programs: programs, Settings: append(b.settings(programs.Major, nil), "autovacuum=off", "fsync=off")})
	if err != nil {
		return nil, err
	}
	err = b.load(ctx, s)
	if err == nil {
		err = s.Halt()
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

func (b Bench) load(ctx context.Context, s *server.Server) error {
	conn, err := s.Connect(ctx)
	if err != nil {
		return err
	}
	defer closeQuietly(conn)
	for _, side := range b.Sides {
		if side.Programs.BinDir != s.BinDir {
			continue
		}
		if err := checkSettings(ctx, conn, side.Settings); err != nil {
			return fmt.Errorf("%s: %w", side.Name, err)
		}
	}
	if b.Workload.Load == nil {
		return nil
	}
	began := time.Now()
	b.Params.Note(fmt.Sprintf("making the state that every run begins with, on PostgreSQL %s", s.Version))
	if err := b.Workload.Load(ctx, s, b.Params); err != nil {
		return err
	}
	b.Params.Note(fmt.Sprintf("made in %.1f s", time.Since(began).Seconds()))
	return nil
}

// checkSettings lets the server say what is wrong with settings before anything is done.
func checkSettings(ctx context.Context, conn *server.Conn, settings []string) error {
	for _, setting := range settings {
		name, value, _ := strings.Cut(setting, "=")
		if err := execAll(ctx, conn, "alter system set "+quoteSetting(name)+" = '"+strings.ReplaceAll(strings.TrimSpace(value), "'", "''")+"'"); err != nil {
			return err
		}
	}
	return execAll(ctx, conn, "alter system reset all")
}

// quoteSetting quotes the parts of a setting's name.
func quoteSetting(name string) string {
	parts := strings.Split(strings.TrimSpace(name), ".")
	for i, part := range parts {
		parts[i] = `"` + strings.ReplaceAll(part, `"`, `""`) + `"`
	}
	return strings.Join(parts, ".")
}

// oneRun starts a server on a copy of the prepared state, runs the workload there and
// measures it. The run's Duration stays 0 where it did not begin.
func (b Bench) oneRun(ctx context.Context, states map[string]*server.Server, side int, run *experiment.Run, about *experiment.ServerPrograms, begin func(), last bool) (err error) {
	of := b.Sides[side]
	config := server.Config{
		Programs: of.Programs, Settings: b.settings(of.Programs.Major, of.Settings), From: states[of.Programs.BinDir].SocketDir, Outlive: b.Keep && last,
	}
	s, err := server.Start(ctx, config)
	if err != nil {
		return err
	}
	defer func() {
		if config.Outlive && s.Err() == nil {
			b.Kept(s)
			return
		}
		err = errors.Join(err, s.Stop())
	}()
	if *about, err = readProgramsOf(ctx, s, of.ProgramsName); err != nil {
		return err
	}
	observed := &Observed{}
	if b.Workload.Prepare != nil {
		if err := b.Workload.Prepare(ctx, s, b.Params, observed); err != nil {
			return err
		}
	}
	if b.Watch != nil {
		stop, err := b.Watch(ctx, side, fmt.Sprintf("run %d, %s", run.Number, of.Name), s)
		if err != nil {
			return err
		}
		defer stop()
	}
	begin()
	return b.measured(ctx, s, observed, run)
}

// measured runs the workload and measures it.
func (b Bench) measured(ctx context.Context, s *server.Server, observed *Observed, run *experiment.Run) error {
	meter, err := beginMeasuring(ctx, s, b.Workload.Tables)
	if err != nil {
		return fmt.Errorf("begin to measure: %w", err)
	}
	run.At = time.Now()
	observed.begin(run.At, b.Params.Duration)
	working, end := ctx, context.CancelFunc(func() {})
	if b.Params.Duration > 0 {
		working, end = context.WithTimeout(ctx, b.Params.Duration)
	}
	defer end()
	err = b.Workload.Run(working, s, b.Params, observed)
	run.Duration = time.Since(run.At)
	if working.Err() != nil && ctx.Err() == nil {
		err = nil // the time is up
	}
	run.Cut = err != nil || ctx.Err() != nil
	measures, measureErr := meter.end(context.WithoutCancel(ctx))
	run.Measures = measures
	run.Vacuums = slices.DeleteFunc(run.Vacuums, func(v experiment.Vacuum) bool { return !run.Overlaps(v) })
	observed.into(run)
	if measureErr != nil {
		err = errors.Join(err, fmt.Errorf("measure: %w", measureErr))
	}
	return errors.Join(err, context.Cause(ctx))
}

// readProgramsOf is ReadPrograms over a session of its own.
func readProgramsOf(ctx context.Context, s *server.Server, name string) (experiment.ServerPrograms, error) {
	conn, err := s.Connect(ctx)
	if err != nil {
		return experiment.ServerPrograms{}, err
	}
	defer closeQuietly(conn)
	return ReadPrograms(ctx, conn, name)
}
