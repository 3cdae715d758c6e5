package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Locks is who waited for a lock around the run: in whose chain a process of it was, or
// its relation.
type Locks struct {
	Part
	// Least are the thresholds, the shortest first.
	Least []time.Duration
	// Rows count waits of at least the shortest threshold by who waited for what and what
	// the one did who had it, the most first.
	Rows []LockRow
	// Counts are how many there were of at least each threshold.
	Counts []int
	// Histogram counts all waits by their length.
	Histogram []LockBin
	// All is how many there were, Left how many of them are in no row and no bin.
	All, Left int
}

// LockRow counts waits of one kind.
type LockRow struct {
	model.LockPlace
	Counts  []int // of at least each threshold
	Longest time.Duration
}

// LockBin counts waits of at least From and less than To; To is 0 in the last one.
type LockBin struct {
	From, To time.Duration
	Waits    int
}

// binEdges are the lengths by which waits are counted.
var binEdges = []time.Duration{0, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 12 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute}

// DefaultMinWaits are the thresholds unless others are chosen.
var DefaultMinWaits = []time.Duration{time.Second, 8 * time.Second}

func newLocks(s *model.Snapshot, r *model.Run, least []time.Duration) Locks {
	if len(least) == 0 {
		least = DefaultMinWaits
	}
	l := Locks{Least: slices.Compact(slices.Sorted(slices.Values(least))), Left: r.LockWaits.Left, All: r.LockWaits.Left}
	l.Counts = make([]int, len(l.Least))
	for i, from := range binEdges {
		bin := LockBin{From: from}
		if i+1 < len(binEdges) {
			bin.To = binEdges[i+1]
		}
		l.Histogram = append(l.Histogram, bin)
	}
	for _, w := range r.LockWaits.Waits {
		l.take(r.LockWaits.Places[w.Place], w.Length)
	}
	for _, w := range s.LockWaits {
		if w.IsAround(r) {
			l.take(w.Place(), w.Waited.Or(w.SeenFor))
		}
	}
	slices.SortStableFunc(l.Rows, func(a, b LockRow) int {
		return cmp.Or(cmp.Compare(b.Counts[0], a.Counts[0]), cmp.Compare(b.Longest, a.Longest))
	})
	if l.All == 0 {
		l.Missing = "nobody was seen waiting for a lock around it"
	}
	return l
}

// take counts one wait.
func (l *Locks) take(place model.LockPlace, length time.Duration) {
	l.All++
	for i := range l.Histogram {
		if bin := &l.Histogram[i]; length >= bin.From && (bin.To == 0 || length < bin.To) {
			bin.Waits++
		}
	}
	if length < l.Least[0] {
		return
	}
	i := slices.IndexFunc(l.Rows, func(r LockRow) bool { return r.LockPlace == place })
	if i < 0 {
		i = len(l.Rows)
		l.Rows = append(l.Rows, LockRow{LockPlace: place, Counts: make([]int, len(l.Least))})
	}
	l.Rows[i].Longest = max(l.Rows[i].Longest, length)
	for n, least := range l.Least {
		if length >= least {
			l.Rows[i].Counts[n]++
			l.Counts[n]++
		}
	}
}

// section is the lock waits as people read them: a table for each threshold.
func (l *Locks) section() Section {
	s := Section{Name: "locks", Title: "Lock waits", Missing: l.Missing}
	if l.Missing != "" {
		return s
	}
	for n, least := range l.Least {
		g := newGrid(fmt.Sprintf("Waits of at least %s: %d", model.FormatDuration(least), l.Counts[n]), "#count", "waited at", "blocked by")
		for _, row := range l.Rows {
			if row.Counts[n] > 0 {
				g.add(fmt.Sprint(row.Counts[n]), waitedAt(row.LockPlace), row.Doing)
			}
		}
		if len(g.Rows) > 0 {
			s.Grids = append(s.Grids, g)
		} else {
			s.Notes = append(s.Notes, "None of at least "+model.FormatDuration(least)+".")
		}
	}
	histogram := newGrid(fmt.Sprintf("All waits: %d", l.All), "#from", "#to", "#count")
	for _, bin := range l.Histogram {
		to := ""
		if bin.To > 0 {
			to = elapsed(bin.To)
		}
		if bin.Waits > 0 {
			histogram.add(elapsed(bin.From), to, fmt.Sprint(bin.Waits))
		}
	}
	s.Grids = append(s.Grids, histogram)
	s.Notes = append(s.Notes, "A wait counts up to when it was last seen: it can have been longer by a reading, and short ones are seen by chance.")
	if l.Left > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d more were not kept: too many, and shorter than these.", l.Left))
	}
	return s
}

// waitedAt is the statement and what it waits for.
func waitedAt(p model.LockPlace) string {
	out := cmp.Or(p.Statement, "not visible")
	switch p.Kind {
	case model.HeldCleanup:
		return out + ", a page in use" + onRelation(p)
	case model.HeldTruncate:
		return out + ", to truncate" + onRelation(p)
	}
	switch {
	case p.LockType == "":
	case p.LockType == "relation":
		out += ", " + p.Mode.Display()
	default:
		out += ", " + p.Mode.Display() + " of " + p.LockType.Display()
	}
	return out + onRelation(p)
}

func onRelation(p model.LockPlace) string {
	if relation, known := p.Relation.Get(); known {
		return " on " + relation.Display()
	}
	return ""
}
