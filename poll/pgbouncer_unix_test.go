//go:build unix

package poll

import (
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Through PgBouncer in transaction mode, whose server connections other clients use
// in turn, every beat and tick is whole, and the pooler is named.
func TestThroughPgBouncerInTransactionMode(t *testing.T) {
	for _, major := range []int{13, 18} {
		s := pgtest.Shared(t, major)
		v := s.HeldVacuum(t, "held")
		target := s.PgBouncer(t, 2)
		other := s.ConnTo(t, target+" default_query_exec_mode=simple_protocol")
		source := openWith(t, target, Options{Interval: 200 * time.Millisecond, TickRate: 20})
		noted, polls, ticks := false, 0, 0
		runUntil(t, source, "whole beats", func(sample model.Sample) bool {
			if _, err := other.Exec(t.Context(), "deallocate all"); err != nil {
				t.Error(err)
			}
			noted = noted || slices.ContainsFunc(sample.Events, func(e model.Event) bool { return e.Kind == model.EventNote })
			if sample.Poll == nil || len(sample.Problems) > 0 {
				t.Errorf("%+v", sample)
				return true
			}
			mustHave(t, sample.Poll, v.PID)
			polls, ticks = polls+1, ticks+len(sample.Ticks)
			return polls > 10 && ticks > 0
		})
		if !noted {
			t.Errorf("pg%d: nothing says that there is a pooler", major)
		}
	}
}
