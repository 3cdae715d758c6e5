package poll

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

func TestRatesAreCeilings(t *testing.T) {
	const ms = time.Millisecond
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
		{"beats alone are too dear", Options{Interval: time.Second, TickRate: 20}, reading{cost: 50 * ms}, tickReading{cost: ms}, 5 * time.Second, 0.1, "1 %"},
		{"statements are logged", Options{Interval: time.Second, TickRate: 20}, reading{logged: "log_statement = all"}, tickReading{}, time.Second, 1, "log_statement = all"},
		{"through a pooler", Options{Interval: time.Second, TickRate: 20}, reading{pooled: true}, tickReading{}, time.Second, 5, "pooler"},
		{"logged, but asked for", Options{Interval: time.Second, TickRate: 20, TickRateGiven: true}, reading{logged: "log_statement = all"}, tickReading{}, time.Second, 20, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pace{options: c.options}
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

func TestPgauditReadClasses(t *testing.T) {
	for classes, want := range map[string]bool{
		"": false, "none": false, "write, ddl": false, "read": true, "ALL": true, "all, -read": false, "-all, Read ,ddl": true,
	} {
		if got := auditsReads(classes); got != want {
			t.Errorf("pgaudit.log = %q logs reads: %v", classes, got)
		}
	}
}
