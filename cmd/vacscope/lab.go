package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// labFlags are the flags of every experiment of vacscope lab.
type labFlags struct {
	throwaway throwawayFlags
	programs  []string // NAME=DIR
	runs      int
	format    formatFlags
	output    outputFlags
}

// labFormats are the forms of what an experiment measured.
var labFormats = []string{formatText, formatMarkdown, formatCSV, formatJSON}

// mostRuns is how often an experiment can repeat a measurement.
const mostRuns = 1000

func newLabCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: `lab EXPERIMENT [flags]
  vacscope lab [flags] -- COMMAND...`,
		Short: "Measure vacuum on a throwaway PostgreSQL",
		Long: `Measure vacuum on a throwaway PostgreSQL, which ends, with its files, when
vacscope ends. Unlike the demo's it writes as safely as a real one: fsync is on.`,
	}
	addCommandWorkload(cmd, func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usageErrorf("lab needs an experiment: %s, or -- COMMAND", strings.Join(experiments(cmd), ", "))
		}
		return usageErrorf("no experiment is called %q; there are %s, and -- COMMAND", args[0], strings.Join(experiments(cmd), ", "))
	})
	for _, w := range lab.Workloads() {
		cmd.AddCommand(newWorkloadCommand(w))
	}
	cmd.AddCommand(newSweepCommand())
	return cmd
}

// experiments are the names of the commands of lab.
func experiments(lab *cobra.Command) []string {
	var names []string
	for _, c := range lab.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// add adds the flags; runs is how often a measurement is repeated unless said otherwise.
func (f *labFlags) add(flags *pflag.FlagSet, runs int) {
	f.throwaway.add(flags)
	flags.StringArrayVar(&f.programs, "programs", nil, "measure with the server programs in a folder, as `NAME=DIR`; can be repeated to compare")
	flags.IntVar(&f.runs, "runs", runs, "repeat each measurement `N` times")
	f.format.add(flags, labFormats...)
	f.output.add(flags)
	onlyWritten(flags, "programs", "runs")
}

// check checks the flags against each other.
func (f *labFlags) check(flags *pflag.FlagSet) error {
	if f.runs < 1 || f.runs > mostRuns {
		return usageErrorf("--runs is %d, and can be 1 to %d", f.runs, mostRuns)
	}
	if one := f.throwaway.programs; len(f.programs) > 0 && (one.binDir != "" || one.major != 0 || one.fetch) {
		return usageErrorf("--programs names the server programs, so --pg, --pg-bindir and --fetch do not go with it")
	}
	var names []string
	for _, given := range f.programs {
		name, dir, ok := strings.Cut(given, "=")
		if !ok || name == "" || dir == "" {
			return usageErrorf("--programs is given %q, which is not of the form NAME=DIR", given)
		}
		if slices.Contains(names, name) {
			return usageErrorf("--programs names two folders %s", name)
		}
		names = append(names, name)
	}
	if err := errors.Join(f.throwaway.check(), f.output.check()); err != nil {
		return err
	}
	return f.format.settle(flags)
}

// namedPrograms are server programs and what the person calls them.
type namedPrograms struct {
	name string // "" where there is only one
	server.Programs
}

// findPrograms returns those of each --programs, in their order; without one those that
// the flags of the throwaway server choose.
func (f *labFlags) findPrograms(ctx context.Context, messages io.Writer) ([]namedPrograms, error) {
	if len(f.programs) == 0 {
		one, err := f.throwaway.programs.find(ctx, messages)
		return []namedPrograms{{"", one}}, err
	}
	var found []namedPrograms
	for _, given := range f.programs {
		name, dir, _ := strings.Cut(given, "=")
		programs, err := server.Find(dir, 0)
		if err != nil {
			return nil, err
		}
		found = append(found, namedPrograms{name, programs})
	}
	return found, nil
}
