//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/tui"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/creack/pty"
)

// A metric "x" must not exceed the "limit-x" beside it; make bench tells.

// benchTerminal is a pseudo-terminal of 200x60 with vacscope on it, whose writing
// is counted and thrown away.
type benchTerminal struct {
	program *exec.Cmd
	master  *os.File
	started time.Time
	written atomic.Int64
	done    chan struct{}

	mu   sync.Mutex
	want string        // what is waited for
	tail []byte        // the last that was written
	seen chan struct{} // closed when want was written
	at   time.Time     // when that was
}

// onBenchTerminal starts vacscope with its default rates. It counts as drawn when it
// has written text.
func onBenchTerminal(b *testing.B, path, text string, args ...string) *benchTerminal {
	x := &benchTerminal{program: exec.Command(path, args...), want: text, seen: make(chan struct{}), done: make(chan struct{})}
	x.program.Env = append(environmentWithout("CI", "TMUX", "NO_COLOR", "COLORFGBG"), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	x.started = time.Now()
	master, err := pty.StartWithSize(x.program, &pty.Winsize{Rows: 60, Cols: 200})
	if err != nil {
		b.Fatal("start vacscope on a pseudo-terminal: ", err)
	}
	x.master = master
	go x.read()
	b.Cleanup(x.quit)
	select {
	case <-x.seen:
	case <-time.After(time.Minute):
		b.Fatalf("waited a minute for %q", text)
	}
	return x
}

func (x *benchTerminal) read() {
	defer close(x.done)
	buffer := make([]byte, 1<<16)
	for {
		n, err := x.master.Read(buffer)
		if err != nil {
			return
		}
		x.written.Add(int64(n))
		x.look(buffer[:n])
	}
}

func (x *benchTerminal) look(written []byte) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.at.IsZero() {
		return
	}
	x.tail = append(x.tail, written...)
	if bytes.Contains(x.tail, []byte(x.want)) {
		x.at, x.tail = time.Now(), nil
		close(x.seen)
	}
}

// quit ends the program; a second call finds it ended.
func (x *benchTerminal) quit() {
	if x.program.ProcessState != nil {
		return
	}
	_, _ = x.master.WriteString("q")
	_ = x.program.Wait()
	_ = x.master.Close()
	<-x.done
}

// processorTime is that of a process, all its threads together.
func processorTime(b *testing.B, pid int) time.Duration {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(line), ") ")
	fields := strings.Fields(rest) // from the third of proc(5) on
	ticks := 0
	for _, field := range fields[11:13] { // utime, stime
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	const perSecond = 100 // USER_HZ
	return time.Duration(ticks) * time.Second / perSecond
}

// memoryMiB is a line of /proc/PID/status such as VmRSS, in MiB; 0 without it.
func memoryMiB(pid any, what string) float64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%v/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if value, is := strings.CutPrefix(line, what+":"); is {
			kB, _ := strconv.Atoi(strings.Fields(value)[0])
			return float64(kB) / 1024
		}
	}
	return 0
}

// measureFor is how long the client is measured.
func measureFor() time.Duration {
	if testing.Short() {
		return 5 * time.Second
	}
	return time.Minute
}

// parallelVacuum starts a vacuum that stays in its index pass for minutes, with a
// leader and 8 workers.
func parallelVacuum(b *testing.B) *pgtest.Server {
	s := pgtest.Start(b, 18, "max_worker_processes=16", "max_parallel_workers=16", "min_parallel_index_scan_size=0", "max_parallel_maintenance_workers=8")
	s.MakeTable(b, pgtest.Table{Name: "wide", Rows: 200_000, Indexes: 9, DeadEvery: -1})
	s.Exec(b, "vacuum wide", "delete from wide where id <= 100") // so that the scan is short
	s.Vacuum(b, "wide", "(parallel 8, index_cleanup on)", "vacuum_cost_delay=100ms", "vacuum_cost_limit=1").Phase(b, "vacuuming indexes")
	return s
}

func BenchmarkClient(b *testing.B) {
	path := program(b)
	b.Run("8_workers", func(b *testing.B) {
		s := parallelVacuum(b)
		measureClient(b, onBenchTerminal(b, path, "public.wide", s.ConnString()), 3)
	})
	b.Run("idle", func(b *testing.B) {
		s := pgtest.Start(b, 18)
		measureClient(b, onBenchTerminal(b, path, "PostgreSQL 18", s.ConnString()), 1)
	})
}

// measureClient reports what the program uses in a minute, once it is warm.
func measureClient(b *testing.B, x *benchTerminal, limit float64) {
	time.Sleep(3 * time.Second)
	started, cpu, written := time.Now(), processorTime(b, x.program.Process.Pid), x.written.Load()
	time.Sleep(measureFor())
	wall := time.Since(started).Seconds()
	b.ReportMetric(100*(processorTime(b, x.program.Process.Pid)-cpu).Seconds()/wall, "%-of-a-core")
	b.ReportMetric(limit, "limit-%-of-a-core")
	b.ReportMetric(float64(x.written.Load()-written)/wall, "written-B/s")
	b.ReportMetric(memoryMiB(x.program.Process.Pid, "VmRSS"), "RSS-MiB")
}

// From the start of the program to the first frame that shows what runs.
func BenchmarkFirstFrame(b *testing.B) {
	path, s := program(b), pgtest.Start(b, 18)
	s.HeldVacuum(b, "held")
	var took []float64
	for range 11 {
		x := onBenchTerminal(b, path, "public.held", s.ConnString())
		took = append(took, x.at.Sub(x.started).Seconds()*1000)
		x.quit()
	}
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2], "ms")
	b.ReportMetric(300, "limit-ms")
}

// counter counts what is written.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// What is written for a frame in which nothing changed.
func BenchmarkUnchangedFrame(b *testing.B) {
	const frames = 20
	var out counter
	p := tea.NewProgram(guard{tui.New(tui.Options{}), func(err error) { b.Error(err) }},
		tea.WithOutput(&out), tea.WithInput(eternal{}), tea.WithoutSignalHandler(), tea.WithFPS(framesPerSecond))
	ended := make(chan error, 1)
	go func() { _, err := p.Run(); ended <- err }()
	p.Send(tea.WindowSizeMsg{Width: 200, Height: 60})
	snapshot := new(model.Tracker).Step(foldedHour().sample(700))
	for range 3 {
		p.Send(tui.SnapshotMsg{Snapshot: snapshot})
		time.Sleep(4 * time.Second / framesPerSecond)
	}
	before := out.n.Load()
	for range frames {
		p.Send(tui.SnapshotMsg{Snapshot: snapshot})
		time.Sleep(2 * time.Second / framesPerSecond)
	}
	written := out.n.Load() - before
	p.Quit()
	if err := <-ended; err != nil || before < 1000 {
		b.Fatal("nothing was drawn: ", before, err)
	}
	b.ReportMetric(float64(written)/frames, "written-B/frame")
	b.ReportMetric(16, "limit-written-B/frame")
}

// eternal is an input on which nobody types.
type eternal struct{}

func (eternal) Read([]byte) (int, error) { select {} }

var _ io.Reader = eternal{}
