package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll/lab"
	"github.com/spf13/cobra"
)

func newSweepCommand() *cobra.Command {
	var f sweepFlags
	cmd := &cobra.Command{
		Use:   "sweep [flags]",
		Short: "Time VACUUM with more and more indexes and parallel workers",
		Long: `Time one VACUUM of a table with more and more indexes that are all equal, and
with more and more parallel workers, each from the same state. The baseline is
PARALLEL 0, on the same server or with the last of two --programs; its row of
degree 0 measures it again, and so shows the noise.

The published test:
  vacscope lab sweep --indexes 0,1,2,4,8 --parallel 0,1,2,4,8 --size 500MB \
    --runs 3
and that of a change to the server:
  vacscope lab sweep --programs patched=DIR --programs head=DIR
What a change of the cost settings does, where cores are few:
  vacscope lab sweep --cost-delay 2ms
From what size of an index on workers pay:
  vacscope lab sweep --indexes 2,4 --size 1MB,10MB,100MB

With -d NAME --allow-create it works on a server of yours, in a schema of its
own that it drops: there the table is made anew for each VACUUM.

Rows are printed as they are measured; ^C prints what is there. --resume FILE
goes on later.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	f.add(cmd.Flags())
	return cmd
}

// sweeping is a sweep under way.
type sweeping struct {
	began    time.Time
	flags    *sweepFlags
	measured experiment.Sweep
	messages *progressLine
	rows     *rowPrinter
}

func (f *sweepFlags) run(cmd *cobra.Command) error {
	plan, err := f.plan(cmd.Flags())
	if err != nil {
		return err
	}
	s := &sweeping{began: time.Now(), flags: f, measured: experiment.Sweep{Plan: plan}, messages: &progressLine{w: cmd.ErrOrStderr()}}
	s.rows = newRowPrinter(f, cmd.OutOrStdout(), s.messages)
	ctx := cmd.Context()
	if f.own.given(cmd.Flags()) {
		return s.onOwnServer(ctx)
	}
	return s.onThrowaway(ctx)
}

// onOwnServer measures in a schema, and drops it.
func (s *sweeping) onOwnServer(ctx context.Context) (err error) {
	schema, err := s.flags.own.schema(ctx, s.messages.w)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, schema.Drop(ctx)) }()
	s.messages.say("works in the schema %s, and drops it at the end; after kill -9: DROP SCHEMA %s CASCADE", schema.Name, schema.Name)
	conn, err := schema.Connect(ctx)
	if err != nil {
		return err
	}
	s.measured.Measured, err = lab.ReadPrograms(ctx, conn, "")
	if err := errors.Join(err, conn.Close(ctx)); err != nil {
		return err
	}
	s.measured.Baseline = s.measured.Measured
	place := lab.NewSweepPlaceIn(schema)
	return s.measure(ctx, place, place)
}

// onThrowaway measures on one throwaway server, or on one for each of two programs.
func (s *sweeping) onThrowaway(ctx context.Context) (err error) {
	programs, err := s.flags.findPrograms(ctx, s.messages.w)
	if err != nil {
		return err
	}
	if err := lab.SweepRoom(s.measured.Plan, len(programs)).Check("a smaller --size or fewer --indexes"); err != nil {
		return err
	}
	var places []lab.SweepPlace
	var about []experiment.ServerPrograms
	for _, p := range programs {
		started, err := s.flags.throwaway.start(ctx, p.Programs, lab.SweepSettings(s.measured.Plan))
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.flags.throwaway.stop(started, s.messages.w)) }()
		conn, err := started.Connect(ctx)
		if err != nil {
			return err
		}
		read, err := lab.ReadPrograms(ctx, conn, p.name)
		if err := errors.Join(err, conn.Close(ctx)); err != nil {
			return err
		}
		places, about = append(places, lab.NewSweepPlace(started)), append(about, read)
	}
	last := len(places) - 1
	s.measured.Measured, s.measured.Baseline = about[0], about[last]
	return s.measure(ctx, places[0], places[last])
}

// measure says how long it will take, makes the runs and prints what they say, also when
// it is interrupted.
func (s *sweeping) measure(ctx context.Context, measured, baseline lab.SweepPlace) error {
	s.measured.Plan.Programs = []string{programsText(s.measured.Measured), programsText(s.measured.Baseline)}
	file, done, err := openSweepFile(s.flags.resume, s.measured.Plan)
	if err != nil {
		return err
	}
	defer file.close()
	s.measured.Runs = done
	sweep := lab.Sweep{Plan: s.measured.Plan, Measured: measured, Baseline: baseline, Steps: s.measured.Left()}
	pace, place, err := sweep.Pace(ctx, runtime.NumCPU())
	if err != nil {
		return err
	}
	s.measured.Place = place
	progress := newSweepProgress(s.messages, pace, place, sweep.Steps)
	progress.announce()
	sweep.Begin = progress.begin
	sweep.End = func(run experiment.SweepRun) error {
		s.measured.Runs = append(s.measured.Runs, run)
		progress.end()
		return errors.Join(file.add(run), s.rows.print(&s.measured))
	}
	before := time.Since(s.began)
	stop := s.messages.keepDrawing(progress.draw)
	s.measured.Spent, err = sweep.Run(ctx)
	s.measured.Spent.Other += before
	stop()
	s.measured.Interrupted = err != nil
	if err != nil && len(s.measured.Runs) == 0 {
		return err
	}
	return errors.Join(err, s.rows.finish(&s.measured))
}

// programsText names server programs in a plan.
func programsText(p experiment.ServerPrograms) string {
	if p.Name == "" {
		return p.Version
	}
	return p.Name + " " + p.Version
}

// writeSweep writes a sweep in a format; with whole it has its end.
func writeSweep(w io.Writer, s *experiment.Sweep, format string, whole bool) error {
	document := func() []report.Document { return []report.Document{report.SweepDocument(s, whole)} }
	switch format {
	case formatJSON:
		return report.WriteSweepJSON(w, s)
	case formatCSV:
		return report.WriteSweepCSV(w, s)
	case formatMarkdown:
		return report.WriteDocumentsMarkdown(w, document(), "")
	}
	return report.WriteDocumentsText(w, document(), "")
}

// rowText is a row in one line.
func rowText(r experiment.SweepRow) string {
	return fmt.Sprintf("%s of %s, PARALLEL %d: %.1f ms, %.2f times as fast (%d launched)",
		model.FormatCounted(r.Indexes, "index", "indexes"), model.FormatBytes(r.Size), r.Degree, r.Time.Median, float64(r.SpeedUp), r.Launched)
}
