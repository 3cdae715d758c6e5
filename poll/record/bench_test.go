package record

import (
	"math/rand/v2"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// hour is an hour of a vacuum with 8 workers at 20 ticks a second, in which nothing
// repeats that does not repeat on a server: moments fall at random, every process is
// in some wait, counters and the delay rise by some amount.
func hour() []model.Sample {
	rng := rand.New(rand.NewPCG(1, 2))
	waits := []model.Opt[model.Wait]{model.None[model.Wait](), model.Some(model.Wait{Type: "Timeout", Event: "VacuumDelay"}),
		model.Some(model.Wait{Type: "IO", Event: "DataFileRead"}), model.Some(model.Wait{Type: "LWLock", Event: "WALWrite"})}
	some := func(n int) time.Duration { return time.Duration(rng.IntN(n)) * time.Microsecond }
	samples := make([]model.Sample, 3600)
	delay, scanned := 0.0, model.Blocks(0)
	for i := range samples {
		at := t0.Add(time.Duration(i)*time.Second + some(5000))
		s := model.Sample{Seq: uint64(i + 1), At: at}
		pass := int64(i / 600)
		for j := range 20 {
			tick := model.Tick{At: at.Add(time.Duration(j-20)*50*time.Millisecond + some(40_000))}
			if tick.Gap = 50 * time.Millisecond; j > 0 {
				tick.Gap = tick.At.Sub(s.Ticks[j-1].At)
			}
			for p := range int32(9) {
				row := model.TickRow{PID: 4000 + p, BackendStart: t0.Add(-time.Duration(p) * time.Second), StatementStart: model.Some(t0), DatID: 5, Active: true, Wait: waits[rng.IntN(len(waits))]}
				if p == 0 {
					delay += float64(rng.IntN(400_000_000)) / 1e6
					row.RelID, row.Phase, row.IndexVacuumCount = 16384, "vacuuming indexes", pass
					row.DelayTime, row.IndexesProcessed = model.Some(delay), model.Some(int64(i/60%9))
				} else {
					row.LeaderPID = model.Some[int32](4000)
				}
				tick.Rows = append(tick.Rows, row)
			}
			s.Ticks = append(s.Ticks, tick)
		}
		scanned += model.Blocks(rng.IntN(5000))
		s.Poll = hourPoll(s.Ticks[19].Rows, scanned, time.Duration(rng.IntN(3_000_000)))
		samples[i] = s
	}
	return samples
}

func hourPoll(rows []model.TickRow, scanned model.Blocks, trip time.Duration) *model.Poll {
	text := func(s model.Text) model.Opt[model.Text] { return model.Some(s) }
	poll := &model.Poll{
		Server: model.Server{VersionNum: 180004, Version: "18.4", SystemIdentifier: "7412345678901234567", BlockSize: 8192, DatID: 5, Database: "app", Role: "app", Address: "db1:5432", SeesAll: true, StartedAt: t0.Add(-24 * time.Hour)},
		Watch:  model.Watch{Interval: time.Second, TickRate: 20, RoundTrip: trip, ServerTime: model.Some(model.Ratio(trip.Seconds() / 7))},
	}
	for _, row := range rows {
		p := model.Process{PID: row.PID, LeaderPID: row.LeaderPID, DatID: model.Some(row.DatID), Database: text("app"), Role: text("app"), ApplicationName: text("psql"), ClientAddr: text("192.168.1.17"),
			BackendType: text("parallel worker"), State: text("active"), Wait: row.Wait, BackendStart: model.Some(row.BackendStart), XactStart: row.StatementStart, StatementStart: row.StatementStart, Query: text("VACUUM (PARALLEL 8, VERBOSE) public.orders;")}
		if !row.LeaderPID.Known() {
			p.BackendType = text("client backend")
			p.Progress = &model.Progress{View: model.ViewVacuum, RelID: row.RelID, Phase: model.Some(row.Phase), HeapBlksTotal: model.Some[model.Blocks](20_000_000), HeapBlksScanned: model.Some(scanned), HeapBlksVacuumed: model.Some[model.Blocks](0),
				IndexVacuumCount: model.Some(row.IndexVacuumCount), IndexesTotal: model.Some[int64](9), IndexesProcessed: row.IndexesProcessed, MaxDeadTupleBytes: model.Some[model.Bytes](64 << 20), DeadTupleBytes: model.Some(model.Bytes(3 * scanned)), NumDeadItemIDs: model.Some(int64(5 * scanned)), DelayTime: row.DelayTime}
		}
		poll.Processes = append(poll.Processes, p)
	}
	return poll
}

// What an hour takes on disk, and how fast it is written and read.
func BenchmarkHourOf8Workers(b *testing.B) {
	samples := hour()
	var content []byte
	for b.Loop() {
		content = recorded(b, Header{}, samples)
	}
	b.ReportMetric(float64(len(content))/1e6, "MB")
	b.ReportMetric(5, "limit-MB")
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*len(samples)), "us/sample")
}

func BenchmarkReadHourOf8Workers(b *testing.B) {
	samples := hour()
	content := recorded(b, Header{}, samples)
	n := 0
	for b.Loop() {
		for range reader(b, content).Samples(0) {
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "samples/s")
	b.ReportMetric(2000, "least-samples/s")
}

// An index of the frames of a day.
func BenchmarkOpenADay(b *testing.B) {
	content := recorded(b, Header{}, hour())
	rest := content[reader(b, content).frames[0].size:]
	for range 23 {
		content = append(content, rest...)
	}
	for b.Loop() {
		reader(b, content)
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms")
	b.ReportMetric(200, "limit-ms")
}
