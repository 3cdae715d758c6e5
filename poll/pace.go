package poll

import (
	"fmt"
	"math"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// maxShare is how much of wall time the server may spend on our statements.
const maxShare = model.Ratio(0.01)

// pooledRate is where ticks start through a pooler.
const pooledRate = model.PerSecond(5)

// idleRate is how often ticks look for a vacuum that starts, while none is in sight:
// at most two slots pass before one is seen and read at the full rate.
const idleRate = model.PerSecond(5)

// pace keeps what reading costs and says how often to read. The rates that were
// asked for are ceilings.
type pace struct {
	options   Options
	tickCost  mean // server time of one tick
	tickTrip  mean // round trip of one tick
	beatCost  mean
	beatTrip  mean
	loggedAll string // the setting by which the server logs our statements; "": it does not
	pooled    bool   // statements are planned anew each time, which no cost shows

	first    bool        // the first beat was seen
	reserved model.Ratio // kept for what sets its own pace

	idle    bool // no vacuum is in sight
	tickSaw bool // a tick since the last beat saw one
}

func (p *pace) beatSeen(r *reading) {
	p.idle = !p.tickSaw && !slices.ContainsFunc(r.poll.Processes, isTicked)
	p.tickSaw = false
	// The first beat reads everything at once, in a new session: it says little of
	// what those that follow cost.
	if p.first {
		p.beatCost.add(r.cost - r.rare)
	}
	p.first, p.reserved = true, r.reserved
	p.beatTrip.add(r.roundTrip)
	p.loggedAll, p.pooled = r.logged, r.pooled
}

// isTicked tells whether ticks read the process, or soon will: a vacuum whose phase
// is visible, or an autovacuum worker.
func isTicked(process model.Process) bool {
	p := process.Progress
	return p != nil && p.View != model.ViewAnalyze && p.Phase.Known() || process.BackendType.Or("") == "autovacuum worker"
}

// tickSeen tells whether the rate rises by what the tick saw: a vacuum where there
// was none.
func (p *pace) tickSeen(r *tickReading) (woken bool) {
	p.tickCost.add(r.cost)
	p.tickTrip.add(r.roundTrip)
	if len(r.rows) == 0 {
		return false
	}
	woken, p.idle, p.tickSaw = p.idle, false, true
	return woken
}

// resting tells that ticks only look for a vacuum that starts.
func (p *pace) resting() bool {
	return p.idle && !p.options.TickRateGiven && p.options.TickRate > idleRate
}

// interval is the beat in force: the one asked for, unless a round trip would not
// fit twice into it or beats alone would cost more than maxShare. Then it is in
// whole tenths of a second, so that noise does not show.
func (p *pace) interval() time.Duration {
	const step = 100 * time.Millisecond
	byCost := time.Duration(float64(p.beatCost.value) / float64(maxShare-p.reserved))
	needed := max(2*p.beatTrip.value, byCost)
	if needed <= p.options.Interval {
		return p.options.Interval
	}
	return (needed + step - 1).Truncate(step)
}

// tickRate is the tick rate in force and, when it is below the one asked for, why.
func (p *pace) tickRate() (rate model.PerSecond, why string) {
	rate = p.options.TickRate
	limit := func(most model.PerSecond, reason string) {
		if most < rate {
			rate, why = most, reason
		}
	}
	if p.loggedAll != "" && !p.options.TickRateGiven {
		limit(1, "the server logs statements ("+p.loggedAll+")")
	}
	if p.pooled && !p.options.TickRateGiven {
		limit(pooledRate, "through a pooler each statement is planned anew")
	}
	if trip := p.tickTrip.value; trip > 0 {
		limit(steady(0.5/trip.Seconds()), fmt.Sprintf("a round trip takes %s", model.FormatDuration(trip)))
	}
	if cost := p.tickCost.value; cost > 0 {
		forBeats := p.beatCost.value.Seconds() / p.interval().Seconds()
		left := max(0, float64(maxShare-p.reserved)-forBeats)
		limit(steady(left/cost.Seconds()), "more would cost the server over "+model.FormatPercent(maxShare)+" of its time")
	}
	if p.resting() {
		limit(idleRate, "") // the normal state of a calm server: no news
	}
	return rate, why
}

// minTickRate keeps a slot from growing without end where ticks cannot be afforded.
const minTickRate = model.PerSecond(0.1)

// steady rounds a limit down so that noise in what it was computed from does not
// show: whole ticks a second, below 1 tenths.
func steady(rate float64) model.PerSecond {
	if rate >= 1 {
		return model.PerSecond(math.Floor(rate))
	}
	return max(minTickRate, model.PerSecond(math.Floor(rate*10)/10))
}

// mean is an exponential moving average; the first value counts in full.
type mean struct {
	value time.Duration
	seen  bool
}

func (m *mean) add(v time.Duration) {
	const weight = 0.2
	if !m.seen {
		m.value, m.seen = v, true
		return
	}
	m.value += time.Duration(weight * float64(v-m.value))
}
