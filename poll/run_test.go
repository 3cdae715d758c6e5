package poll

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/vacscope/model"
)

// fakeServer answers like a server whose clock is an hour ahead; what it does can
// be changed while it runs.
type fakeServer struct {
	mu                   sync.Mutex // for what changes while it runs
	beatTakes, tickTakes time.Duration
	beats, ticks         []time.Time // when they came in
	dials                []time.Time
	down                 bool // it refuses connections and ends those there are
	mute                 bool // it is down, and attempts to connect get no answer
	hangs                bool // beats end with the connection, after their time
	ignores              bool // beats end with their context
	refuseTicks          bool
	startedAt            time.Time
	logged               string
}

const ahead = time.Hour

var errDown = errors.New("connection refused")

func (f *fakeServer) dial(ctx context.Context) (reader, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.dials = append(f.dials, time.Now())
	if f.down && f.mute {
		f.mu.Unlock()
		<-ctx.Done()
		f.mu.Lock()
		return nil, ctx.Err()
	}
	if f.down {
		return nil, errDown
	}
	return f, nil
}

func (f *fakeServer) clock() serverClock {
	return serverClock{server: time.Now().Add(ahead), client: time.Now()}
}

// after changes the server once it has run for a time.
func (f *fakeServer) after(d time.Duration, change func()) {
	time.AfterFunc(d, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		change()
	})
}

func (f *fakeServer) beat(ctx context.Context, _ bool) (*reading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ignores {
		f.mu.Unlock()
		<-ctx.Done()
		f.mu.Lock()
		return nil, ctx.Err()
	}
	if f.down {
		return nil, errDown
	}
	f.beats = append(f.beats, time.Now())
	time.Sleep(f.beatTakes)
	if f.hangs {
		return nil, context.DeadlineExceeded
	}
	r := &reading{clock: f.clock(), cost: f.beatTakes / 1000, roundTrip: f.beatTakes, logged: f.logged}
	r.poll.Server.VersionNum, r.poll.Server.StartedAt = 180000, f.startedAt
	return r, nil
}

func (f *fakeServer) tick(context.Context) (*tickReading, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.down {
		return nil, errDown
	}
	f.ticks = append(f.ticks, time.Now())
	time.Sleep(f.tickTakes)
	r := &tickReading{clock: f.clock(), cost: f.tickTakes / 1000, roundTrip: f.tickTakes}
	if f.refuseTicks {
		r.problem = model.Some(model.Problem{Part: "tick", SQLState: "57014"})
	}
	return r, nil
}

func (f *fakeServer) close() {}

// watch runs a source on the server for a time and returns its samples.
func (f *fakeServer) watch(t *testing.T, options Options, d time.Duration, each func(model.Sample)) []model.Sample {
	t.Helper()
	if f.startedAt.IsZero() {
		f.startedAt = time.Unix(1, 0)
	}
	s := newSource(f.dial, options, seeded())
	if err := s.connected(s.dial(t.Context())); err != nil {
		t.Fatal(err)
	}
	return f.follow(t, s, d, each)
}

// follow runs a source for a time and returns its samples.
func (f *fakeServer) follow(t *testing.T, s *Source, d time.Duration, each func(model.Sample)) []model.Sample {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	var samples []model.Sample
	err := s.Run(ctx, func(sample model.Sample) {
		samples = append(samples, sample)
		if each != nil {
			each(sample)
		}
	})
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	for i, sample := range samples {
		if sample.Seq != uint64(i+1) {
			t.Errorf("sample %d has Seq %d", i+1, sample.Seq)
		}
	}
	return samples
}

func every(interval time.Duration, rate model.PerSecond) Options {
	return Options{Interval: interval, TickRate: rate, TickRateGiven: true}
}

func TestTheFirstBeatIsAtOnceAndOthersOnTheGrid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{beatTakes: 3 * time.Millisecond}
		start := time.Now()
		samples := f.watch(t, every(time.Second, 0), 10500*time.Millisecond, nil)
		if len(samples) != 11 {
			t.Fatalf("%d samples in 10.5 s", len(samples))
		}
		for i, at := range f.beats {
			if at.Sub(start) != time.Duration(i)*time.Second {
				t.Errorf("beat %d came %v after the start", i, at.Sub(start))
			}
		}
	})
}

func TestASlowReaderOfSamplesCausesNoBurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		start := time.Now()
		f.watch(t, every(time.Second, 0), 9500*time.Millisecond, func(s model.Sample) {
			if s.Seq == 3 {
				time.Sleep(3300 * time.Millisecond)
			}
		})
		var at []time.Duration
		for _, b := range f.beats {
			at = append(at, b.Sub(start).Round(time.Millisecond)/time.Second)
		}
		if want := []time.Duration{0, 1, 2, 6, 7, 8, 9}; !slices.Equal(at, want) {
			t.Errorf("beats at second %d, want %d", at, want)
		}
	})
}

