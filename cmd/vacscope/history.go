package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"github.com/spf13/pflag"
)

// Bounds of the history on disk.
const (
	maxHistoryFile = 32 << 20  // of one file: a day and more
	maxHistory     = 512 << 20 // of all; the oldest go
)

// historyFlags say whether what is watched is kept.
type historyFlags struct{ off bool }

func (f *historyFlags) add(flags *pflag.FlagSet) {
	flags.BoolVar(&f.off, "no-history", false, "do not keep recordings of watched vacuums in "+historyFolder("~/.local/state/vacscope"))
}

// keptHistory keeps a recording of each watching in which a vacuum was seen, without the
// query texts of other sessions.
type keptHistory struct {
	folder string
	tell   func(string)
	wanted *model.Rates // of the stream
	begun  bool         // a vacuum was seen
}

// historyFolder is where recordings are kept, in the folder of the program's state.
func historyFolder(state string) string { return filepath.Join(state, "history") }

// new is the history to keep; nil for none. tell gets notes for the person.
func (f *historyFlags) new(tell func(string)) *keptHistory {
	state := stateFolder()
	if f.off || state == "" {
		return nil
	}
	return &keptHistory{folder: historyFolder(state), tell: tell}
}

// keep lets a recorder keep its history, and gives its stream what earlier ones tell.
func (f *historyFlags) keep(r *recorder, tell func(string)) {
	if r.history = f.new(tell); r.history != nil {
		r.history.wanted = r.wanted
		r.priors = newPriors(r.history.folder)
	}
}

// begin is the recording that begins with a sample: the first one in which a vacuum is
// seen. nil for none.
func (h *keptHistory) begin(s model.Sample) *recording {
	if h == nil || h.begun || !showsVacuum(s) {
		return nil
	}
	h.begun = true
	f := startLimited(maxHistoryFile, h.open, func(err error) { h.tell("no history is kept: " + oneLine(err.Error())) })
	f.history = true
	return f
}

// showsVacuum tells whether a process in it has a vacuum's progress.
func showsVacuum(s model.Sample) bool {
	return s.Poll != nil && slices.ContainsFunc(s.Poll.Processes, func(p model.Process) bool {
		return p.Progress != nil && p.Progress.View != model.ViewAnalyze
	})
}

// open makes the file, and room for it.
func (h *keptHistory) open(first model.Sample) (*record.Writer, error) {
	if _, err := os.Stat(h.folder); errors.Is(err, fs.ErrNotExist) {
		h.tell("what is watched is kept in " + h.folder + ", without query texts of others; --no-history keeps nothing")
	}
	if err := os.MkdirAll(h.folder, 0o700); err != nil {
		return nil, fmt.Errorf("make its folder: %w", err)
	}
	if err := removeOldest(h.folder, maxHistory-maxHistoryFile); err != nil {
		return nil, err
	}
	header := headerOf(first, h.wanted)
	header.Redacted = true
	name := fmt.Sprintf("%s-%s-%d%s", first.At.UTC().Format("2006-01-02T15-04-05Z"), systemInName(header.Server), os.Getpid(), record.Suffix)
	return record.Create(filepath.Join(h.folder, name), header, false)
}

// removeOldest removes recordings of a folder until the rest takes so many bytes. Their
// names begin with their time.
func removeOldest(folder string, most int64) error {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return fmt.Errorf("read the history: %w", err)
	}
	total := int64(0)
	for _, e := range slices.Backward(entries) {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !strings.HasSuffix(e.Name(), record.Suffix) {
			continue // it went meanwhile, or is not ours
		}
		if total += info.Size(); total <= most {
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
			return fmt.Errorf("remove an old recording: %w", err)
		}
	}
	return nil
}
