package model

import (
	"fmt"
	"time"
)

// point is one reading of the counter that moves in the current phase.
type point struct {
	at    time.Time
	value int64
}

// Windows of the estimate of the time left: a window is a tenth of the time seen
// in the phase, within these bounds, and the last ten count.
const (
	minWindow     = time.Second
	maxWindow     = 30 * time.Second
	windowsUsed   = 10
	windowsNeeded = 3
)

// maxPoints bounds the readings kept of one phase: ten windows of the longest
// kind at one reading a second, and some.
const maxPoints = int(windowsUsed*maxWindow/time.Second) + 60

// leftInPhase estimates the time left until the counter reaches total: the range
// between the fastest and the slowest of the last windows.
func leftInPhase(points []point, total int64, unit string) (Opt[Range], string) {
	last := points[len(points)-1]
	remaining := total - last.value
	if remaining <= 0 {
		return None[Range](), "its counter is at the end"
	}
	seen := last.at.Sub(points[0].at)
	window := min(max(seen/windowsUsed, minWindow), maxWindow)
	rates := movedRates(points, window)
	stood := last.at.Sub(lastMove(points))
	if stood > 2*window && stood > 2*slowest(rates).over {
		return None[Range](), "nothing moved for " + FormatDuration(stood)
	}
	if len(rates) < windowsNeeded {
		return None[Range](), tooEarly(unit, len(rates))
	}
	if len(rates) > windowsUsed {
		rates = rates[len(rates)-windowsUsed:]
	}
	low, high := rates[0].perSecond(), rates[0].perSecond()
	for _, r := range rates {
		low, high = min(low, r.perSecond()), max(high, r.perSecond())
	}
	// What was done since the counter last moved is not in it yet.
	left := func(rate float64) time.Duration { return max(0, seconds(float64(remaining)/rate)-stood) }
	return Some(Range{Low: left(high), High: left(low)}), ""
}

// tooEarly says why there is no estimate yet.
func tooEarly(unit string, moved int) string {
	if unit == UnitIndexes {
		return fmt.Sprintf("it shows once indexes have ended at %d different times; so far at %d", windowsNeeded, moved)
	}
	return fmt.Sprintf("it takes %d s of progress to tell", windowsNeeded)
}

// movement is how far the counter went in one window.
type movement struct {
	moved int64
	over  time.Duration
}

func (m movement) perSecond() float64 { return float64(m.moved) / m.over.Seconds() }

// movedRates cuts the readings into windows. A window in which nothing moved is
// joined with the next one: a counter of whole indexes stands still between them,
// and that is no rate of zero.
func movedRates(points []point, window time.Duration) []movement {
	var out []movement
	start := points[0]
	for _, p := range points[1:] {
		if p.at.Sub(start.at) >= window && p.value > start.value {
			out = append(out, movement{p.value - start.value, p.at.Sub(start.at)})
			start = p
		}
	}
	return out
}

// slowest is the longest window among the movements.
func slowest(ms []movement) movement {
	var out movement
	for _, m := range ms {
		if m.over > out.over {
			out = m
		}
	}
	return out
}

// lastMove is when the counter was last seen to rise, or the first reading.
func lastMove(points []point) time.Time {
	for i := len(points) - 1; i > 0; i-- {
		if points[i].value > points[i-1].value {
			return points[i].at
		}
	}
	return points[0].at
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
