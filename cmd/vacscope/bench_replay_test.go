//go:build linux

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/poll/replay"
)

// replayInstead makes this test binary play the recording that it names and print what
// that took, instead of running tests.
const replayInstead = "VACSCOPE_BENCH_REPLAY"

// A day of a vacuum with 8 workers, played: from the start to the first frame, folding
// behind it, going to a place in what was folded, and memory, in a process of its own.
func BenchmarkReplayADay(b *testing.B) {
	path := recordedDay(b)
	command := exec.Command("/proc/self/exe")
	command.Env = append(os.Environ(), replayInstead+"="+path)
	out, err := command.Output()
	figures := strings.Fields(string(out))
	units := []struct {
		name, limit string
		at          float64
	}{
		{"first-frame-ms", "limit-first-frame-ms", 200}, {"samples/s", "least-samples/s", 2000},
		{"seek-ms", "limit-seek-ms", 200}, {"RSS-MiB", "limit-RSS-MiB", 100},
	}
	if err != nil || len(figures) != len(units) {
		b.Fatalf("%v, it printed %q", err, out)
	}
	for i, unit := range units {
		value, err := strconv.ParseFloat(figures[i], 64)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(value, unit.name)
		b.ReportMetric(unit.at, unit.limit)
	}
}

// recordedDay is the recording; of a short run an hour.
func recordedDay(b *testing.B) string {
	hours := 24
	if testing.Short() {
		hours = 1
	}
	return recordingFile(b, "day", record.Header{}, func(yield func(model.Sample) bool) {
		hour := foldedHour()
		for i := range hours * hour.samples {
			if !yield(hour.sample(i)) {
				return
			}
		}
	})
}

// replayAndTell plays a recording and prints: milliseconds to its first snapshot,
// samples folded a second, milliseconds to go to a place (the ninth of ten), and the
// memory that is resident then, in MiB.
func replayAndTell(path string) error {
	began := time.Now()
	recording, err := record.Open(path)
	if err != nil {
		return err
	}
	defer recording.Close()
	collectEarly()
	player, err := replay.NewPlayer(recording)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	shown := make(chan model.Position)
	go func() {
		_ = player.Run(ctx, func(_ *model.Snapshot, at model.Position) {
			select {
			case shown <- at:
			case <-ctx.Done():
			}
		})
	}()
	first := <-shown
	toFirst := time.Since(began)
	if err := player.Move(ctx, model.Move{To: model.Some(first.To)}); err != nil { // waits until all is folded
		return err
	}
	last := <-shown
	for !last.At.Equal(first.To) {
		last = <-shown
	}
	perSecond := float64(last.Samples) / time.Since(began).Seconds()
	var seeks []time.Duration
	for range 50 {
		to := first.From.Add(time.Duration(rand.Int64N(int64(first.To.Sub(first.From)))))
		began := time.Now()
		if err := player.Move(ctx, model.Move{To: model.Some(to)}); err != nil {
			return err
		}
		<-shown
		seeks = append(seeks, time.Since(began))
	}
	slices.Sort(seeks)
	resident := memoryMiB("self", "VmRSS")
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	fmt.Println(ms(toFirst), perSecond, ms(seeks[len(seeks)*9/10]), resident)
	return nil
}
