package main

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/vacscope/model"
)

// samples is a stream of samples that are there already.
type samples []model.Sample

func (s samples) Run(_ context.Context, emit func(model.Sample)) error {
	for _, sample := range s {
		emit(sample)
	}
	return nil
}

// streamFunc is a stream that does what the function does.
type streamFunc func(ctx context.Context, emit func(model.Sample)) error

func (f streamFunc) Run(ctx context.Context, emit func(model.Sample)) error { return f(ctx, emit) }

// seconds are n samples, a second apart.
func seconds(n int) samples {
	s := make(samples, n)
	for i := range s {
		s[i] = model.Sample{Seq: uint64(i + 1), At: time.Unix(int64(i), 0)}
	}
	return s
}

func TestFeedShowsTheLatestToASlowScreen(t *testing.T) {
	firstShown, resume := make(chan struct{}), make(chan struct{})
	three := seconds(3)
	slow := streamFunc(func(_ context.Context, emit func(model.Sample)) error {
		emit(three[0])
		<-firstShown // the screen is busy from here on
		emit(three[1])
		emit(three[2])
		close(resume)
		return nil
	})
	var shown []uint64
	err := feed(t.Context(), slow, new(model.Tracker).Step, func(s *model.Snapshot) {
		shown = append(shown, s.Seq)
		if s.Seq == 1 {
			close(firstShown)
			<-resume
		}
	})
	if err != nil || len(shown) != 2 || shown[1] != 3 {
		t.Errorf("shown %v, error %v; want the first and then the latest", shown, err)
	}
}

func TestFeedTurnsAPanicIntoAnError(t *testing.T) {
	for name, run := range map[string]func() error{
		"in the stream": func() error {
			return feed(t.Context(), streamFunc(func(context.Context, func(model.Sample)) error { panic("broken") }), new(model.Tracker).Step, func(*model.Snapshot) {})
		},
		"in the screen": func() error {
			endless := streamFunc(func(ctx context.Context, emit func(model.Sample)) error {
				emit(model.Sample{Seq: 1})
				<-ctx.Done()
				return nil
			})
			return feed(t.Context(), endless, new(model.Tracker).Step, func(*model.Snapshot) { panic("broken") })
		},
	} {
		var panicked *panicError
		if err := run(); !errors.As(err, &panicked) || panicked.value != "broken" || len(panicked.stack) == 0 {
			t.Errorf("a panic %s gave %v", name, err)
		}
	}
}

// Events ride on the next sample, each with its own time.
func TestNotesRideOnTheNextSample(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var s notedStream
		s.stream = streamFunc(func(ctx context.Context, emit func(model.Sample)) error {
			three := seconds(3)
			emit(three[0])
			s.note("next run in 10 s")
			time.Sleep(200 * time.Millisecond)
			s.note("and the table is dirty")
			time.Sleep(300 * time.Millisecond)
			emit(three[1])
			emit(three[2])
			return nil
		})
		var got []int
		var before []time.Duration
		err := s.Run(t.Context(), func(sample model.Sample) {
			got = append(got, len(sample.Events))
			for _, e := range sample.Events {
				before = append(before, sample.At.Sub(e.At))
				if e.Kind != model.EventNote || e.Text == "" {
					t.Errorf("event %+v in the sample at %v", e, sample.At)
				}
			}
		})
		if err != nil || !slices.Equal(got, []int{0, 2, 0}) {
			t.Errorf("events per sample %v, error %v; want 0, 2, 0", got, err)
		}
		if !slices.Equal(before, []time.Duration{500 * time.Millisecond, 300 * time.Millisecond}) {
			t.Errorf("they came %v before their sample", before)
		}
	})
}
