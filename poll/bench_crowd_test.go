package poll

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// crowd is a busy server: sessions with open transactions, each holding a lock on
// every partition of a table, some of which wait for one more.
func crowd(t testing.TB, s *pgtest.Server, sessions, partitions, waiters int) {
	t.Helper()
	tables := []string{"create table wanted (id int)", "create table parts (id int) partition by list (id)"}
	for i := range partitions {
		tables = append(tables, fmt.Sprintf("create table part%d partition of parts for values in (%d)", i, i))
	}
	s.Exec(t, tables...)
	s.AtEnd(t, "drop table wanted, parts")
	s.LockHold(t, "wanted", "access exclusive")
	for i := range sessions {
		if i < waiters {
			s.Statement(t, "begin; select count(*) from parts; select count(*) from wanted")
			continue
		}
		conn := s.Conn(t)
		if _, err := conn.Exec(t.Context(), "begin; select count(*) from parts"); err != nil {
			t.Fatal(err)
		}
	}
	awaitWaiters(t, s.Conn(t), waiters)
}

func awaitWaiters(t testing.TB, conn *pgx.Conn, waiters int) {
	pgtest.Eventually(t, fmt.Sprintf("%d sessions wait", waiters), func() (all bool) {
		err := conn.QueryRow(t.Context(), "select count(*) >= $1 from pg_locks where not granted", waiters).Scan(&all)
		if err != nil {
			t.Fatal(err)
		}
		return all
	})
}

// BenchmarkCrowd watches 300 sessions that hold 100 relation locks each, 50 of them
// waiting, as often as the program may be asked to. What that costs the server stays
// within the share of its time that the program allows itself.
func BenchmarkCrowd(b *testing.B) {
	s := pgtest.Start(b, 18, "max_connections=400", "max_locks_per_transaction=128")
	s.HeldVacuum(b, "held")
	crowd(b, s, 300, 100, 50)
	source := openWith(b, s.ConnString(), Options{Interval: time.Second, TickRate: 20, TickRateGiven: true})
	watching := source.reader.(*session)
	for range 5 {
		readBeat(b, watching)
	}
	var costs spent
	for range 30 {
		costs = append(costs, readBeat(b, watching).cost)
	}
	costs.report(b, 5*time.Millisecond) // the lock table is not in every one
	var watch model.Watch
	share, _ := watchingCost(b, openWith(b, s.ConnString(), Options{Interval: time.Second, TickRate: 20, TickRateGiven: true}), &watch)
	b.ReportMetric(100*share, "%-of-server-time")
	b.ReportMetric(100*float64(maxShare), "limit-%-of-server-time")
	b.ReportMetric(watch.Interval.Seconds(), "s-interval")
	b.ReportMetric(float64(watch.TickRate), "ticks/s")
}
