package poll

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"example.com/vacscope/poll/server"
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
	dir := cmp.Or(os.Getenv("VACSCOPE_POSTGRES_DIR"), server.CacheDir())
	programs, err := server.Find(filepath.Join(dir, "18", "bin"), 18)
	if err != nil {
		b.Skip(err)
	}
	s, err := server.Start(b.Context(), server.Config{Programs: programs})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Stop() })
	conn, err := pgconn.Connect(b.Context(), s.ConnString())
	if err != nil {
		b.Fatal(err)
	}
	for _, statement := range []string{
		"create table held (id int) with (autovacuum_enabled = off)",
		"insert into held select generate_series(1, 1000000)",
		"set vacuum_cost_delay = 100", "set vacuum_cost_limit = 1",
	} {
		if err := conn.Exec(b.Context(), statement).Close(); err != nil {
			b.Fatal(err)
		}
	}
	go conn.Exec(context.Background(), "vacuum held").Close()
	return open(b, s.ConnString())
}
