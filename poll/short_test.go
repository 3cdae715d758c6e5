package poll

import (
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// Vacuums that begin and end while a reading is made have no duration below zero.
func TestManyShortVacuumsHaveNoNegativeAges(t *testing.T) {
	for _, major := range []int{13, 18} {
		s := pgtest.Shared(t, major)
		s.MakeTable(t, pgtest.Table{Name: "short", Rows: 2000})
		conn := s.Conn(t)
		stop, stopped := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(stopped)
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := conn.Exec(t.Context(), "vacuum (freeze, disable_page_skipping) short"); err != nil {
					t.Errorf("vacuum: %v", err)
					return
				}
			}
		}()
		var tracker model.Tracker
		source := openWith(t, s.ConnString(), Options{Interval: 100 * time.Millisecond, TickRate: 50, TickRateGiven: true})
		runUntil(t, source, "twenty short vacuums", func(sample model.Sample) bool {
			snapshot := tracker.Step(sample)
			for _, r := range snapshot.Active {
				noneNegative(t, r)
			}
			for _, r := range snapshot.Ended {
				noneNegative(t, r)
			}
			return len(snapshot.Ended) >= 20
		})
		close(stop)
		<-stopped
	}
}

func noneNegative(t *testing.T, r *model.Run) {
	t.Helper()
	if r.LastSeen.Before(r.FirstSeen) || r.StatementElapsed().Or(0) < 0 || r.Elapsed().Or(0) < 0 || r.ProcessTime < 0 || r.Watched() < 0 {
		t.Errorf("a duration below zero: %+v", r)
	}
	if r.End != nil && (r.End.Within < 0 || r.End.At.Before(r.FirstSeen)) {
		t.Errorf("an end before the beginning: %+v", r)
	}
	for _, span := range r.Phases {
		if span.Wall < 0 || span.ProcessTime < 0 {
			t.Errorf("a phase shorter than nothing: %+v", span)
		}
	}
}
