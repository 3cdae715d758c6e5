package main

import (
	"context"

	"example.com/vacscope/model"
)

// folding folds one sample into what all of them mean: a model.Tracker's Step.
type folding func(model.Sample) *model.Snapshot

// feed folds the stream's samples and brings the snapshots to show, until the
// stream ends. Between the two stands a slot that holds one snapshot, the latest:
// a slow terminal does not delay reading, and because the fold runs on the reading
// side, a snapshot that is not shown loses no history.
func feed(ctx context.Context, s stream, step folding, show func(*model.Snapshot)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	slot := make(chan *model.Snapshot, 1)
	shown := make(chan error, 1)
	go func() {
		defer cancel()
		shown <- caught(func() error {
			for snapshot := range slot {
				show(snapshot)
			}
			return nil
		})
	}()
	err := caught(func() error {
		defer close(slot)
		return s.Run(ctx, func(sample model.Sample) { replace(slot, step(sample)) })
	})
	if showErr := <-shown; showErr != nil {
		return showErr
	}
	return err
}

// fold turns the stream's samples into snapshots.
func fold(ctx context.Context, s stream, emit func(*model.Snapshot)) error {
	var tracker model.Tracker
	return s.Run(ctx, func(sample model.Sample) { emit(tracker.Step(sample)) })
}

// replace puts v into a slot of one that only the caller fills.
func replace[T any](slot chan T, v T) {
	select {
	case <-slot:
	default:
	}
	slot <- v
}
