package model

import (
	"math"
	"strings"
	"testing"
	"time"
)

// halfAsleep is a run of 200 s, half over, that sleeps half of its time.
func halfAsleep() *Run {
	r := &Run{
		Key: RunKey{StatementStart: t0}, FromStart: true, Began: t0, FirstSeen: t0, LastSeen: t0.Add(100 * time.Second),
		ProcessTime: 100 * time.Second, Delay: Delay{Sampled: Some(50 * time.Second)},
	}
	now := CostSettings{10 * time.Millisecond, 200}
	r.Whole = Whole{
		Left: Some(Range{Low: 90 * time.Second, High: 110 * time.Second}), Middle: Some(100 * time.Second),
		Parts: []Part{{Phase: phaseScanningHeap, Passes: 1, Left: Range{Low: 90 * time.Second, High: 110 * time.Second}, Middle: 100 * time.Second, Asleep: Some(Ratio(0.5))}},
		Pace:  CostPace{Settings: Some(now), Low: 0.05, Middle: 0.05, High: 0.05, PageCost: 22},
	}
	return r
}

func TestSleepGoesWithDelayByLimitAndTheWorkStays(t *testing.T) {
	for _, c := range []struct {
		then CostSettings
		left float64 // seconds
	}{
		{CostSettings{10 * time.Millisecond, 200}, 100},
		{CostSettings{20 * time.Millisecond, 400}, 100}, // the same, in longer naps
		{CostSettings{10 * time.Millisecond, 400}, 75},
		{CostSettings{20 * time.Millisecond, 200}, 150},
		{CostSettings{0, 200}, 50},
	} {
		w, why := halfAsleep().WhatIf(c.then)
		if got := w.LeftMiddle.Seconds(); why != "" || math.Abs(got-c.left) > 1 {
			t.Errorf("%+v: %v s left (%q), want %v", c.then, got, why, c.left)
		}
		if w.Left.Low > w.LeftMiddle || w.LeftMiddle > w.Left.High || w.Again.Low > w.AgainMiddle || w.AgainMiddle > w.Again.High || w.AgainMiddle <= w.LeftMiddle {
			t.Errorf("%+v: %+v", c.then, w)
		}
	}
}

// A nap is at most four delays long, so that limits below a quarter of a page's cost
// are all the same.
func TestWhereNapsAreCutALowerLimitChangesNothing(t *testing.T) {
	five, cut := halfAsleep().WhatIf(CostSettings{10 * time.Millisecond, 5})
	one, _ := halfAsleep().WhatIf(CostSettings{10 * time.Millisecond, 1})
	ten, _ := halfAsleep().WhatIf(CostSettings{10 * time.Millisecond, 10})
	if cut != "" || !five.Cut || !one.Cut || ten.Cut || one.LeftMiddle != five.LeftMiddle {
		t.Errorf("limit 1 %+v, 5 %+v, 10 %+v", one, five, ten)
	}
}

func TestWhatCannotBeToldOfOtherSettingsSaysWhy(t *testing.T) {
	unknown := halfAsleep()
	unknown.Whole = Whole{WhyNot: "it takes some seconds of the scan to tell"}
	awake := halfAsleep()
	awake.Whole.Pace = CostPace{}
	for want, r := range map[string]*Run{"some seconds of the scan": unknown, "slept too little": awake} {
		if _, why := r.WhatIf(CostSettings{}); !strings.Contains(why, want) || !strings.Contains(WhatIfSentence(r, CostSettings{}), want) {
			t.Errorf("%q, want %q", why, want)
		}
	}
}

func TestWhichEndsFirstIsSaidAsSureAsItIs(t *testing.T) {
	for want, then := range map[string]CostSettings{
		"this one ends first":          {100 * time.Millisecond, 100},
		"this one probably ends first": {0, 1}, // 50 s to go over again, and 50 s more
	} {
		if got := WhatIfSentence(halfAsleep(), then); !strings.Contains(got, want) {
			t.Errorf("%+v: %q, want %q", then, got, want)
		}
	}
}
