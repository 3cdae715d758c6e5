package poll

import (
	"fmt"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A standby is read like any server, and goes on being read when it is promoted:
// then its vacuums are seen.
func TestAStandbyThatIsPromoted(t *testing.T) {
	for _, major := range []int{13, 15, 18, 19} {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) { standbyPromoted(t, major) })
	}
}

func standbyPromoted(t *testing.T, major int) {
	primary, standby := pgtest.StartWithStandby(t, major)
	primary.Exec(t, "create table arrived ()")
	pgtest.Eventually(t, "the table on the standby", func() bool {
		var there bool
		err := standby.Conn(t).QueryRow(t.Context(), "select to_regclass('arrived') is not null").Scan(&there)
		return err == nil && there
	})
	source := openWith(t, standby.ConnString(), Options{Interval: 200 * time.Millisecond, TickRate: 20, TickRateGiven: true})
	var tracker model.Tracker
	var v *pgtest.Vacuum
	noted := false
	runUntil(t, source, "a vacuum of the promoted server", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		noted = noted || has(sample, model.EventNote, "promoted")
		if len(sample.Problems) > 0 || snapshot.Link.Lost {
			t.Errorf("problems %+v, link %+v", sample.Problems, snapshot.Link)
		}
		switch {
		case sample.Poll == nil:
		case sample.Seq == 8: // after one that reads settings, databases and what holds the horizon, and others that do not
			if !sample.Poll.Server.InRecovery {
				t.Error("a standby is taken for a primary")
			}
			standby.Exec(t, "select pg_promote()")
		case sample.Seq > 8 && v == nil && !sample.Poll.Server.InRecovery:
			v = standby.HeldVacuum(t, "held")
		case v != nil && len(snapshot.Active) == 1:
			return snapshot.Active[0].Key.PID == v.PID
		}
		return false
	})
	if !noted {
		t.Error("the promotion is not told")
	}
}
