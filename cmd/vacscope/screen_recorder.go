package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"example.com/vacscope/poll/record"
)

// screenRecorder records for the screen, into files of the current folder.
type screenRecorder struct {
	*recorder
	tell func(error)

	mu   sync.Mutex
	name string
	file *recording // that was begun from the screen; nil for none
}

// Record begins a file, or ends the one that was begun.
func (s *screenRecorder) Record() (name string, begun bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.file; f != nil {
		s.file = nil
		return s.name, false, s.remove(f)
	}
	s.name = "vacscope-" + time.Now().UTC().Format("2006-01-02T15-04-05Z") + record.Suffix
	if err := checkNewFile(s.name, false); err != nil {
		return s.name, false, fmt.Errorf("%w, and one second later another name is free", err)
	}
	if err := canWriteHere(); err != nil {
		return s.name, false, err
	}
	s.file = recordInto(s.name, false, s.tell)
	s.add(s.file)
	return s.name, true, nil
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
