package model

import (
	"fmt"
	"time"
)

// LimitChange is a change of how many workers of autovacuum share the cost limit, seen
// while a run that has a part of it went on.
type LimitChange struct {
	At       time.Time // of the first poll that showed it
	Old, New LimitShare
	Around
}

// sharing is among how many the limit of a run is divided, as it was read.
type sharing struct {
	share *LimitShare // what holds; nil: nothing was read yet, or it takes no part
	seen  int         // how many the last poll showed
	since time.Time   // when it first did
}

// shareRead compares a poll's division of the limit with the one that holds. Another
// number counts when two polls show it: a worker stands between two tables for a
// moment, and what options a table has is read after it was seen.
func (r *runState) shareRead(at time.Time, now *LimitShare) {
	held := &r.sharing
	switch {
	case now == nil:
		*held = sharing{}
		return
	case held.share == nil || len(now.Sharing) == len(held.share.Sharing):
		*held = sharing{now, len(now.Sharing), at}
		return
	case len(now.Sharing) != held.seen:
		held.seen, held.since = len(now.Sharing), at
		return
	}
	c := LimitChange{At: held.since, Old: *held.share, New: *now, Around: r.around(held.since)}
	r.run.LimitChanges = withLast(r.run.LimitChanges, c)
	held.share = now
}

// String says who joined or left, and what became of the run's part.
func (c LimitChange) String() string {
	n := len(c.New.Sharing) - len(c.Old.Sharing)
	who := FormatCounted(n, "more worker", "more workers") + " joined"
	if n < 0 {
		who = FormatCounted(-n, "worker", "workers") + " left"
	}
	limit := "stays " + c.New.part()
	if old, now := c.Old.Each(), c.New.Each(); now != old {
		limit = map[bool]string{true: "fell", false: "rose"}[now < old] + " from " + c.Old.part() + " to " + c.New.part()
	}
	out := who + ", its limit " + limit
	if rates := c.rates(); rates != "" {
		out += ", " + rates
	}
	return out
}

// recentLimitChange is what became of a run's part of the limit in the last minute, as
// one change; false where as many share it as before.
func recentLimitChange(s *Snapshot, r *Run) (LimitChange, bool) {
	var all LimitChange
	for _, c := range r.LimitChanges {
		switch {
		case s.At.Sub(c.At) > changeShown:
		case all.At.IsZero():
			all = c
		case c.phase.Equal(all.phase):
			all.At, all.New, all.After = c.At, c.New, c.After
		default:
			all.At, all.New, all.Around = c.At, c.New, Around{}
		}
	}
	return all, len(all.Old.Sharing) != len(all.New.Sharing)
}

// limitSentence tells why a run goes on at another rate: others have joined or left
// those that share the cost limit with it. "" where nothing is slept.
func limitSentence(s *Snapshot, r *Run) string {
	c, ok := recentLimitChange(s, r)
	if !ok || r.Allows.Free != "" || r.Allows.Share == nil {
		return ""
	}
	return fmt.Sprintf("Autovacuum's cost limit is shared: %s ago %s.", FormatDuration(max(0, s.At.Sub(c.At))), c)
}
