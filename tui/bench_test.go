package tui

import (
	"testing"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// BenchmarkView tells what a frame costs: after a new snapshot, and of a screen on
// which nothing changed. A metric "x" must not exceed the "limit-x" beside it; make
// bench tells.
func BenchmarkView(b *testing.B) {
	for name, state := range map[string]func() *model.Snapshot{
		"parallel": parallelSnapshot, "many": manySnapshot, "crowd": crowdSnapshot,
	} {
		b.Run(name+"_200x60", func(b *testing.B) {
			snapshots := []*model.Snapshot{state(), state()}
			a := newApp(termenv.TrueColor, false)
			resize(a, 200, 60)
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				a.Update(SnapshotMsg{snapshots[i%2]})
				a.View()
			}
			reportFrame(b, 10)
		})
	}
	b.Run("unchanged_200x60", func(b *testing.B) {
		a := newApp(termenv.TrueColor, false)
		resize(a, 200, 60)
		a.Update(SnapshotMsg{parallelSnapshot()})
		b.ReportAllocs()
		for b.Loop() {
			a.View()
		}
		reportFrame(b, 1)
	})
}

func reportFrame(b *testing.B, limit float64) {
	b.ReportMetric(b.Elapsed().Seconds()*1000/float64(b.N), "ms/frame")
	b.ReportMetric(limit, "limit-ms/frame")
}
