package model

import (
	"fmt"
	"strings"
	"time"
)

// CostPace is how much a run sleeps on purpose for what it does: what other cost
// settings would change.
type CostPace struct {
	// Settings are those in force, where they are known; else Low, Middle and High
	// follow from what the pages of the scan cost and what was slept for them.
	Settings Opt[CostSettings]
	// Low, Middle and High are the milliseconds asked for, for each unit of cost.
	Low, Middle, High float64
	// PageCost is what one changed page costs; 0 where there is no pace.
	PageCost float64
}

// WhatIf is a run as it would be under other cost settings. What is slept changes with
// delay / limit; the work stays.
type WhatIf struct {
	// Left is the time left, could the run take them now; LeftMiddle lies within it.
	Left       Range
	LeftMiddle time.Duration
	// Again is the time of a run that begins at block 0 with them. AgainMiddle and High
	// are as if this one had done nothing: what it has cleaned already makes it shorter.
	Again       Range
	AgainMiddle time.Duration
	// Cut tells that one page costs more than longestNap limits, so that a nap is
	// cut short: a lower limit no longer makes it slower.
	Cut bool
}

// A nap lasts longer than was asked for, by what the timer and the scheduler need.
const (
	oversleep     = 0.08 // ms, about
	mostOversleep = 0.4
)

// perUnit is the milliseconds asked for, for each unit of cost, where a page costs so
// much.
func (c CostSettings) perUnit(page float64) (ms float64, cut bool) {
	if c.Delay <= 0 || c.Limit <= 0 {
		return 0, false
	}
	units := float64(c.Limit)
	if most := page / longestNap; units < most {
		units, cut = most, true
	}
	return InMilliseconds(c.Delay) / units, cut
}

// lasts is how much longer naps last than was asked for.
func (c CostSettings) lasts(over float64) float64 {
	if c.Delay <= 0 {
		return 1
	}
	return 1 + over/InMilliseconds(c.Delay)
}

// WhatIf tells how the run would go on, and how one in its place would, with other
// cost settings; else it says why that cannot be told.
func (r *Run) WhatIf(then CostSettings) (w WhatIf, whyNot string) {
	whole := r.Whole
	switch {
	case !whole.Left.Known():
		return w, strings.TrimSuffix("there is no estimate of the whole run: "+whole.WhyNot, ": ")
	case whole.Pace.PageCost <= 0:
		return w, "it has slept too little to tell what other settings would change"
	}
	asked, cut := then.perUnit(whole.Pace.PageCost)
	ratio := whole.Pace.ratio(asked, then)
	w.Cut = cut
	left := amount{}
	usual := r.asleep()
	for _, p := range whole.Parts {
		left = left.plus(p.scaled(ratio, usual))
	}
	again := left.plus(scaled(about(max(r.WatchedFromStart(), 0), 1.1), usual, ratio))
	again.low = min(again.low, left.low+0.15*(again.mid-left.mid)) // pages that are clean already cost little
	if !left.finite() || !again.finite() {
		return WhatIf{}, "it moves too slowly to tell"
	}
	w.Left, w.LeftMiddle = left.span(), seconds(left.mid)
	w.Again, w.AgainMiddle = again.span(), seconds(again.mid)
	return w, ""
}

// ratio is what is slept under settings beside what is slept now.
func (p CostPace) ratio(asked float64, then CostSettings) amount {
	if asked == 0 {
		return amount{}
	}
	now := CostSettings{}
	if c, ok := p.Settings.Get(); ok {
		now = c
	}
	wakes := then.lasts(oversleep) / now.lasts(oversleep)
	return amount{asked / p.High, asked / p.Middle * wakes, asked / p.Low * then.lasts(mostOversleep)}
}

// scaled is a time of which a share is slept, with that share made longer or shorter.
func scaled(of amount, asleep float64, ratio amount) amount {
	asleep = min(asleep, 1-sharePrecision)
	work := of.times(1 - asleep)
	work.low, work.high = 0.5*work.low, work.high+sharePrecision*of.high
	return work.plus(of.times(asleep).by(ratio))
}

func (p Part) scaled(ratio amount, usual float64) amount {
	of := amount{p.Left.Low.Seconds(), p.Middle.Seconds(), p.Left.High.Seconds()}
	return scaled(of, float64(p.Asleep.Or(Ratio(usual))), ratio)
}

// asleep is the share of its process-time that the run has slept on purpose.
func (r *Run) asleep() float64 {
	best, _ := r.Delay.Best(r.ProcessTime)
	if r.ProcessTime <= 0 {
		return 0
	}
	return min(1, best.Or(0).Seconds()/r.ProcessTime.Seconds())
}

// WatchedFromStart is the seconds that the run has taken so far, by its progress where
// its start was not seen.
func (r *Run) WatchedFromStart() float64 {
	if r.FromStart {
		return r.LastSeen.Sub(r.Began).Seconds()
	}
	done, left := float64(r.Whole.Done.Or(0)), r.Whole.Middle.Or(0).Seconds()
	return left * done / max(1-done, 0.001)
}

// costPace is how much the run sleeps for a unit of cost.
func (e *estimator) costPace() CostPace {
	page := e.scanCost()
	share := e.run.asleep()
	if known, ok := e.asleep.Get(); ok {
		share = known.mid
	}
	if c, ok := e.run.Allows.Settings.Get(); ok && e.run.Allows.Free == "" {
		ms, _ := c.perUnit(page)
		if ms > 0 {
			return CostPace{Settings: Some(c), Low: ms, Middle: ms, High: ms, PageCost: page}
		}
	}
	if share < 0.05 || e.scan.mid <= 0 {
		return CostPace{}
	}
	slept := e.readPace().mid * share * 1000
	return CostPace{
		Low: slept / max(page, e.touched(0)+e.dirtied()), Middle: slept / page, High: slept / (0.5 * page), PageCost: page,
	}
}

// WhatIfSentence says which of two ends first: the run as it is, or one in its place
// with the settings.
func WhatIfSentence(r *Run, then CostSettings) string {
	w, why := r.WhatIf(then)
	left, ok := r.Whole.Left.Get()
	if why != "" || !ok {
		return "Which ends first is not known: " + why + "."
	}
	sentence := fmt.Sprintf("%s a new run takes %s from block 0, this one %s more: ", then.Sentence(), aboutLeft(w.Again), aboutLeft(left))
	switch {
	case w.Again.High < left.Low:
		return sentence + "the new one ends first."
	case w.Again.Low > left.High:
		return sentence + "this one ends first."
	case w.AgainMiddle < r.Whole.Middle.Or(0):
		return sentence + "the new one probably ends first."
	}
	return sentence + "this one probably ends first."
}

// Sentence says what the settings are, as the beginning of a sentence.
func (c CostSettings) Sentence() string {
	if c.Delay <= 0 {
		return "Without cost delay"
	}
	return fmt.Sprintf("At %s and limit %s", FormatDelay(c.Delay), FormatCount(int64(c.Limit)))
}
