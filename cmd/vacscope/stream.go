package main

import (
	"context"
	"sync"
	"time"

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
// rides on the next sample, with its own time on the server's clock.
type notedStream struct {
	stream
	mu     sync.Mutex
	events []putEvent
}

// putEvent is an event and when it was put in, by this machine's clock.
type putEvent struct {
	model.Event
	put time.Time
}

// put puts in an event. It can be called from any goroutine.
func (n *notedStream) put(e model.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.events = append(n.events, putEvent{e, time.Now()})
}

// note puts in a note. It can be called from any goroutine.
func (n *notedStream) note(text string) {
	n.put(model.Event{Kind: model.EventNote, Text: model.Text(text)})
}

// fault puts in what went wrong, as a note.
func (n *notedStream) fault(err error) { n.note(oneLine(err.Error())) }

// Run emits the stream's samples with the events that came since the one before.
func (n *notedStream) Run(ctx context.Context, emit func(model.Sample)) error {
	return n.stream.Run(ctx, func(s model.Sample) {
		n.mu.Lock()
		events := n.events
		n.events = nil
		n.mu.Unlock()
		for _, e := range events {
			e.At = s.At.Add(-time.Since(e.put))
			s.Events = append(s.Events, e.Event)
		}
		emit(s)
	})
}
