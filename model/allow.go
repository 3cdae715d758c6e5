package model

import (
	"fmt"
	"math"
	"time"
)

// CostSettings are the settings of cost-based delay that are in force in a process:
// after Limit units of work it naps.
type CostSettings struct {
	// Delay is how long it naps for Limit units; 0: it never does.
	Delay time.Duration
	Limit int
}

// longestNap is how many delays a nap can be long: work that costs more than this
// many limits at once is slept for no longer (vacuum_delay_point in vacuum.c).
const longestNap = 4

// PagesPerSecond is how many pages of this cost each the naps allow, were the work
// itself to take no time; absent where nothing limits them.
func (c CostSettings) PagesPerSecond(cost float64) Opt[PerSecond] {
	if c.Delay <= 0 || c.Limit <= 0 || !(cost > 0) {
		return None[PerSecond]()
	}
	nap := c.Delay.Seconds() * min(cost/float64(c.Limit), longestNap)
	return Some(PerSecond(1 / nap))
}

// costOf is the cost of a page of which that many per second of nap were seen: the
// inverse of PagesPerSecond. Absent near longestNap, where the nap no longer tells.
func (c CostSettings) costOf(pages PerSecond) Opt[float64] {
	if c.Delay <= 0 || c.Limit <= 0 || !(pages > 0) {
		return None[float64]()
	}
	const near = 0.9
	if limits := 1 / (float64(pages) * c.Delay.Seconds()); limits < near*longestNap {
		return Some(limits * float64(c.Limit))
	}
	return None[float64]()
}

// Allowance is what the cost settings allow a run at most.
type Allowance struct {
	// Settings are those in force; absent where WhyNot says why.
	Settings Opt[CostSettings]
	WhyNot   string
	// DelayFrom and LimitFrom are the settings that they come from, or, with
	// OfTable, the options of the table.
	DelayFrom, LimitFrom       string
	DelayOfTable, LimitOfTable bool
	// Shared is among how many autovacuum workers the limit is divided, itself one of
	// them; Settings has its part, an estimate where it is more than 1.
	Shared int
	// Share is that division; nil for a run that takes no part in one.
	Share *LimitShare
	// Free says why nothing slows the run down: "" when something does.
	Free string
	// Observed is how many pages the naps of this phase allow each second, and Cost
	// what a page takes: estimates from the pages passed, skipped ones included, and
	// the time slept for them. Absent where pages are not counted (index phases) and
	// where too little was slept.
	Observed Opt[PerSecond]
	Cost     Opt[float64]
	// Cached, Read and Dirtied are how many bytes a second a process can pass when
	// all its pages are found in shared buffers, are read, or are found there and
	// become dirty; absent without Settings.
	Cached, Read, Dirtied Opt[Bytes]
	// PerProcess is Observed in bytes a second.
	PerProcess Opt[Bytes]
	// Processes are those of the run that are at work: each naps for itself.
	Processes int
}

// Of tells what the whole run is allowed at a rate per process.
func (a Allowance) Of(perProcess Bytes) Bytes { return perProcess * Bytes(max(1, a.Processes)) }

// allow says what the settings allow a run.
func (t *Tracker) allow(r *runState) {
	run := &r.run
	a := Allowance{Shared: 1, Processes: alive(run)}
	switch {
	case run.StartedBy.Or("") == "":
		a.WhyNot = "who started it is not visible"
	case run.Own != nil && run.Own.costs(&a):
	case run.StartedBy.Or("") == ByManual:
		a.WhyNot = "they are that session's own, and not visible"
	default:
		t.autovacuumSettings(run, &a)
	}
	if c, ok := a.Settings.Get(); ok {
		if r.costs.Known() && r.costs.Or(CostSettings{}) != c {
			r.steadyFrom()
			r.costsChanged(r.costs.Or(CostSettings{}), c, t.server.VersionNum)
		}
		r.costs = Some(c)
		a.corners(c, t.settings, t.server.BlockSize)
	}
	a.observe(r.steadySpan(), t.server.BlockSize)
	run.Allows = a
}

func alive(run *Run) int {
	n := 0
	for i := range run.Processes {
		if run.Processes[i].Alive {
			n++
		}
	}
	return n
}

