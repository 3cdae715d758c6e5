package model

import (
	"fmt"
	"slices"
	"time"
)

// maxRunChanges is how many changes of a kind are kept of a run; the latest.
const maxRunChanges = 16

// withLast appends to the changes of a run, which snapshots share.
func withLast[T any](changes []T, c T) []T {
	changes = append(slices.Clone(changes), c)
	return changes[max(0, len(changes)-maxRunChanges):]
}

// Around are the rates at which a run went on before and after something changed.
type Around struct {
	// Before and After are the rates of the phase's counter in the last seconds before
	// the change and from a moment after it on; absent where the phase did not last that
	// long, or has no counter.
	Before, After Opt[PerSecond]
	Unit          string // UnitBlocks, ...: what the rates count

	phase time.Time // when the phase of the rates began
}

// Windows of the rates around a change: autovacuum's workers take a moment to follow.
const (
	rateBefore = 10 * time.Second
	rateSettle = time.Second
	rateAfter  = 10 * time.Second
	leastRate  = 2 * time.Second
)

// around begins the rates around a change.
func (r *runState) around(at time.Time) Around {
	a := Around{Before: rateBetween(r.readings, at.Add(-rateBefore), at), phase: r.counted}
	if p := r.run.Phase(); p != nil {
		a.Unit = p.Moved.Unit
	}
	return a
}

// after takes the rate since a change, as long as the readings go back to it; next is
// when the change after it came, zero for none.
func (r *runState) after(a Around, at, next time.Time) Around {
	from := at.Add(rateSettle)
	to := from.Add(rateAfter)
	if !next.IsZero() && next.Before(to) {
		to = next
	}
	if a.phase.Equal(r.counted) && len(r.readings) > 0 && !r.readings[0].at.After(from) {
		a.After = rateBetween(r.readings, from, to)
	}
	return a
}

// rateBetween is how fast the counter moved in a time; absent where it was seen for
// too little of it.
func rateBetween(points []point, from, to time.Time) Opt[PerSecond] {
	var first, last point
	for _, p := range points {
		if p.at.Before(from) || p.at.After(to) {
			continue
		}
		if first.at.IsZero() {
			first = p
		}
		last = p
	}
	over := last.at.Sub(first.at)
	if first.at.IsZero() || over < leastRate {
		return None[PerSecond]()
	}
	return Some(PerSecond(float64(last.value-first.value) / over.Seconds()))
}

// rates says them, as far as they are known: "100 → 1,000 pages/s".
func (a Around) rates() string {
	before, was := a.Before.Get()
	after, is := a.After.Get()
	unit := map[string]string{UnitBlocks: "pages", UnitIndexes: "indexes"}[a.Unit]
	switch {
	case !was || unit == "":
		return ""
	case !is:
		return fmt.Sprintf("%s %s/s before", FormatRate(before), unit)
	}
	return fmt.Sprintf("%s → %s %s/s", FormatRate(before), FormatRate(after), unit)
}
