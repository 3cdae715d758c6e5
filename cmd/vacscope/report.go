package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// reportFormats are the forms of a report.
var reportFormats = []string{formatText, formatMarkdown, formatJSON, formatCSV, formatHTML}

// reportFlags are the flags of vacscope report.
type reportFlags struct {
	formatFlags
	section, waitEvent string
	redact             bool
	minWaits           []string
	filter             filterFlags
	pid                int
	output             outputFlags

	vs        sideFlag // where side B begins among the files
	durations []string // files of durations that were measured elsewhere

	least []time.Duration // of minWaits
}

func newReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use: `report [flags] FILE...
  vacscope report [flags] FILE... --vs FILE...
  vacscope report [flags] --durations FILE`,
		Short: "Print what recordings say of their vacuums, or compare them",
		Long: `Print what recordings say of their vacuums: context, phases with time and delay,
samples per process and wait event, a wait event by minute, workers, lock waits,
impact, the table before and after. A recording of several vacuums gives a
report of each, in order; --table and --pid choose.

--vs marks where side B begins: what differs between the vacuums of a table in
the recordings before and behind it. --durations does the same with times that
were measured elsewhere.

As text a report is plain ASCII of at most 79 columns, to be posted as it is.
vacscope help report says what the parts and their numbers mean.

Exit status: 0 done, also where parts of a recording could not be read (standard
error says which); 1 a file cannot be read, or no vacuum is in it; 2 usage.`,
		Args: func(_ *cobra.Command, args []string) error { return f.checkFiles(args) },
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	f.add(cmd)
	return cmd
}

func (f *reportFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	f.formatFlags.add(flags, reportFormats...)
	flags.StringVar(&f.section, "section", "", "only the part `NAME`: "+orList(sectionNames()))
	flags.StringArrayVar(&f.minWaits, "min-wait", nil, "count lock waits of at least `DURATION`; can be repeated (default 1s, 8s)")
	flags.StringVar(&f.waitEvent, "wait-event", report.DefaultEvent, "count the wait event `NAME` by minute; CPU is none of them")
	f.filter.add(flags)
	flags.IntVar(&f.pid, "pid", 0, "only vacuums of the process `PID`")
	flags.BoolVar(&f.redact, "redact", false, "labels in place of names and texts")
	f.vs.add(flags)
	flags.StringArrayVar(&f.durations, "durations", nil, "compare the durations in `FILE`; can be repeated (vacscope help report)")
	f.output.add(flags)
	onlyWritten(flags, "section", "min-wait", "wait-event", "pid", "redact", "durations")
	for name, values := range map[string][]string{"format": reportFormats, "section": sectionNames()} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not defined
	}
}

// sectionNames are the parts of a report.
func sectionNames() []string {
	var names []string
	for _, s := range (&report.RunReport{}).Sections() {
		names = append(names, s.Name)
	}
	return names
}

func (f *reportFlags) run(cmd *cobra.Command, files []string) error {
	if err := f.check(cmd.Flags()); err != nil {
		return err
	}
	patterns, err := f.filter.filter()
	if err != nil {
		return err
	}
	options := report.Options{WaitEvent: f.waitEvent, MinWaits: f.least, Only: func(r *model.Run) bool {
		return (f.pid == 0 || r.Key.PID == int32(f.pid)) && patterns.Chooses(r)
	}}
	read, err := f.read(files, options, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	return f.output.write(cmd.OutOrStdout(), func(w io.Writer) error { return read.write(w, f.format, f.section) })
}

// read makes what is to be printed.
func (f *reportFlags) read(files []string, o report.Options, messages io.Writer) (printable, error) {
	if len(f.durations) > 0 {
		return readDurations(f.durations)
	}
	read, err := readReports(files, o, messages)
	if err != nil {
		return printable{}, err
	}
	all := report.Report{Runs: slices.Concat(read...)}
	if f.redact {
		all.Redact() // both sides together: a name has the same label on both
	}
	if !f.vs.given {
		return printReport(all), nil
	}
	n := len(slices.Concat(read[:f.vs.at]...))
	return printComparison(report.Report{Runs: all.Runs[:n]}, report.Report{Runs: all.Runs[n:]})
}

// check checks the flags against each other.
func (f *reportFlags) check(flags *pflag.FlagSet) error {
	if err := f.formatFlags.settle(flags); err != nil {
		return err
	}
	switch {
	case f.section == "":
	case !slices.Contains(f.sections(), f.section):
		return usageErrorf("--section is %q, and can be %s", f.section, orList(f.sections()))
	case f.format == formatJSON:
		return usageErrorf("--section %s: a JSON document has all parts", f.section)
	case f.format == formatCSV && (f.compares() || !report.HasCSV(f.section)):
		return usageErrorf("--section %s is not one table, which CSV is", f.section)
	}
	for _, text := range f.minWaits {
		least, err := time.ParseDuration(text)
		if err != nil || least < 0 {
			return usageErrorf("--min-wait is %q, and can be a duration such as 500ms, 8s or 1m", text)
		}
		f.least = append(f.least, least)
	}
	return nil
}

// orList is "a, b or c".
func orList(names []string) string {
	last := len(names) - 1
	return fmt.Sprintf("%s or %s", strings.Join(names[:last], ", "), names[last])
}