// autovacuumSettings finds the settings of an autovacuum: the table's options, else
// autovacuum_vacuum_cost_*, else, where those are -1, vacuum_cost_*.
func (t *Tracker) autovacuumSettings(run *Run, a *Allowance) {
	var options []Text
	if run.Relation != nil {
		options = run.Relation.autovacuumOptions()
	}
	delay, delayFrom, delayOfTable, why := costSetting(t.settings, options, "cost_delay")
	limit, limitFrom, limitOfTable, whyLimit := costSetting(t.settings, options, "cost_limit")
	if why == "" {
		why = whyLimit
	}
	if run.Relation == nil && why == "" {
		why = "the table's own options cannot be read from here"
	}
	if a.WhyNot = why; why != "" {
		return
	}
	a.DelayFrom, a.LimitFrom, a.DelayOfTable, a.LimitOfTable = delayFrom, limitFrom, delayOfTable, limitOfTable
	if !delayOfTable && !limitOfTable { // else it takes no part in sharing
		a.Share = t.limitShare(int(limit), limitFrom)
		a.Shared = max(1, len(a.Share.Sharing))
	}
	switch {
	case run.Failsafe != nil:
		a.Free = "it is in failsafe mode, which does not sleep"
	case delay == 0:
		a.Free = delayFrom + " is 0"
	}
	a.Settings = Some(CostSettings{Delay: Milliseconds(delay), Limit: max(1, int(limit)/a.Shared)})
}

// costSetting finds "cost_delay" or "cost_limit" and says where it comes from.
func costSetting(settings []Setting, options []Text, what string) (value float64, from string, ofTable bool, why string) {
	if n, ok := optionNumber(options, "autovacuum_vacuum_"+what); ok {
		return n, "autovacuum_vacuum_" + what, true, ""
	}
	for _, from = range []string{"autovacuum_vacuum_" + what, "vacuum_" + what} {
		s, ok := findSetting(settings, from)
		n, number := s.number()
		switch {
		case !ok || !number:
			return 0, from, false, from + " was not read"
		case n >= 0 && !s.serverWide():
			return 0, from, false, fmt.Sprintf("%s is set for the watching session itself (%s), and the server's is not visible", from, s.Source)
		case n >= 0:
			return n, from, false, ""
		}
	}
	return 0, from, false, from + " is negative"
}

// corners are what the settings allow where all pages are of one kind. A page that
// is read costs vacuum_cost_page_miss alone; one that becomes dirty costs
// vacuum_cost_page_dirty more.
func (a *Allowance) corners(c CostSettings, settings []Setting, blockSize Bytes) {
	cost := func(names ...string) Opt[Bytes] {
		sum := 0
		for _, name := range names {
			n, ok := settingInt(settings, name)
			if s, _ := findSetting(settings, name); !ok || !s.serverWide() {
				return None[Bytes]()
			}
			sum += n
		}
		return bytesPerSecond(c.PagesPerSecond(float64(sum)), blockSize)
	}
	a.Cached = cost("vacuum_cost_page_hit")
	a.Read = cost("vacuum_cost_page_miss")
	a.Dirtied = cost("vacuum_cost_page_hit", "vacuum_cost_page_dirty")
}

func bytesPerSecond(pages Opt[PerSecond], blockSize Bytes) Opt[Bytes] {
	v, ok := pages.Get()
	if !ok || blockSize <= 0 || float64(v)*float64(blockSize) > math.MaxInt64/2 {
		return None[Bytes]()
	}
	return Some(Bytes(math.Round(float64(v) * float64(blockSize))))
}

// What must have been seen of a phase before its pages and naps are compared.
const (
	leastSlept     = time.Second
	leastPages     = 100
	mostSleepError = 0.25 // of an estimate's 95 % interval, of the time slept
)

// observe compares the pages that a stretch passed with the time slept for them. A
// nap is a little longer than was asked for, so the cost comes out a little high.
func (a *Allowance) observe(s steady, blockSize Bytes) {
	slept, estimated := s.delay.Best(s.processTime)
	d := slept.Or(0)
	if d < leastSlept || s.pages < leastPages || estimated && float64(s.delay.SampledError) > mostSleepError*float64(d) {
		return
	}
	pages := PerSecond(float64(s.pages) / d.Seconds())
	a.Observed, a.PerProcess = Some(pages), bytesPerSecond(Some(pages), blockSize)
	if c, ok := a.Settings.Get(); ok {
		a.Cost = c.costOf(pages)
	}
}
