package main

import (
	"errors"
	"iter"
	"sync"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// recording is one file that is written in a goroutine of its own. put and end are for
// one goroutine at a time.
type recording struct {
	history bool // kept without being asked for, and without query texts of others
	begun   bool
	limit   int64                         // of the file in bytes, where it ends; 0: none
	lost    int                           // samples for which there was no room, since the last one that had it
	past    func() iter.Seq[model.Sample] // what was seen before its first sample; nil: it does not begin with that

	queue  chan model.Sample
	before iter.Seq[model.Sample] // of past, once it has begun; nil for nothing
	first  model.Sample           // of the queue, as it stands behind those before
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
