package main

import (
	"errors"
	"io"
	"slices"
	"time"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/model/report"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
)

// workloadFlags are the flags of an experiment that runs a workload.
type workloadFlags struct {
	labFlags
	variants variantFlags
	duration time.Duration
	clients  int
	scale    float64
	seed     uint64
	options  map[string]*string
}

// mostClients is how many sessions a workload can have.
const mostClients = 1000

// newWorkloadCommand is the command of one workload.
func newWorkloadCommand(w lab.Workload) *cobra.Command {
	var f workloadFlags
	cmd := &cobra.Command{
		Use:   w.Name + " [flags]",
		Short: "Measure " + w.Summary,
		Long:  "Measure " + w.Summary + ".\n" + published(w),
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return f.run(cmd, w, nil) },
	}
	f.add(cmd, w)
	return cmd
}

// published says with which flags the published experiment ran.
func published(w lab.Workload) string {
	if w.Published == "" {
		return ""
	}
	return "\nThe published experiment ran with\n  " + w.Published
}

// add adds the flags of a workload to its command.
func (f *workloadFlags) add(cmd *cobra.Command, w lab.Workload) {
	flags := cmd.Flags()
	f.labFlags.add(flags, 1)
	f.variants.add(flags, &f.throwaway.settings)
	flags.DurationVar(&f.duration, "duration", w.Duration, "end each run after `TIME`"+endsByItself(w))
	if w.Clients > 0 {
		flags.IntVar(&f.clients, "clients", w.Clients, "`N` sessions that work")
	}
	if w.Name != lab.CommandName {
		flags.Float64Var(&f.scale, "scale", 1, "`TIMES` as many rows as usual")
		flags.Uint64Var(&f.seed, "seed", 1, "`NUMBER` that all random choices follow from")
	}
	f.options = map[string]*string{}
	for _, o := range w.Options {
		f.options[o.Name] = flags.String(o.Name, o.Default, o.Usage)
		onlyWritten(flags, o.Name)
	}
	for _, name := range []string{"duration", "clients", "scale", "seed"} {
		onlyWritten(flags, name)
	}
	refuseConnectionFlags(cmd)
}

func endsByItself(w lab.Workload) string {
	if w.Duration == 0 {
		return ", if it has not ended (0: then only)"
	}
	return ""
}

// check checks the flags, and makes of them what the workload is given.
func (f *workloadFlags) check(cmd *cobra.Command, w lab.Workload, command []string) (p lab.Params, err error) {
	if err := f.labFlags.check(cmd.Flags()); err != nil {
		return p, err
	}
	if err := f.variants.check(); err != nil {
		return p, err
	}
	switch {
	case f.duration < 0 || w.Duration > 0 && f.duration < time.Second:
		return p, usageErrorf("--duration is %s, and can be 1s or longer", f.duration)
	case w.Clients > 0 && (f.clients < 1 || f.clients > mostClients):
		return p, usageErrorf("--clients is %d, and can be 1 to %d", f.clients, mostClients)
	}
	if w.Name != lab.CommandName {
		if err := checkScale(f.scale); err != nil {
			return p, err
		}
	}
	p = lab.Params{Duration: f.duration, Clients: f.clients, Scale: f.scale, Seed: f.seed, Command: command, Options: map[string]string{}}
	for _, o := range w.Options {
		value := *f.options[o.Name]
		if o.Check != nil {
			if err := o.Check(value); err != nil {
				return p, usageErrorf("--%s: %w", o.Name, err)
			}
		}
		p.Options[o.Name] = value
	}
	return p, nil
}

func (f *workloadFlags) run(cmd *cobra.Command, w lab.Workload, command []string) error {
	params, err := f.check(cmd, w, command)
	if err != nil {
		return err
	}
	server.ClearEnvironment()
	programs, err := f.findPrograms(cmd.Context(), cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	messages := &progressLine{w: cmd.ErrOrStderr()}
	params.Note = func(text string) { messages.say("%s", oneLine(text)) }
	bench := lab.Bench{
		Workload: w, Params: params, Sides: f.variants.sides(programs), Runs: f.runs, Settings: f.throwaway.settings, Keep: f.throwaway.keep,
		Kept: func(s *server.Server) { _ = f.throwaway.stop(s, cmd.ErrOrStderr()) }, // it is only told of
	}
	progress := &labProgress{messages: messages, length: params.Duration}
	progress.announce(len(bench.Sides) * bench.Runs)
	bench.Begin = progress.begin
	watched := &labWatch{progress: progress, reports: make([]report.Report, len(bench.Sides))}
	if w.Watched {
		bench.Watch = watched.watch
	}
	stop := messages.keepDrawing(progress.draw)
	measured, err := bench.Run(cmd.Context())
	stop()
	if !slices.ContainsFunc(measured.Sides, func(s experiment.Side) bool { return len(s.Runs) > 0 }) {
		if cmd.Context().Err() != nil {
			messages.say("interrupted: nothing was measured yet")
		}
		return err
	}
	return errors.Join(f.output.write(cmd.OutOrStdout(), func(w io.Writer) error { return printLab(measured, watched).write(w, f.format.format, "") }), err)
}

// printLab is what was measured in every format, and the reports on what was watched.
func printLab(l experiment.Lab, watched *labWatch) printable {
	return printable{
		func() []report.Document {
			return append([]report.Document{report.LabDocument(l)}, watched.documents()...)
		},
		func(w io.Writer) error { return report.WriteLabJSON(w, l, watched.reports) },
		func(w io.Writer, _ string) error { return report.WriteLabCSV(w, l) },
	}
}

// addCommandWorkload makes of the lab's own command the workload of what stands behind
// --; anything else is done otherwise.
func addCommandWorkload(cmd *cobra.Command, otherwise func(cmd *cobra.Command, args []string) error) {
	var f workloadFlags
	w := lab.CommandWorkload()
	f.add(cmd, w)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.ArgsLenAtDash() != 0 || len(args) == 0 {
			return otherwise(cmd, args)
		}
		return f.run(cmd, w, args)
	}
}
