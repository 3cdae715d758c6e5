package main

import (
	"fmt"
	"iter"
	"os"
	"sync"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/tui"
)

// screenRecorder records for the screen, into files of the current folder.
type screenRecorder struct {
	*recorder
	tell func(error)
	view *viewing // whose past a file begins with

	mu   sync.Mutex
	name string
	file *recording // that was begun from the screen; nil for none
}

// Record begins a file with what is kept of what was seen since a moment, or ends the one
// that was begun.
func (s *screenRecorder) Record(since model.Opt[time.Time]) (tui.Recorded, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.file; f != nil {
		s.file = nil
		return tui.Recorded{File: s.name}, s.remove(f)
	}
	s.name = "vacscope-" + time.Now().UTC().Format("2006-01-02T15-04-05Z") + record.Suffix
	if err := checkNewFile(s.name, false); err != nil {
		return tui.Recorded{}, fmt.Errorf("%w, and one second later another name is free", err)
	}
	if err := canWriteHere(); err != nil {
		return tui.Recorded{}, err
	}
	s.file = recordInto(s.name, false, s.wanted, s.tell)
	out := tui.Recorded{File: s.name, Begun: true}
	if from, ok := since.Get(); ok && s.view != nil {
		past := s.view.past.memory
		if began, _ := past.Since(from); !began.IsZero() {
			out.Since = model.Some(began)
		}
		s.file.past = func() iter.Seq[model.Sample] {
			_, samples := past.Since(from)
			return samples
		}
	}
	s.add(s.file)
	return out, nil
}

// canWriteHere tells before the first sample whether a file can be made in this folder.
func canWriteHere() error {
	f, err := os.CreateTemp(".", ".vacscope-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// Recording tells that a file is being written, whoever asked for it.
func (s *screenRecorder) Recording() bool { return s.writing() }
