package main

import (
	"context"
	"sync"

	"example.com/vacscope/model"
)

// stream is a source of samples: a server that is polled, the demo's.
type stream interface {
	// Run emits samples, each from the same goroutine, until ctx ends (then the
	// error is nil or the context's) or the stream cannot go on.
	Run(ctx context.Context, emit func(model.Sample)) error
}

// notedStream is a stream into which notes for the person at the screen can be
// put; each rides on the next sample.
type notedStream struct {
	stream
	mu    sync.Mutex
	notes []model.Text
}

// note puts in a note. It can be called from any goroutine.
func (n *notedStream) note(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, model.Text(text))
}

// Run emits the stream's samples with the notes that came since the one before.
func (n *notedStream) Run(ctx context.Context, emit func(model.Sample)) error {
	return n.stream.Run(ctx, func(s model.Sample) {
		n.mu.Lock()
		notes := n.notes
		n.notes = nil
		n.mu.Unlock()
		for _, text := range notes {
			s.Events = append(s.Events, model.Event{At: s.At, Kind: model.EventNote, Text: text})
		}
		emit(s)
	})
}
