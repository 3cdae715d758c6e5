package main

import (
	"errors"

	"example.com/vacscope/model/report"
	"github.com/spf13/pflag"
)

// sideFlag is --vs, a flag without a value that stands between files: those behind it are
// side B.
type sideFlag struct {
	flags *pflag.FlagSet
	given bool
	at    int // how many files stand before it
}

func (f *sideFlag) add(flags *pflag.FlagSet) {
	f.flags = flags
	flags.Var(f, "vs", "compare: the files behind it are side B, those before it A")
	flags.Lookup("vs").NoOptDefVal = sideMark
	onlyWritten(flags, "vs")
}

// sideMark is the value of --vs without one.
const sideMark = "true"

// Set notes where the flag stands: the files before it have been read by then.
func (f *sideFlag) Set(value string) error {
	switch {
	case value != sideMark:
		return errors.New("it takes no value: it marks where side B begins")
	case f.given:
		return errors.New("there are two sides, and it stands there twice")
	}
	f.given, f.at = true, f.flags.NArg()
	return nil
}

// String is what the help shows as its default: nothing.
func (f *sideFlag) String() string { return "" }

// Type is what the help calls its value: it takes none.
func (f *sideFlag) Type() string { return "bool" }

// checkFiles checks the files against the flags.
func (f *reportFlags) checkFiles(files []string) error {
	switch {
	case len(f.durations) > 0 && (len(files) > 0 || f.vs.given):
		return usageErrorf("--durations is for times that were measured elsewhere: no recording goes with it")
	case len(f.durations) > 0:
		return nil
	case len(files) == 0:
		return usageErrorf("no recording is given")
	case f.vs.given && (f.vs.at == 0 || f.vs.at == len(files)):
		return usageErrorf("--vs stands between the recordings of side A and those of side B, and a side has none")
	}
	return nil
}

// compares tells whether sides are compared, in place of a report of each vacuum.
func (f *reportFlags) compares() bool { return f.vs.given || len(f.durations) > 0 }

// sections are the parts that there are of what is asked for.
func (f *reportFlags) sections() []string {
	switch {
	case f.vs.given:
		return report.ComparisonSections
	case len(f.durations) > 0:
		return report.DurationsSections
	}
	return sectionNames()
}
