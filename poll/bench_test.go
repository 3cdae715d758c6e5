package poll

import (
	"testing"
	"time"

	"example.com/vacscope/poll/pgtest"
)

// Each reports, beside the time of the round trip, what the server spent
// executing our statements: server-ms/op.

func BenchmarkTick(b *testing.B) {
	s := benchSource(b)
	cost := time.Duration(0)
	for b.Loop() {
		r, err := s.reader.tick(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		cost += r.cost
	}
	b.ReportMetric(cost.Seconds()*1000/float64(b.N), "server-ms/op")
}

func BenchmarkBeat(b *testing.B) {
	s := benchSource(b)
	cost := time.Duration(0)
	for b.Loop() {
		r, err := s.reader.beat(b.Context(), false)
		if err != nil {
			b.Fatal(err)
		}
		cost += r.cost
	}
	b.ReportMetric(cost.Seconds()*1000/float64(b.N), "server-ms/op")
}

// benchSource watches a server on which one vacuum runs.
func benchSource(b *testing.B) *Source {
	s := pgtest.Shared(b, 18)
	s.HeldVacuum(b, "held")
	return open(b, s.ConnString())
}
