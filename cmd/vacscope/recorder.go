package main

import (
	"context"
	"errors"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

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

// begin writes the first sample: a complete one, unless others come before it.
func (f *recording) begin(first, complete model.Sample) {
	f.begun = true
	if f.past != nil {
		f.before, f.first = f.past(), first
	}
	f.put(complete)
}

// samples are those to be written.
func (f *recording) samples(yield func(model.Sample) bool) {
	for s := range f.queue {
		if before := f.before; before != nil {
			f.before = nil
			for earlier := range before {
				if !yield(earlier) {
					return
				}
				s = f.first
			}
		}
		if !yield(s) {
			return
		}
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
	r.mu.Unlock()
	return f.end()
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

// recording is one file that is written in a goroutine of its own. put and end are for
// one goroutine at a time.
type recording struct {
	history bool // kept without being asked for, and without query texts of others
	begun   bool
	limit   int64                         // of the file in bytes, where it ends; 0: none
	lost    int                           // samples for which there was no room, since the last one that had it
	past    func() iter.Seq[model.Sample] // what was seen before its first sample; nil: it does not begin with that

	before iter.Seq[model.Sample] // of past, once it has begun; nil for nothing
	first  model.Sample           // the one that was put first, as it stands behind those before
	queue  chan model.Sample
	ended  chan struct{}
	err    error // once it has ended
	once   sync.Once
}

// maxQueued is how many samples wait for a disk that does not answer.
const maxQueued = 60

// startRecording makes a recording that open makes for its first sample. What goes wrong
// is told once; then no more is written.
func startRecording(open func(first model.Sample) (*record.Writer, error), tell func(error)) *recording {
	return startLimited(0, open, tell)
}

// startLimited is startRecording of a file that ends with so many bytes; 0: it does not.
func startLimited(limit int64, open func(first model.Sample) (*record.Writer, error), tell func(error)) *recording {
	f := &recording{limit: limit, queue: make(chan model.Sample, maxQueued), ended: make(chan struct{})}
	go func() {
		defer close(f.ended)
		if f.err = f.write(open); f.err != nil {
			tell(f.err)
		}
	}()
	return f
}

func (f *recording) write(open func(model.Sample) (*record.Writer, error)) (err error) {
	var w *record.Writer
	defer func() {
		if w != nil {
			err = errors.Join(err, w.Close())
		}
	}()
	for s := range f.samples {
		if w == nil {
			if w, err = open(s); err != nil {
				return err
			}
		}
		if w.Write(s) != nil || f.limit > 0 && w.Size() > f.limit {
			return nil // closing it tells the error
		}
	}
	return nil
}

// put writes a sample, or counts it as lost where the disk is too slow: the next one
// says so.
func (f *recording) put(s model.Sample) {
	if f.history {
		s = model.Redacted(s)
	}
	if f.lost > 0 {
		s.Events = append([]model.Event{
			{At: s.At, Kind: model.EventLost, Text: model.Text("the disk was too slow: " + model.FormatCounted(f.lost, "sample was", "samples were") + " not recorded")},
			{At: s.At, Kind: model.EventConnected},
		}, s.Events...)
	}
	select {
	case <-f.ended: // nothing waits for it
	case f.queue <- s:
		f.lost = 0
	default:
		f.lost++
	}
}

// end lets what waits be written, and waits for it for a while.
func (f *recording) end() error {
	f.once.Do(func() { close(f.queue) })
	select {
	case <-f.ended:
		return f.err
	case <-time.After(closingTime):
		return errors.New("the recording did not end in time: its disk does not answer")
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
