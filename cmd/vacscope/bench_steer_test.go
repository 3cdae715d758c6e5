//go:build linux

package main

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/tui"
	tea "github.com/charmbracelet/bubbletea"
)

// From a key to the first bytes of its dialog, on a terminal of 200x60 on which a
// vacuum runs; of the times measured nine in ten are no longer.
func BenchmarkDialog(b *testing.B) {
	s := pgtest.Start(b, 18)
	s.HeldVacuum(b, "held")
	x := onBenchTerminal(b, program(b), "public.held", s.ConnString())
	for key, title := range map[string]string{"v": "Vacuum a table", "x": "Cancel pid", "s": "Settings of vacuum", "u": "Put back"} {
		b.Run(key, func(b *testing.B) {
			var took []float64
			for i := range 30 {
				time.Sleep(time.Duration(500+17*i) * time.Millisecond) // anywhere between two frames
				began := x.expect(title)
				if _, err := x.master.WriteString(key); err != nil {
					b.Fatal(err)
				}
				select {
				case <-x.seen:
				case <-time.After(time.Minute):
					b.Fatalf("waited a minute for %q", title)
				}
				took = append(took, x.at.Sub(began).Seconds()*1000)
				_, _ = x.master.WriteString("\x1b")
			}
			slices.Sort(took)
			b.ReportMetric(took[len(took)*9/10], "ms")
			b.ReportMetric(50, "limit-ms")
		})
	}
}

// From a change of autovacuum's limit to the snapshot in which the rate over the last
// two seconds is 80 % of the new one, and to that in which the change is marked.
func BenchmarkFollow(b *testing.B) {
	s := pgtest.Start(b, 18, "autovacuum=on", "autovacuum_naptime=1s", "autovacuum_vacuum_cost_delay=20ms", "autovacuum_vacuum_cost_limit=20",
		"autovacuum_vacuum_threshold=1000000", "autovacuum_analyze_threshold=1000000", "autovacuum_vacuum_insert_threshold=-1")
	s.Exec(b, "create table followed(id int, what text) with (autovacuum_vacuum_threshold = 50, autovacuum_vacuum_scale_factor = 0)",
		"insert into followed select g, repeat('x', 900) from generate_series(1, 200000) g", "update followed set id = id + 1", "checkpoint")
	config, err := poll.ParseTarget(poll.Flags{}, s.ConnString())
	if err != nil {
		b.Fatal(err)
	}
	source, err := poll.Open(b.Context(), config, poll.Options{Interval: time.Second, TickRate: 20})
	if err != nil {
		b.Fatal(err)
	}
	defer source.Close()
	f := followed{actions: newActions(config, false, &notedStream{}, b.TempDir()), app: tui.New(tui.Options{})}
	f.app.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	ctx, end := context.WithTimeout(b.Context(), time.Minute)
	defer end()
	if err := fold(ctx, source, func(snapshot *model.Snapshot) {
		if f.take(b, snapshot) {
			end()
		}
	}); err != nil && ctx.Err() == nil {
		b.Fatal(err)
	}
	if f.obeyed == 0 || f.marked == 0 {
		b.Fatalf("followed after %v, marked after %v", f.obeyed, f.marked)
	}
	b.ReportMetric(f.obeyed.Seconds(), "s-to-80%")
	b.ReportMetric(3, "limit-s-to-80%")
	b.ReportMetric(f.marked.Seconds(), "s-to-the-mark")
	b.ReportMetric(3, "limit-s-to-the-mark")
}

// followed is an autovacuum whose limit is raised tenfold once its rate is known.
type followed struct {
	actions        *actions
	app            *tui.App
	points         []followedPoint
	before         float64 // pages a second
	changed        time.Time
	obeyed, marked time.Duration
}

type followedPoint struct {
	at     time.Time
	blocks float64
}

// take tells whether all has been seen.
func (f *followed) take(b *testing.B, s *model.Snapshot) bool {
	f.actions.know(s.Server)
	f.app.Update(tui.SnapshotMsg{Snapshot: s})
	if len(s.Active) == 0 || s.Active[0].Progress == nil {
		return false
	}
	f.points = append(f.points, followedPoint{s.At, float64(s.Active[0].Progress.HeapBlksScanned.Or(0))})
	if f.changed.IsZero() {
		if len(f.points) == 8 {
			f.before, f.changed = f.rate(5*time.Second), time.Now()
			c := model.Change{Scope: model.ScopeServer, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("200")}
			if _, err := f.actions.Change(b.Context(), c); err != nil {
				b.Fatal(err)
			}
		}
		return false
	}
	since := time.Since(f.changed)
	if f.obeyed == 0 && f.rate(2*time.Second) >= 0.8*10*f.before {
		f.obeyed = since
	}
	if f.marked == 0 && len(s.Active[0].Changes) > 0 && strings.Contains(f.app.View(), "cost_limit 20 → 200") {
		f.marked = since
	}
	return f.obeyed > 0 && f.marked > 0
}

// rate is how many pages a second were passed in the last points of about a time.
func (f *followed) rate(over time.Duration) float64 {
	last := f.points[len(f.points)-1]
	for _, p := range slices.Backward(f.points) {
		if d := last.at.Sub(p.at); d >= over-over/10 {
			return (last.blocks - p.blocks) / d.Seconds()
		}
	}
	return 0
}

// expect waits for another text from now on.
func (x *benchTerminal) expect(text string) time.Time {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.want, x.tail, x.seen, x.at = text, nil, make(chan struct{}), time.Time{}
	return time.Now()
}
