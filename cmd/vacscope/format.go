package main

import (
	"slices"

	"github.com/spf13/pflag"
)

// formatFlags say how a result is written.
type formatFlags struct {
	format string
	json   bool

	allowed []string
}

const (
	formatText     = "text"
	formatMarkdown = "markdown"
	formatJSON     = "json"
	formatCSV      = "csv"
	formatHTML     = "html"
)

// add adds the flags; the formats are those that the command can write.
func (f *formatFlags) add(flags *pflag.FlagSet, allowed ...string) {
	f.allowed = allowed
	flags.StringVar(&f.format, "format", formatText, "`FORMAT`: "+orList(allowed))
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
}

// settle makes one format of the flags that name it.
func (f *formatFlags) settle(flags *pflag.FlagSet) error {
	if !slices.Contains(f.allowed, f.format) {
		return usageErrorf("--format is %q, and can be %s", f.format, orList(f.allowed))
	}
	if f.json {
		return f.must(flags, "--json")
	}
	return nil
}

// must makes the format JSON, which a flag asks for.
func (f *formatFlags) must(flags *pflag.FlagSet, by string) error {
	if flags.Changed("format") && f.format != formatJSON {
		return usageErrorf("%s writes JSON, and --format says %s", by, f.format)
	}
	f.format = formatJSON
	return nil
}

func (f *formatFlags) isJSON() bool { return f.format == formatJSON }
