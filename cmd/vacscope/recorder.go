package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// recorder writes the samples of a stream into recordings, beside those who fold them:
// no file delays reading.
type recorder struct {
	stream
	standing model.Standing
	history  *keptHistory // nil: none is kept
	priors   *priors      // nil: none are known
	wanted   *model.Rates // how often the stream is to be read; nil: not known

	mu    sync.Mutex
	files []*recording
}

// Run emits the stream's samples and records them.
func (r *recorder) Run(ctx context.Context, emit func(model.Sample)) error {
	return r.stream.Run(ctx, func(s model.Sample) {
		s = r.priors.give(s)
		r.take(s)
		emit(s)
	})
}

func (r *recorder) take(s model.Sample) {
	r.standing.Take(s)
	r.mu.Lock()
	defer r.mu.Unlock()
	if f := r.history.begin(s); f != nil {
		r.files = append(r.files, f)
	}
	for _, f := range r.files {
		if !f.begun {
			if s.Poll == nil {
				continue // what server it is of is not known yet
			}
			f.begin(s, r.standing.Complete(s))
			continue
		}
		f.put(s)
	}
}

// add records into one more file from the next sample on.
func (r *recorder) add(f *recording) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.files = append(r.files, f)
}

// remove ends a file.
func (r *recorder) remove(f *recording) error {
	r.mu.Lock()
	r.files = slices.DeleteFunc(r.files, func(other *recording) bool { return other == f })
	begun := f.begun
	r.mu.Unlock()
	if err := f.end(); err != nil || begun {
		return err
	}
	return errors.New("nothing was read of the server meanwhile")
}

// writing tells whether a file that was asked for is being written.
func (r *recorder) writing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.files, func(f *recording) bool {
		if f.history {
			return false
		}
		select {
		case <-f.ended:
			return false
		default:
			return true
		}
	})
}

// end ends all files, and waits until they are whole.
func (r *recorder) end() {
	r.mu.Lock()
	files := r.files
	r.files = nil
	r.mu.Unlock()
	for _, f := range files {
		_ = f.end() // what failed was told when it did
	}
}

// headerOf is the first line of a recording that begins with a sample, of a stream that
// was to be read at some rates.
func headerOf(first model.Sample, wanted *model.Rates) record.Header {
	p := first.Poll
	return record.Header{
		StartedAt: first.At, Vacscope: version(), CommandLine: commandLine(os.Args[1:]),
		Server: p.Server, About: p.About, Relations: p.Relations, Client: record.ThisMachine(p.Server.Address), Wanted: wanted,
	}
}

// commandLine is how the program was called, without what may be a secret.
func commandLine(args []string) string {
	words := []string{"vacscope"}
	secret := false // the flag before takes one
	for _, arg := range args {
		switch {
		case secret || isSecret(configLine{value: arg}):
			arg = "…"
		case strings.HasPrefix(arg, "--password-command="):
			arg = "--password-command=…"
		case strings.ContainsAny(arg, " '\"\\*?$"):
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		secret = arg == "--password-command"
		words = append(words, arg)
	}
	return strings.Join(words, " ")
}
