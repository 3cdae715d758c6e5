package poll

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"example.com/vacscope/model"
)

// clockInterval is how often a sample says what time it is when there is nothing
// else to say, so that a clock and the age of what is shown go on.
const clockInterval = time.Second

// answerTime is for how long a read may take before samples say that it does: most
// take a few milliseconds, and no sample stands between two beats for them.
const answerTime = clockInterval / 2

// errAskedToReconnect ends a wait or a read because a person wants a new connection.
var errAskedToReconnect = errors.New("reconnecting, as asked")

// Reconnect makes Run connect anew at once, whether there is a connection or a
// pause before the next attempt. It can be called from any goroutine.
func (s *Source) Reconnect() {
	select {
	case s.hurry <- struct{}{}:
	default: // it is asked for already
	}
}

// while does work in a goroutine of its own, and until it is done lets samples say
// that the server owes an answer, the first not before it has had its time. The
// work's context also ends when a person wants a new connection; then the error
// says so. Without emit nobody is told.
func (s *Source) while(ctx context.Context, least time.Duration, emit func(model.Sample), work func(context.Context)) error {
	if emit == nil {
		work(ctx)
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	var broken any
	go func() {
		defer close(done)
		defer func() {
			if broken = recover(); broken != nil {
				broken = fmt.Sprintf("%v\n%s", broken, debug.Stack())
			}
		}()
		work(ctx)
	}()
	asked := time.Now()
	err := s.pass(done, model.Some(s.clock.at(asked)), later(s.told.Add(clockInterval), asked.Add(least)), emit)
	if err != nil {
		cancel()
		<-done
	}
	if broken != nil {
		panic(broken) // where the caller can catch it
	}
	return err
}

// pass lets time pass until done, or until a person wants a new connection. From a
// time on samples say what time it is, and since when the server owes an answer.
func (s *Source) pass(done <-chan struct{}, askedAt model.Opt[time.Time], from time.Time, emit func(model.Sample)) error {
	next := time.NewTimer(time.Until(from))
	defer next.Stop()
	for {
		select {
		case <-done:
			return nil
		case <-s.hurry:
			return errAskedToReconnect
		case <-next.C:
			emit(s.timeOnly(askedAt))
			next.Reset(clockInterval)
		}
	}
}

// sleep waits for a time of the client's clock. Samples say what time it is unless
// the next beat soon does. The error is ctx's, or a person wants a new connection.
func (s *Source) sleep(ctx context.Context, at time.Time, emit func(model.Sample)) error {
	ended, cancel := context.WithDeadline(ctx, at)
	defer cancel()
	from := later(s.told.Add(clockInterval), time.Now())
	if s.schedule.beatAt.Sub(from) < clockInterval/2 {
		from = at.Add(clockInterval)
	}
	if err := s.pass(ended.Done(), model.None[time.Time](), from, emit); err != nil {
		return err
	}
	return ctx.Err()
}

// timeOnly makes a sample that carries the time: what is pending waits on.
func (s *Source) timeOnly(askedAt model.Opt[time.Time]) model.Sample {
	now := time.Now()
	s.seq++
	s.told = now
	return model.Sample{Seq: s.seq, At: s.clock.at(now), AskedAt: askedAt}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
