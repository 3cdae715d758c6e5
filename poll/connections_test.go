package poll

import (
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A role that may have two connections is enough for everything that watching does,
// with vacuums in several other databases. With one their names are missing, which is
// no problem of the watching and is not tried all the time.
func TestTwoConnectionsAreEnough(t *testing.T) {
	s := pgtest.Shared(t, 18)
	others := []string{"there", "elsewhere", "yonder"}
	for _, name := range others {
		s.Database(t, name, "")
		vacuumElsewhere(t, s, name)
	}
	s.Role(t, "mon", "pg_monitor")
	for _, c := range []struct {
		limit string
		named int
		beats int // at least
	}{{"2", len(others), 1}, {"1", 0, 20}} {
		s.Exec(t, "alter role mon connection limit "+c.limit)
		source := openWith(t, s.ConnStringFor("mon", "postgres"), Options{Interval: 200 * time.Millisecond, TickRate: 20, TickRateGiven: true})
		var tracker model.Tracker
		beats := 0
		runUntil(t, source, "the vacuums, and those names that can be read", func(sample model.Sample) bool {
			snapshot := tracker.Step(sample)
			if len(sample.Problems) > 0 || snapshot.Link.Lost {
				t.Errorf("with a limit of %s: problems %+v, link %+v", c.limit, sample.Problems, snapshot.Link)
			}
			named := 0
			for _, r := range snapshot.Active {
				if r.Table.Known() {
					named++
				}
			}
			beats++
			return beats >= c.beats && named == c.named && len(snapshot.Active) == len(others)
		})
		source.Close()
		conn := s.Conn(t)
		pgtest.Eventually(t, "the end of the role's sessions", func() bool {
			var n int
			err := conn.QueryRow(t.Context(), "select count(*) from pg_stat_activity where usename = 'mon'").Scan(&n)
			return err == nil && n == 0
		})
	}
}
