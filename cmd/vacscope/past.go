package main

import (
	"context"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/poll/replay"
)

// What is kept of what was seen, to go back in: so much of it, packed, which is half an
// hour to an hour of a vacuum with eight workers and many hours of a server on which
// little happens; and as many checkpoints.
const (
	pastBytes       = 2 << 20
	pastCheckpoints = 8
)

// past is what was seen of what is being watched, so that the screen can go back in it
// (tui.Player).
type past struct {
	memory *record.Memory
	tape   *replay.Tape
	filter model.Filter
}

func newPast(filter model.Filter) (*past, error) {
	memory, err := record.NewMemory(pastBytes)
	if err != nil {
		return nil, err
	}
	return &past{memory: memory, tape: replay.NewTape(memory, pastCheckpoints), filter: filter}, nil
}

// step folds a sample, and keeps it.
func (p *past) step(s model.Sample) *model.Snapshot {
	first := p.memory.Add(s)
	return p.tape.Step(s, first)
}

// Recording tells that the screen follows what is being watched.
func (p *past) Recording() bool { return false }

// Play does nothing: what is being watched goes on by itself.
func (p *past) Play(bool) {}

// Faster does nothing.
func (p *past) Faster(bool) {}

// Move folds another moment again.
func (p *past) Move(_ context.Context, m model.Move) (*model.Snapshot, model.Position, error) {
	to, err := p.tape.Find(m)
	if err != nil {
		return nil, model.Position{}, err
	}
	snapshot, position, err := p.tape.At(to)
	if err != nil {
		return nil, position, err
	}
	return p.filter.View(snapshot), position, nil
}