func TestTicksOfABeatCoverItAndCarryTheirGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{beatTakes: time.Millisecond, tickTakes: time.Millisecond}
		samples := f.watch(t, every(time.Second, 20), 20500*time.Millisecond, nil)
		taken, missed, gaps := 0, 0, time.Duration(0)
		for _, s := range samples[1:] {
			taken, missed = taken+len(s.Ticks), missed+s.TicksMissed
			for _, tick := range s.Ticks {
				gaps += tick.Gap
			}
		}
		// A tick is missed where a beat takes the rest of its slot.
		if taken+missed != 400 || missed > 4 {
			t.Errorf("%d ticks were taken and %d missed in 20 s at 20 a second", taken, missed)
		}
		if most := 20 * time.Second; gaps > most || gaps < most-time.Duration(2*missed+2)*50*time.Millisecond {
			t.Errorf("the gaps add up to %v, %d were missed", gaps, missed)
		}
		last := samples[len(samples)-1]
		if last.At.Sub(last.Ticks[0].At) < 900*time.Millisecond || last.Ticks[len(last.Ticks)-1].At.After(last.At) {
			t.Errorf("the ticks of the beat at %v begin at %v", last.At, last.Ticks[0].At)
		}
	})
}

func TestTicksThatASlowBeatHidesAreMissedAndLeaveNoLongGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{beatTakes: 420 * time.Millisecond, tickTakes: time.Millisecond}
		samples := f.watch(t, every(time.Second, 10), 5900*time.Millisecond, nil)
		for _, s := range samples[2:] {
			// Slots that a beat's end cuts count with the next beat.
			if planned := len(s.Ticks) + s.TicksMissed; planned < 9 || planned > 11 || s.TicksMissed < 3 {
				t.Errorf("sample %d: %d ticks, %d missed", s.Seq, len(s.Ticks), s.TicksMissed)
			}
			for _, tick := range s.Ticks {
				if tick.Gap > 200*time.Millisecond {
					t.Errorf("sample %d: a tick stands for %v, more than two slots", s.Seq, tick.Gap)
				}
			}
		}
	})
}

func TestRefusedTicksAreMissedAndOneProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{refuseTicks: true}
		samples := f.watch(t, every(time.Second, 10), 1500*time.Millisecond, nil)
		s := samples[1]
		if len(s.Ticks) != 0 || s.TicksMissed != 10 || len(s.Problems) != 1 || s.Problems[0].SQLState != "57014" {
			t.Errorf("%d ticks, %d missed, problems %+v", len(s.Ticks), s.TicksMissed, s.Problems)
		}
	})
}

func TestTicksOfALostConnectionAreMissed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		f.after(1500*time.Millisecond, func() { f.beatTakes, f.hangs = 5*time.Second, true })
		samples := f.watch(t, every(time.Second, 10), 7500*time.Millisecond, nil)
		lost := samples[slices.IndexFunc(samples, func(s model.Sample) bool {
			return slices.ContainsFunc(s.Events, func(e model.Event) bool { return e.Kind == model.EventLost })
		})]
		if lost.Poll != nil || len(lost.Ticks)+lost.TicksMissed < 59 {
			t.Errorf("in six seconds %d ticks were taken and %d missed; poll %v", len(lost.Ticks), lost.TicksMissed, lost.Poll)
		}
	})
}

func TestTimesAreTheServersAlsoBetweenPolls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		samples := f.watch(t, every(time.Second, 0), 5*time.Second, func(s model.Sample) {
			f.down = s.Seq == 2
		})
		lost := samples[slices.IndexFunc(samples, func(s model.Sample) bool {
			return slices.ContainsFunc(s.Events, func(e model.Event) bool { return e.Kind == model.EventLost })
		})]
		if lost.Poll != nil || len(lost.Events) != 1 || lost.Events[0].Kind != model.EventLost {
			t.Fatalf("third sample: %+v", lost)
		}
		if want := samples[1].At.Add(time.Second); !lost.At.Equal(want) || !lost.Events[0].At.Equal(want) {
			t.Errorf("lost at %v (sample) and %v (event), want %v", lost.At, lost.Events[0].At, want)
		}
	})
}

func TestTheServersShareOfTimeIsPerSecondOfWallTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{beatTakes: 2 * time.Millisecond, tickTakes: time.Millisecond}
		samples := f.watch(t, every(time.Second, 10), 3500*time.Millisecond, nil)
		if samples[0].Poll.Watch.ServerTime.Known() {
			t.Error("a share is known before the first whole beat")
		}
		const want = (10*1.0 + 2.0) / 1000 / 1000 // the fake spends a thousandth of what it takes
		got := float64(samples[3].Poll.Watch.ServerTime.Or(-1))
		if got < want*0.99 || got > want*1.01 {
			t.Errorf("%v of wall time, want %v", got, want)
		}
	})
}

