package main

import "github.com/spf13/pflag"

// formatFlags say how a result is written.
type formatFlags struct {
	format string
	json   bool
}

const (
	formatText = "text"
	formatJSON = "json"
)

func (f *formatFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.format, "format", formatText, "`FORMAT`: text or json")
	flags.BoolVar(&f.json, "json", false, "the same as --format json")
}

// settle makes one format of the flags that name it.
func (f *formatFlags) settle(flags *pflag.FlagSet) error {
	if f.format != formatText && f.format != formatJSON {
		return usageErrorf("--format is %q, and can be text or json", f.format)
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
