package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// order is how the runs in sight are listed.
type order uint8

// The orders, in the order in which the key goes through them.
const (
	orderOldest order = iota // the snapshot's own
	orderWaited
	orderDelayed
	orderLeft
	orderProgress
	orderTable
	orders
)

// String is how the list's frame names the order.
func (o order) String() string {
	return [orders]string{
		"oldest first", "most waited for first", "most delayed first", "most left first", "least progress first", "by table",
	}[o]
}

func (o order) next() order { return (o + 1) % orders }

// sorted returns the runs in sight in the order. What does not have what it is
// ordered by comes last; equal ones stay as they were.
func (o order) sorted(s *model.Snapshot) []*model.Run {
	runs := slices.Clone(s.Active)
	if o == orderOldest {
		return runs
	}
	if o == orderTable {
		slices.SortStableFunc(runs, func(a, b *model.Run) int { return strings.Compare(s.NameOf(a), s.NameOf(b)) })
		return runs
	}
	keys := make(map[*model.Run]float64, len(runs)) // the more, the earlier
	for _, r := range runs {
		keys[r] = o.key(s, r)
	}
	slices.SortStableFunc(runs, func(a, b *model.Run) int { return cmp.Compare(keys[b], keys[a]) })
	return runs
}

// key is what a run is ordered by; -1 when it is not known.
func (o order) key(s *model.Snapshot, r *model.Run) float64 {
	const unknown = -1
	switch o {
	case orderWaited:
		var all time.Duration
		for _, w := range s.Behind(r) {
			all += w.Waited.Or(w.SeenFor)
		}
		return all.Seconds()
	case orderDelayed:
		if span := r.Phase(); span != nil {
			share, _ := span.Delay.Share(span.ProcessTime, span.Wall)
			return float64(share.Or(unknown))
		}
	case orderLeft:
		if left, ok := r.LeftRange().Get(); ok {
			return left.High.Seconds()
		}
	case orderProgress:
		if done, ok := r.Done().Get(); ok {
			return 1 - min(1, float64(done))
		}
	}
	return unknown
}
