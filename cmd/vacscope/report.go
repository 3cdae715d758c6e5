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

// reportFormats are the forms of a report, and how each is written.
var reportFormats = []struct {
	name  string
	write func(w io.Writer, r report.Report, section string) error
}{
	{formatText, report.WriteReportText},
	{"markdown", report.WriteReportMarkdown},
	{formatJSON, func(w io.Writer, r report.Report, _ string) error { return report.WriteReportJSON(w, r) }},
	{"csv", report.WriteReportCSV},
}

// reportFlags are the flags of vacscope report.
type reportFlags struct {
	format, section, waitEvent string
	json, redact               bool
	minWaits                   []string
	filter                     filterFlags
	pid                        int
	output                     outputFlags

	least []time.Duration // of minWaits
}

func newReportCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "report [flags] FILE...",
		Short: "Print what recordings say of their vacuums",
		Long: `Print what recordings say of their vacuums: context, phases with time and delay,
samples per process and wait event, a wait event by minute, workers, lock waits,
impact, the table before and after. A recording of several vacuums gives a
report of each, in order; --table and --pid choose.

As text a report is plain ASCII of at most 79 columns, to be posted as it is.
vacscope help report says what the parts and their numbers mean.

Exit status: 0 done, also where parts of a recording could not be read (standard
error says which); 1 a file cannot be read, or no vacuum is in it; 2 usage.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("no recording is given")
			}
			return nil
		},
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
	flags.StringVar(&f.format, "format", formatText, "`FORMAT`: "+orList(formatNames()))
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
	flags.StringVar(&f.section, "section", "", "only the part `NAME`: "+orList(sectionNames()))
	flags.StringArrayVar(&f.minWaits, "min-wait", nil, "count lock waits of at least `DURATION`; can be repeated (default 1s, 8s)")
	flags.StringVar(&f.waitEvent, "wait-event", report.DefaultEvent, "count the wait event `NAME` by minute; CPU is none of them")
	f.filter.add(flags)
	flags.IntVar(&f.pid, "pid", 0, "only vacuums of the process `PID`")
	flags.BoolVar(&f.redact, "redact", false, "labels in place of names and texts")
	f.output.add(flags)
	onlyWritten(flags, "section", "min-wait", "wait-event", "pid", "redact")
	for name, values := range map[string][]string{"format": formatNames(), "section": sectionNames()} {
		_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)) // fails only for a flag that is not defined
	}
}

func formatNames() []string {
	names := make([]string, len(reportFormats))
	for i, f := range reportFormats {
		names[i] = f.name
	}
	return names
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
	if err := f.settle(cmd.Flags()); err != nil {
		return err
	}
	patterns, err := f.filter.filter()
	if err != nil {
		return err
	}
	options := report.Options{WaitEvent: f.waitEvent, MinWaits: f.least, Only: func(r *model.Run) bool {
		return (f.pid == 0 || r.Key.PID == int32(f.pid)) && patterns.Chooses(r)
	}}
	read, err := readReports(files, options, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	if f.redact {
		read.Redact()
	}
	i := slices.IndexFunc(formatNames(), func(name string) bool { return name == f.format })
	return f.output.write(cmd.OutOrStdout(), func(w io.Writer) error { return reportFormats[i].write(w, read, f.section) })
}

// settle checks the flags against each other.
func (f *reportFlags) settle(flags *pflag.FlagSet) error {
	if f.json && flags.Changed("format") && f.format != formatJSON {
		return usageErrorf("--json writes JSON, and --format says %s", f.format)
	}
	if f.json {
		f.format = formatJSON
	}
	switch {
	case !slices.Contains(formatNames(), f.format):
		return usageErrorf("--format is %q, and can be %s", f.format, orList(formatNames()))
	case f.section == "":
	case !slices.Contains(sectionNames(), f.section):
		return usageErrorf("--section is %q, and can be %s", f.section, orList(sectionNames()))
	case f.format == formatJSON:
		return usageErrorf("--section %s: a JSON document has all parts", f.section)
	case f.format == "csv" && !report.HasCSV(f.section):
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
