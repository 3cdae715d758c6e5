package tui

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// silentSnapshot is the parallel vacuum while the server has owed an answer for a time.
func silentSnapshot(waited time.Duration) *model.Snapshot {
	s := parallelSnapshot()
	s.Now = s.At.Add(waited + time.Second)
	s.Link.AskedAt = model.Some(s.At.Add(time.Second))
	return s
}

// A server that does not answer is said to be silent and its data is dimmed, which
// one that has only just been asked is not.
func TestASilentServer(t *testing.T) {
	dim := func(s *model.Snapshot) string {
		a := newApp(termenv.ANSI, false)
		resize(a, 120, 40)
		a.Update(SnapshotMsg{s})
		return a.View()
	}
	live := parallelSnapshot()
	a := screen(silentSnapshot(3 * time.Second))
	if lineWith(a, "no answer") == "" || lineWith(a, "No answer from the server for 3.0 s.") == "" || lineWith(a, "What is shown is from") == "" {
		t.Errorf("after 3 s:\n%s", a.View())
	}
	lines := func(s *model.Snapshot) []string { return strings.Split(dim(s), "\n")[1:] }
	silent, prompt := lines(silentSnapshot(3*time.Second)), lines(live)
	if silent[1] == prompt[1] || silent[len(silent)-5] == prompt[len(prompt)-5] {
		t.Error("what is shown while the server is silent looks as if it were now")
	}
	asked := silentSnapshot(time.Second)
	asked.Now = live.Now
	if strings.Contains(dim(asked), "no answer") || lines(asked)[1] != prompt[1] {
		t.Error("a server that has just been asked counts as silent")
	}
}

func TestReconnectIsAskedFor(t *testing.T) {
	a, asked := screen(lostSnapshot()), 0
	press(a, "R")
	if lineWith(a, "R: there is no server") == "" {
		t.Errorf("without a server:\n%s", a.View())
	}
	a.options.Reconnect = func() { asked++ }
	if press(a, "R"); asked != 1 {
		t.Errorf("asked for %d times", asked)
	}
}
