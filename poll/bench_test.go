package poll

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"example.com/vacscope/poll/pgtest"
)

// The benchmarks report what the server spent executing our statements, as the
// program itself measures it: clock_timestamp() - statement_timestamp() at the last
// row. A metric "x" with a metric "limit-x" beside it must not exceed that one;
// make bench tells. Medians, because a machine that does something else between
// the two clock readings says nothing about a statement.

// benchBackends is how many sessions the server has: the vacuum's, the watching
// one, and idle ones.
const benchBackends = 10

// benchSession watches a server on which one vacuum runs and nobody waits.
func benchSession(b *testing.B) (*session, *pgtest.Server) {
	s := pgtest.Start(b, 18)
	s.HeldVacuum(b, "held")
	for range benchBackends - 2 {
		s.Conn(b)
	}
	watching := open(b, s.ConnString()).reader.(*session)
	for range 20 { // warm: names are known, plans are made
		readBeat(b, watching)
	}
	return watching, s
}

// makeAllDue lets the next beat read everything that is read now and then.
func (s *session) makeAllDue() {
	s.settings, s.databases, s.relations.refresh, s.described = due{}, due{}, due{}, false
	s.locks = lockDue{waited: true}
	s.history, s.queue = lastVacuumDue{nothingRuns: true}, queueDue{}
}

func readBeat(b *testing.B, s *session) *reading {
	r, err := s.beat(b.Context(), false)
	if err != nil || len(r.problems) > 0 {
		b.Fatal(err, r)
	}
	return r
}

// spent collects what single executions cost.
type spent []time.Duration

func (s spent) report(b *testing.B, limit time.Duration) {
	slices.Sort(s)
	sum := time.Duration(0)
	for _, d := range s {
		sum += d
	}
	b.ReportMetric(milliseconds(s[len(s)/2]), "server-ms")
	b.ReportMetric(milliseconds(limit), "limit-server-ms")
	b.ReportMetric(milliseconds(sum/time.Duration(len(s))), "mean-server-ms")
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1000 }

func BenchmarkTick(b *testing.B) {
	s, _ := benchSession(b)
	var costs spent
	for b.Loop() {
		r, err := s.tick(b.Context())
		if err != nil || r.problem.Known() {
			b.Fatal(err, r)
		}
		costs = append(costs, r.cost)
	}
	costs.report(b, 150*time.Microsecond)
}

func BenchmarkPollingStatement(b *testing.B) {
	s, _ := benchSession(b)
	var costs spent
	for b.Loop() {
		out := &reading{}
		if err := s.read(b.Context(), out, []*request{list(s.statements.activity, &out.poll.Processes, decodeProcess)}); err != nil {
			b.Fatal(err)
		}
		costs = append(costs, out.cost)
	}
	costs.report(b, 200*time.Microsecond)
}

// manyTables is how many tables a large database has.
const manyTables = 10_000

// makeManyTables makes a database large: tables that were all vacuumed.
func makeManyTables(t testing.TB, s *pgtest.Server) {
	s.Exec(t, fmt.Sprintf("do $$ begin for i in 1..%d loop execute pg_catalog.format('create table many_%%s (id int)', i); if i %% 500 = 0 then commit; end if; end loop; end $$", manyTables))
	s.Exec(t, "vacuum")
}

func BenchmarkLastVacuums(b *testing.B) {
	benchManyTables(b, func(s *session, out *reading) []*request {
		return []*request{list(s.statements.lastVacuum, &out.poll.LastVacuums, decodeLastVacuum)}
	})
}

func BenchmarkQueue(b *testing.B) {
	benchManyTables(b, func(s *session, out *reading) []*request {
		s.queue = queueDue{}
		return s.queue.take(s.statements, &out.poll)
	})
}

// benchManyTables measures what is read of a large database now and then.
func benchManyTables(b *testing.B, requests func(*session, *reading) []*request) {
	s := pgtest.Start(b, 18)
	makeManyTables(b, s)
	watching := open(b, s.ConnString()).reader.(*session)
	var costs spent
	for b.Loop() {
		out := &reading{}
		if err := watching.read(b.Context(), out, requests(watching, out)); err != nil || len(watching.failing.problems()) > 0 {
			b.Fatal(err, watching.failing.problems())
		}
		costs = append(costs, out.cost)
	}
	costs.report(b, 20*time.Millisecond)
}

func BenchmarkBeat(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		s, _ := benchSession(b)
		benchBeats(b, s, func() {}, 500*time.Microsecond)
	})
	b.Run("with_the_slow_reads", func(b *testing.B) {
		s, _ := benchSession(b)
		benchBeats(b, s, s.makeAllDue, 2*time.Millisecond)
	})
	b.Run("with_63_waiters", func(b *testing.B) {
		const waiters = 63
		s, server := benchSession(b)
		server.MakeTable(b, pgtest.Table{Name: "wanted", Rows: 1})
		server.LockHold(b, "wanted", "access exclusive")
		waitInLine(b, server, "wanted", waiters)
		readBeat(b, s)
		benchBeats(b, s, func() {}, 500*time.Microsecond+waiters*5*time.Microsecond)
	})
}

// benchBeats measures whole beats; before runs in front of each.
func benchBeats(b *testing.B, s *session, before func(), limit time.Duration) {
	var costs spent
	for b.Loop() {
		before()
		costs = append(costs, readBeat(b, s).cost)
	}
	costs.report(b, limit)
}

// waitInLine lets sessions wait for a table until the test ends.
func waitInLine(t testing.TB, s *pgtest.Server, table string, waiters int) {
	for range waiters {
		s.Statement(t, "select from "+table)
	}
	awaitWaiters(t, s.Conn(t), waiters)
}
