package poll

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// watchFor is how long watching is measured.
func watchFor() time.Duration {
	if testing.Short() {
		return 5 * time.Second
	}
	return time.Minute
}

// What watching costs the server per second of wall time: its own count, as in the
// header, and the processor time of the backend that answers, which also holds
// what comes before and after the execution of a statement.
func BenchmarkWatching(b *testing.B) {
	for _, c := range []struct {
		name  string
		rate  model.PerSecond
		limit float64 // ms/s
	}{
		{"beats_alone", 0, 0.63},
		{"beats_and_20_ticks", 20, 1.5},
	} {
		b.Run(c.name, func(b *testing.B) {
			_, server := benchSession(b)
			source := openWith(b, server.ConnString(), Options{Interval: time.Second, TickRate: c.rate, TickRateGiven: true})
			share, cpu := watchingCost(b, source, new(model.Watch))
			b.ReportMetric(share*1000, "server-ms/s")
			b.ReportMetric(c.limit, "limit-server-ms/s")
			b.ReportMetric(cpu*1000, "backend-cpu-ms/s")
		})
	}
}

// watchingCost watches for a while and returns, as shares of wall time, what the
// samples say that the server spent and what its backend used of a processor. last is
// set to how the last beat was made.
func watchingCost(b *testing.B, source *Source, last *model.Watch) (share, cpu float64) {
	pid := source.reader.(*session).conn.PID()
	ctx, cancel := context.WithTimeout(b.Context(), watchFor()+3*time.Second)
	defer cancel()
	var from, before, to time.Time
	var cpuFrom, cpuTo, spent time.Duration
	beats := 0
	err := source.Run(ctx, func(s model.Sample) {
		if s.Poll == nil {
			b.Fatal("a beat failed: ", s.Problems)
		}
		before, to, cpuTo = to, time.Now(), cpuTime(b, pid)
		*last = s.Poll.Watch
		if beats++; beats <= 3 { // what is read once is over
			from, cpuFrom = to, cpuTo
			return
		}
		// A sample tells the share since the one before it.
		spent += time.Duration(float64(s.Poll.Watch.ServerTime.Or(0)) * float64(to.Sub(before)))
	})
	if err != nil || !to.After(from) {
		b.Fatal("nothing was watched: ", err)
	}
	return float64(spent) / float64(to.Sub(from)), float64(cpuTo-cpuFrom) / float64(to.Sub(from))
}

// cpuTime is the processor time that a process has used (Linux).
func cpuTime(b *testing.B, pid uint32) time.Duration {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", pid))
	if err != nil {
		b.Skip("the processor time of a process is read on Linux only: ", err)
	}
	ns, err := strconv.ParseInt(strings.Fields(string(line))[0], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return time.Duration(ns)
}
