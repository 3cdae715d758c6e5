package main

import (
	"fmt"
	"os"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"github.com/spf13/pflag"
)

// recordFlags ask for a recording beside what a command does.
type recordFlags struct {
	file  string
	force bool
}

func (f *recordFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "record", "", "record what is seen into `FILE` (vacscope help format)")
	flags.BoolVar(&f.force, "force", false, "replace the file of --record where there is one")
	onlyWritten(flags, "record", "force")
}

// check refuses a file that exists before anything is done.
func (f *recordFlags) check() error { return checkNewFile(f.file, f.force) }

// checkNewFile refuses the name of a file that exists, unless it is to be replaced.
func checkNewFile(path string, force bool) error {
	if path == "" || force {
		return nil
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s exists; --force replaces it", path)
	}
	return nil
}

// on is the stream, which is to be read at some rates, with the recording that was asked for.
func (f *recordFlags) on(s stream, wanted *model.Rates, tell func(error)) *recorder {
	r := &recorder{stream: s, wanted: wanted}
	if f.file != "" {
		r.add(recordInto(f.file, f.force, wanted, tell))
	}
	return r
}

// recordInto records into a file that is made with the first sample.
func recordInto(path string, force bool, wanted *model.Rates, tell func(error)) *recording {
	return startRecording(func(first model.Sample) (*record.Writer, error) {
		return record.Create(path, headerOf(first, wanted), force)
	}, func(err error) { tell(fmt.Errorf("recording into %s has ended: %w", path, err)) })
}
