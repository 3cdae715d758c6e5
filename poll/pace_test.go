package poll

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

func TestRatesAreCeilings(t *testing.T) {
	const ms = time.Millisecond
	vacuums := model.Poll{Processes: []model.Process{vacuuming(model.Some[model.Text]("scanning heap"))}}
	for _, c := range []struct {
		name     string
		options  Options
		beat     reading
		tick     tickReading
		interval time.Duration
		rate     model.PerSecond
		why      string // a word of the note
	}{
		{"nothing in the way", Options{Interval: time.Second, TickRate: 20}, reading{cost: ms / 2, roundTrip: ms}, tickReading{cost: ms / 20, roundTrip: ms}, time.Second, 20, ""},
		{"ticks off", Options{Interval: time.Second}, reading{cost: ms, roundTrip: ms}, tickReading{}, time.Second, 0, ""},
		{"a round trip fits twice", Options{Interval: time.Second, TickRate: 20}, reading{roundTrip: 40 * ms}, tickReading{roundTrip: 40 * ms}, time.Second, 12, "40 ms"},
		{"a far server", Options{Interval: time.Second, TickRate: 20}, reading{roundTrip: 780 * ms}, tickReading{roundTrip: 700 * ms}, 1600 * ms, 0.7, "700 ms"},
		{"under 1 % of the server's time", Options{Interval: time.Second, TickRate: 20}, reading{cost: 2 * ms}, tickReading{cost: ms}, time.Second, 8, "1 %"},
		{"a part of it is kept", Options{Interval: time.Second, TickRate: 20}, reading{cost: 10 * ms, reserved: 0.0025}, tickReading{cost: ms}, 1400 * ms, 0.3, "1 %"},
		{"beats alone are too dear", Options{Interval: time.Second, TickRate: 20}, reading{cost: 50 * ms}, tickReading{cost: ms}, 5 * time.Second, 0.1, "1 %"},
		{"statements are logged", Options{Interval: time.Second, TickRate: 20}, reading{logged: "log_statement = all"}, tickReading{}, time.Second, 1, "log_statement = all"},
		{"through a pooler", Options{Interval: time.Second, TickRate: 20}, reading{pooled: true}, tickReading{}, time.Second, 5, "pooler"},
		{"logged, but asked for", Options{Interval: time.Second, TickRate: 20, TickRateGiven: true}, reading{logged: "log_statement = all"}, tickReading{}, time.Second, 20, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pace{options: c.options}
			c.beat.poll = vacuums
			p.beatSeen(&reading{poll: vacuums, roundTrip: c.beat.roundTrip})
			p.beatSeen(&c.beat)
			if c.options.TickRate > 0 {
				p.tickSeen(&c.tick)
			}
			rate, why := p.tickRate()
			if p.interval() != c.interval || rate != c.rate {
				t.Errorf("beat every %v, %v ticks/s; want %v, %v", p.interval(), rate, c.interval, c.rate)
			}
			if !strings.Contains(why, c.why) || (c.why == "") != (why == "") {
				t.Errorf("the reason is %q", why)
			}
		})
	}
}

// vacuuming is a process with a row of pg_stat_progress_vacuum.
func vacuuming(phase model.Opt[model.Text]) model.Process {
	return model.Process{PID: 1, Progress: &model.Progress{View: model.ViewVacuum, Phase: phase}}
}

// While there is nothing to sample the ticks are few, and at the full rate as soon
// as a beat or a tick sees a vacuum.
func TestTicksRestUntilThereIsAVacuum(t *testing.T) {
	const full = model.PerSecond(20)
	seen := tickReading{rows: []model.TickRow{{PID: 1}}}
	for _, c := range []struct {
		name  string
		given bool
		do    func(p *pace) (woken bool)
		want  model.PerSecond
		woken bool
	}{
		{"nothing", false, func(p *pace) bool { return p.tickSeen(&tickReading{}) }, idleRate, false},
		{"nothing, and the rate is asked for", true, func(p *pace) bool { return p.tickSeen(&tickReading{}) }, full, false},
		{"a vacuum in a tick", false, func(p *pace) bool { return p.tickSeen(&seen) }, full, true},
		{"its next tick", false, func(p *pace) bool { p.tickSeen(&seen); return p.tickSeen(&seen) }, full, false},
		{"one that was over at the beat", false, func(p *pace) bool { p.tickSeen(&seen); p.beatSeen(&reading{}); return false }, full, false},
		{"and none in the beat after", false, func(p *pace) bool {
			p.tickSeen(&seen)
			p.beatSeen(&reading{})
			p.beatSeen(&reading{})
			return false
		}, idleRate, false},
		{"a vacuum in a beat", false, func(p *pace) bool {
			p.beatSeen(&reading{poll: model.Poll{Processes: []model.Process{vacuuming(model.Some[model.Text]("initializing"))}}})
			return false
		}, full, false},
		{"one that this role may not see", false, func(p *pace) bool {
			p.beatSeen(&reading{poll: model.Poll{Processes: []model.Process{vacuuming(model.None[model.Text]())}}})
			return false
		}, idleRate, false},
		{"an autovacuum worker that starts", false, func(p *pace) bool {
			p.beatSeen(&reading{poll: model.Poll{Processes: []model.Process{{BackendType: model.Some[model.Text]("autovacuum worker")}}}})
			return false
		}, full, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pace{options: Options{Interval: time.Second, TickRate: full, TickRateGiven: c.given}}
			p.beatSeen(&reading{})
			woken := c.do(&p)
			if rate, why := p.tickRate(); rate != c.want || woken != c.woken || why != "" {
				t.Errorf("%v ticks/s (%s), woken %v; want %v, %v", rate, why, woken, c.want, c.woken)
			}
		})
	}
}

func TestPgauditReadClasses(t *testing.T) {
	for classes, want := range map[string]bool{
		"": false, "none": false, "write, ddl": false, "read": true, "ALL": true, "all, -read": false, "-all, Read ,ddl": true,
	} {
		if got := auditsReads(classes); got != want {
			t.Errorf("pgaudit.log = %q logs reads: %v", classes, got)
		}
	}
}

// What is read once a minute, and less often the dearer it is, slows down nothing else.
func TestRareReadingDoesNotSlowTheBeat(t *testing.T) {
	p := pace{options: Options{Interval: time.Second, TickRate: 20}}
	p.beatSeen(&reading{})
	p.beatSeen(&reading{cost: 30 * time.Millisecond, rare: 29500 * time.Microsecond, roundTrip: time.Millisecond})
	if got := p.interval(); got != time.Second {
		t.Errorf("the interval is %v", got)
	}
}

// The first beat finds nothing in any cache and reads everything: one that is dear
// does not put off the second.
func TestTheFirstBeatDoesNotSetThePace(t *testing.T) {
	p := pace{options: Options{Interval: time.Second, TickRate: 20}}
	p.beatSeen(&reading{cost: 90 * time.Millisecond, roundTrip: time.Millisecond})
	if got := p.interval(); got != time.Second {
		t.Errorf("after the first beat the interval is %v", got)
	}
	p.beatSeen(&reading{cost: 40 * time.Millisecond, roundTrip: time.Millisecond})
	if got := p.interval(); got != 4*time.Second {
		t.Errorf("after the second it is %v", got)
	}
}
