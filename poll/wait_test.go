package poll

import (
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"example.com/vacscope/model"
)

// overdueAt folds samples and returns the first snapshot that says that an answer
// is missed.
func firstOverdue(samples []model.Sample) *model.Snapshot {
	var tracker model.Tracker
	for _, sample := range samples {
		if s := tracker.Step(sample); s.Overdue().Known() {
			return s
		}
	}
	return nil
}

// A server that does not answer is said to be overdue, with the age of what is
// shown, long before the read is given up, whatever the interval.
func TestAnAnswerThatIsMissedIsSaidBeforeTheReadIsGivenUp(t *testing.T) {
	for _, interval := range []time.Duration{100 * time.Millisecond, time.Second, 10 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := &fakeServer{}
			f.after(interval+time.Millisecond, func() { f.beatTakes, f.hangs = deadline, true })
			samples := f.watch(t, every(interval, 0), 2*interval+deadline-time.Millisecond, nil)
			s := firstOverdue(samples)
			if s == nil || s.Link.Lost || s.Overdue().Or(0) > deadline/2+clockInterval {
				t.Errorf("interval %v: %+v", interval, s)
			}
			if waited := s.Now.Sub(s.At); waited < s.Overdue().Or(0) {
				t.Errorf("interval %v: what is shown is %v old, an answer is owed for %v", interval, waited, s.Overdue().Or(0))
			}
		})
	}
}

// A link that is slow and steady is not said to be silent.
func TestASlowLinkIsNotOverdue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{beatTakes: 1500 * time.Millisecond}
		if s := firstOverdue(f.watch(t, every(time.Second, 0), time.Minute, nil)); s != nil {
			t.Errorf("%+v", s)
		}
	})
}

// Beats that are far apart leave no clock standing, and ticks stay for the next beat.
func TestTheTimeGoesOnBetweenBeatsThatAreFarApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeServer{}
		samples := f.watch(t, every(10*time.Second, 20), 35*time.Second, nil)
		polls, ticks := 0, 0
		for i, s := range samples {
			if i > 0 && s.At.Sub(samples[i-1].At) > 1600*time.Millisecond {
				t.Errorf("sample %d comes %v after the one before", s.Seq, s.At.Sub(samples[i-1].At))
			}
			if s.AskedAt.Known() || s.Poll == nil && (len(s.Ticks) > 0 || s.TicksMissed > 0) {
				t.Errorf("sample %d: %+v", s.Seq, s)
			}
			if s.Poll != nil {
				polls++
			}
			ticks += len(s.Ticks) + s.TicksMissed
		}
		if polls != 4 || ticks != 600 {
			t.Errorf("%d beats, %d ticks", polls, ticks)
		}
	})
}

// At the usual interval no sample is there but those of beats.
func TestAPromptServerHasNoSamplesBetweenBeats(t *testing.T) {
	for _, interval := range []time.Duration{100 * time.Millisecond, time.Second, 1200 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			f := &fakeServer{beatTakes: 3 * time.Millisecond, tickTakes: time.Millisecond}
			for _, s := range f.watch(t, every(interval, 20), 20*time.Second, nil) {
				if s.Poll == nil {
					t.Errorf("interval %v: %+v", interval, s)
				}
			}
		})
	}
}

// The wish to reconnect ends a pause, an attempt that hangs, a read that hangs, and
// a connection that works.
func TestReconnectingWhenAskedTo(t *testing.T) {
	for name, begin := range map[string]func(*fakeServer){
		"refused":      func(f *fakeServer) { f.down = true },
		"not answered": func(f *fakeServer) { f.down, f.mute = true, true },
		"a read hangs": func(f *fakeServer) { f.ignores = true },
		"it works":     func(*fakeServer) {},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeServer{}
				s := newSource(f.dial, every(time.Second, 0), seeded())
				f.after(2500*time.Millisecond, func() { begin(f) })
				f.after(62700*time.Millisecond, func() { f.down, f.mute, f.ignores = false, false, false })
				time.AfterFunc(62800*time.Millisecond, s.Reconnect)
				var connected []time.Duration
				start := time.Now()
				f.follow(t, s, 64*time.Second, func(sample model.Sample) {
					if slices.ContainsFunc(sample.Events, func(e model.Event) bool { return e.Kind == model.EventConnected }) {
						connected = append(connected, time.Since(start).Round(100*time.Millisecond))
					}
				})
				if want := 62800 * time.Millisecond; connected[len(connected)-1] != want {
					t.Errorf("connected at %v, and it was asked for at %v", connected, want)
				}
			})
		})
	}
}