func TestLoggingServersAreTickedSlowlyAndItIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{logged: "log_statement = all"}
		samples := f.watch(t, Options{Interval: time.Second, TickRate: 20}, 10500*time.Millisecond, nil)
		w := samples[1].Poll.Watch
		if w.TickRate != 1 || w.TickRateNote == "" || len(f.ticks) > 11 {
			t.Errorf("%v ticks a second (%q), %d ticks in 10 s", w.TickRate, w.TickRateNote, len(f.ticks))
		}
	})
}

func TestALostServerIsTriedAgainEverMoreSeldomUntilItIsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		start := time.Now()
		f.after(2500*time.Millisecond, func() { f.down = true })
		f.after(42500*time.Millisecond, func() {
			f.down, f.startedAt = false, time.Unix(2, 0)
		})
		samples := f.watch(t, every(time.Second, 10), 70*time.Second, nil)

		var kinds []model.EventKind
		for _, s := range samples[1:] {
			for _, e := range s.Events {
				if e.Kind != model.EventRetry {
					kinds = append(kinds, e.Kind)
				} else if until, _ := e.Until.Get(); s.Poll != nil || !until.After(e.At) {
					t.Errorf("retry at %v says that the next is at %v; poll %v", e.At, until, s.Poll)
				}
			}
		}
		if want := []model.EventKind{model.EventLost, model.EventConnected, model.EventNote}; !slices.Equal(kinds, want) {
			t.Errorf("events %v, want %v", kinds, want)
		}
		gap := time.Duration(0)
		for i := 2; i < len(f.dials); i++ {
			next := f.dials[i].Sub(f.dials[i-1])
			if next > maxDelay || next < gap/2 {
				t.Errorf("attempt %d comes %v after the one before, which came after %v", i, next, gap)
			}
			gap = next
		}
		if n := len(f.dials); n < 6 || n > 12 {
			t.Errorf("%d attempts in 40 s", n-1)
		}
		if last := samples[len(samples)-1]; last.Poll == nil || len(last.Ticks) != 10 {
			t.Errorf("after %v the last sample is %+v", time.Since(start), last)
		}
	})
}

// The screen's clock goes on, while a server refuses connections and while it does
// not answer; what happened is told once.
func TestWithoutAConnectionSamplesGoOnToCarryTheTime(t *testing.T) {
	for name, mute := range map[string]bool{"refused": false, "not answered": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeServer{mute: mute}
				f.after(2500*time.Millisecond, func() { f.down = true })
				samples := f.watch(t, every(time.Second, 10), 60500*time.Millisecond, nil)
				lost, retries := 0, 0
				for i, s := range samples[3:] {
					if gap := s.At.Sub(samples[i+2].At); s.Poll != nil || gap > time.Second || gap < 0 {
						t.Errorf("sample %d comes %v after the one before; poll %v", s.Seq, gap, s.Poll)
					}
					for _, e := range s.Events {
						switch e.Kind {
						case model.EventLost:
							lost++
						case model.EventRetry:
							retries++
						default:
							t.Errorf("sample %d has %+v", s.Seq, e)
						}
					}
				}
				failed := len(f.dials) - 1 // the first one succeeded
				if mute {
					failed-- // the last one is not decided
				}
				if lost != 1 || retries != failed || failed < 2 {
					t.Errorf("lost %d times, %d retries are told of %d", lost, retries, failed)
				}
			})
		})
	}
}

func TestAPanicInConnectingReachesTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSource(func(context.Context) (reader, error) { panic("broken") }, every(time.Second, 0), seeded())
		defer func() {
			if text := fmt.Sprint(recover()); !strings.Contains(text, "broken") {
				t.Errorf("recovered %s", text)
			}
		}()
		_ = s.Run(t.Context(), func(model.Sample) {})
	})
}

func TestAServerThatCameBackTooOldEndsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		s := newSource(f.dial, every(time.Second, 0), seeded())
		s.dial = func(context.Context) (reader, error) { return nil, &tooOldError{version: "12.22"} }
		if err := s.Run(t.Context(), func(model.Sample) {}); err == nil {
			t.Error("no error")
		}
	})
}

func TestABeatWithoutConnectionIsAProblem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		s := newSource(f.dial, every(time.Second, 0), seeded())
		if err := s.connected(s.dial(t.Context())); err != nil {
			t.Fatal(err)
		}
		f.down = true
		for range 2 {
			if got := s.Beat(t.Context()); got.Poll != nil || len(got.Problems) != 1 || got.Problems[0].Part != "connection" {
				t.Errorf("%+v", got)
			}
		}
	})
}
