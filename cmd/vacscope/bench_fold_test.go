//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/tui"
	tea "github.com/charmbracelet/bubbletea"
)

// foldInstead makes this test binary fold a long history and print what memory
// that took, instead of running tests: memory is measured in a process of its own.
const foldInstead = "VACSCOPE_BENCH_FOLD"

// history is a stream of samples, made one after another as they would arrive.
type history struct {
	samples int
	sample  func(i int) model.Sample
}

// histories are what memory is measured of.
var histories = map[string]func() history{
	"an_hour_of_8_workers": foldedHour,
	"13000_index_passes":   foldedPasses,
	"10000_tables":         foldedTables,
}

// foldStart is the server's clock when the histories begin.
var foldStart = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// foldedHour is an hour of a vacuum with 8 workers, at 20 ticks a second: every ten
// minutes a minute of scan and an index pass, each with workers of its own.
func foldedHour() history {
	return history{3600, func(i int) model.Sample {
		pass, phase, workers := i/600, model.Text("vacuuming indexes"), 8
		if i%600 < 60 {
			phase, workers = "scanning heap", 0
		}
		return foldedBeat(i, 20, func(int) []model.TickRow {
			return foldedRows(leaderRow(16500, phase, int64(pass)), 50_000+100*pass, workers)
		})
	}}
}

// foldedPasses is a vacuum whose memory for dead rows holds those of a page: each
// second a pass of scan, index and heap phase, with two new workers.
func foldedPasses() history {
	return history{13_000, func(i int) model.Sample {
		return foldedBeat(i, 20, func(tick int) []model.TickRow {
			switch {
			case tick < 5:
				return foldedRows(leaderRow(16500, "scanning heap", int64(i)), 0, 0)
			case tick < 15:
				return foldedRows(leaderRow(16500, "vacuuming indexes", int64(i)), 50_000+2*i, 2)
			}
			return foldedRows(leaderRow(16500, "vacuuming heap", int64(i+1)), 0, 0)
		})
	}}
}

// foldedTables is one VACUUM over a database, five tables a second.
func foldedTables() history {
	const perBeat = 5
	return history{10_000 / perBeat, func(i int) model.Sample {
		s := foldedBeat(i, 20, func(tick int) []model.TickRow {
			relid := uint32(16500 + perBeat*i + tick*perBeat/20)
			return foldedRows(leaderRow(relid, "scanning heap", 0), 0, 0)
		})
		for n := range uint32(perBeat) {
			relid := uint32(16500+perBeat*i) + n
			s.Poll.Relations = append(s.Poll.Relations, model.Relation{DatID: 5, RelID: relid, Schema: "public",
				Name: model.Text(fmt.Sprintf("table_number_%d", relid)), Kind: "r", Indexes: make([]model.Index, 3), VacuumCount: 1})
		}
		return s
	}}
}

func leaderRow(relid uint32, phase model.Text, passes int64) model.TickRow {
	return model.TickRow{
		PID: 4000, BackendStart: foldStart.Add(-time.Hour), StatementStart: model.Some(foldStart), DatID: 5, Active: true,
		RelID: relid, Phase: phase, IndexVacuumCount: passes, IndexesProcessed: model.Some[int64](0), DelayTime: model.Some(0.0),
	}
}

// foldedRows are a leader and its workers, each in some wait.
func foldedRows(leader model.TickRow, firstPID, workers int) []model.TickRow {
	rows := []model.TickRow{leader}
	for i := range workers {
		rows = append(rows, model.TickRow{PID: int32(firstPID + i), LeaderPID: model.Some(leader.PID), DatID: 5, Active: true,
			BackendStart: foldStart.Add(time.Duration(firstPID) * time.Second), StatementStart: leader.StatementStart})
	}
	for i := range rows {
		rows[i].Wait = someWait()
	}
	return rows
}

func someWait() model.Opt[model.Wait] {
	waits := []model.Wait{{Type: "Timeout", Event: "VacuumDelay"}, {Type: "IO", Event: "DataFileRead"}, {Type: "IO", Event: "WalWrite"}, {Type: "LWLock", Event: "WALWrite"}, {}}
	w := waits[rand.IntN(len(waits))]
	if w.Type == "" {
		return model.None[model.Wait]()
	}
	return model.Some(model.Wait{Type: model.Text(strings.Clone(string(w.Type))), Event: model.Text(strings.Clone(string(w.Event)))})
}

