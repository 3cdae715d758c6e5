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

// notedStream is a stream into which events can be put that come from elsewhere:
// notes for the person at the screen, what this program does on the server. Each
// rides on the next sample, with its time.
type notedStream struct {
	stream
	mu     sync.Mutex
	events []model.Event
}

// put puts in an event. It can be called from any goroutine.
func (n *notedStream) put(e model.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.events = append(n.events, e)
}

// note puts in a note. It can be called from any goroutine.
func (n *notedStream) note(text string) {
	n.put(model.Event{Kind: model.EventNote, Text: model.Text(text)})
}

// Run emits the stream's samples with the events that came since the one before.
func (n *notedStream) Run(ctx context.Context, emit func(model.Sample)) error {
	return n.stream.Run(ctx, func(s model.Sample) {
		n.mu.Lock()
		events := n.events
		n.events = nil
		n.mu.Unlock()
		for _, e := range events {
			e.At = s.At
			s.Events = append(s.Events, e)
		}
		emit(s)
	})
}
