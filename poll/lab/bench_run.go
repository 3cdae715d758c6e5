package lab

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// oneRun starts a server on a copy of a state, runs the workload there and measures it. The
// run's Duration stays 0 where it did not begin.
func (b Bench) oneRun(ctx context.Context, state *server.Server, t turn) (run experiment.Run, programs experiment.ServerPrograms, err error) {
	run.Number = t.number
	side := b.Sides[t.side]
	config := server.Config{
		Programs: side.Programs, Settings: b.settings(side.Programs.Major, side.Settings), From: state.SocketDir, Outlive: b.Keep && t.number == t.of,
	}
	s, err := server.Start(ctx, config)
	if err != nil {
		return run, programs, err
	}
	defer func() {
		if config.Outlive && s.Err() == nil {
			b.Kept(s)
			return
		}
		err = errors.Join(err, s.Stop())
	}()
	if programs, err = readProgramsOf(ctx, s, side.ProgramsName); err != nil {
		return run, programs, err
	}
	observed := &Observed{}
	if b.Workload.Prepare != nil {
		if err := b.Workload.Prepare(ctx, s, b.Params, observed); err != nil {
			return run, programs, err
		}
	}
	if b.Watch != nil {
		stop, err := b.Watch(ctx, t.side, fmt.Sprintf("run %d, %s", t.number, side.Name), s)
		if err != nil {
			return run, programs, err
		}
		defer stop()
	}
	b.Begin(t.number, t.of, side.Name)
	err = b.measured(ctx, s, observed, &run)
	return run, programs, err
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
	measures, measureErr := meter.end(ctx)
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