// foldedBeat is second i, with ticks and a poll that shows what the last tick does.
func foldedBeat(i, ticks int, rows func(tick int) []model.TickRow) model.Sample {
	at := foldStart.Add(time.Duration(i+1) * time.Second)
	s := model.Sample{Seq: uint64(i + 1), At: at}
	gap := time.Second / time.Duration(ticks)
	var last []model.TickRow
	for t := range ticks {
		last = rows(t)
		s.Ticks = append(s.Ticks, model.Tick{At: at.Add(-time.Second + gap*time.Duration(t)), Gap: gap, Rows: last})
	}
	s.Poll = &model.Poll{
		Server: model.Server{VersionNum: 180004, Version: "18.4", BlockSize: 8192, DatID: 5, Database: "postgres", Role: "postgres", Address: "db1:5432", SeesAll: true, StartedAt: foldStart.Add(-24 * time.Hour)},
		Watch:  model.Watch{Interval: time.Second, TickRate: model.PerSecond(ticks), RoundTrip: time.Millisecond, ServerTime: model.Some(model.Ratio(0.001))},
	}
	for _, row := range last {
		s.Poll.Processes = append(s.Poll.Processes, foldedProcess(row, i))
	}
	return s
}

func foldedProcess(row model.TickRow, i int) model.Process {
	p := model.Process{
		PID: row.PID, LeaderPID: row.LeaderPID, DatID: model.Some(row.DatID), Database: model.Some[model.Text]("postgres"), Role: model.Some[model.Text]("postgres"),
		BackendType: model.Some[model.Text]("client backend"), State: model.Some[model.Text]("active"), Wait: row.Wait,
		BackendStart: model.Some(row.BackendStart), XactStart: row.StatementStart, StatementStart: row.StatementStart, Query: model.Some[model.Text]("VACUUM (PARALLEL 8)"),
	}
	if row.LeaderPID.Known() {
		p.BackendType = model.Some[model.Text]("parallel worker")
		return p
	}
	p.Progress = &model.Progress{
		View: model.ViewVacuum, RelID: row.RelID, Phase: model.Some(row.Phase),
		HeapBlksTotal: model.Some[model.Blocks](100_000), HeapBlksScanned: model.Some(model.Blocks(min(100_000, 7*i))), HeapBlksVacuumed: model.Some[model.Blocks](0),
		IndexVacuumCount: model.Some(row.IndexVacuumCount), IndexesTotal: model.Some[int64](9), IndexesProcessed: row.IndexesProcessed,
		MaxDeadTupleBytes: model.Some[model.Bytes](64 << 20), DeadTupleBytes: model.Some[model.Bytes](1 << 20), NumDeadItemIDs: model.Some[int64](100_000), DelayTime: row.DelayTime,
	}
	return p
}

// kept, behind a history's name, is for folding it as the screen does, which also keeps
// it to go back in.
const kept = "_kept"

// foldAndTell folds a history, draws every snapshot, and prints memory in MiB: resident, at its end and at most, and what is in use of it.
func foldAndTell(name string) {
	name, keeps := strings.CutSuffix(name, kept)
	h := histories[name]()
	var tracker model.Tracker
	step := tracker.Step
	if keeps {
		past, err := newPast(model.Filter{})
		if err != nil {
			panic(err)
		}
		step = past.step
	}
	app := tui.New(tui.Options{})
	app.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	for i := range h.samples {
		app.Update(tui.SnapshotMsg{Snapshot: step(h.sample(i))})
		app.View()
	}
	resident, most := memoryMiB("self", "VmRSS"), memoryMiB("self", "VmHWM")
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	runtime.KeepAlive(app)
	runtime.KeepAlive(step)
	fmt.Println(resident, most, float64(m.HeapAlloc)/(1<<20))
}

// The memory of the program after a long history, in a process of its own. Of long
// histories folding has a limit; of an hour all that the screen keeps.
func BenchmarkMemory(b *testing.B) {
	limited := []string{"an_hour_of_8_workers" + kept, "13000_index_passes", "10000_tables"}
	for _, name := range append(limited, "13000_index_passes"+kept, "10000_tables"+kept) {
		b.Run(name, func(b *testing.B) {
			command := exec.Command("/proc/self/exe")
			command.Env = append(os.Environ(), foldInstead+"="+name)
			out, err := command.Output()
			figures := strings.Fields(string(out))
			if err != nil || len(figures) != 3 {
				b.Fatalf("%v, it printed %q", err, out)
			}
			for i, unit := range []string{"RSS-MiB", "most-RSS-MiB", "live-heap-MiB"} {
				value, err := strconv.ParseFloat(figures[i], 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(value, unit)
			}
			if slices.Contains(limited, name) {
				b.ReportMetric(40, "limit-RSS-MiB")
			}
		})
	}
}
