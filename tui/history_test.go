package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	"github.com/muesli/termenv"
)

// fakeHistory has a snapshot for each recording, the newest first.
type fakeHistory struct {
	snaps  []*model.Snapshot
	server model.Server
	err    error // of the first recording
	listed error // of naming them
	read   int
}

func (h *fakeHistory) Recordings(_ context.Context, server model.Server) ([]string, error) {
	h.server = server
	var names []string
	for i := range h.snaps {
		names = append(names, fmt.Sprint(i))
	}
	return names, h.listed
}

func (h *fakeHistory) Report(_ context.Context, name string, _ uint32, chosen func(*model.Run) bool) (report.Report, error) {
	h.read++
	var i int
	_, _ = fmt.Sscan(name, &i)
	if h.err != nil && i == 0 {
		return report.Report{}, h.err
	}
	return report.Build(h.snaps[i], report.Options{Only: chosen}), nil
}

// recordedSnapshot is what a recording ends with in which the vacuum of the screen's
// table ended some time ago, and what else it holds: an autovacuum of another table,
// and the vacuum that the screen shows.
func recordedSnapshot(before time.Duration) *model.Snapshot {
	s := twoRunsSnapshot()
	run := s.Ended[1]
	run.Key.PID, run.Key.StatementStart = int32(before.Hours()), ago(before)
	run.FirstSeen, run.Began, run.LastSeen = ago(before), ago(before), ago(before-9*time.Minute)
	run.End.At = run.LastSeen
	return s
}

// keptHistory is a history of two recordings, the newer one first.
func keptHistory() *fakeHistory {
	return &fakeHistory{snaps: []*model.Snapshot{recordedSnapshot(26 * time.Hour), recordedSnapshot(72 * time.Hour)}}
}

// screenWithHistory has opened the comparison of the only vacuum on the screen.
func screenWithHistory(h *fakeHistory, s *model.Snapshot) *App {
	a := newApp(termenv.Ascii, false)
	a.options.History = h
	resize(a, 120, 40)
	a.Update(SnapshotMsg{s})
	act(a, "d")
	return a
}

func TestRecordedRunsOfTheTableCanBeComparedWith(t *testing.T) {
	h := keptHistory()
	a := screenWithHistory(h, oneRunSnapshot())
	d := a.dialog.(*compareDialog)
	if len(d.others) != 2 || h.server.Version != a.snap.Server.Version {
		t.Fatalf("%d to compare with, of server %+v", len(d.others), h.server)
	}
	newer := ago(26 * time.Hour).In(a.options.Location).Format("2006-01-02 15:04:05")
	older := ago(72 * time.Hour).In(a.options.Location).Format("2006-01-02 15:04:05")
	frame := a.View()
	first, second := strings.Index(frame, newer+"  9:00  completed  recorded"), strings.Index(frame, older+"  9:00  completed  recorded")
	if first < 0 || second < first || !strings.Contains(frame, "- the whole run: 9:00.000 / 11:47.000") {
		t.Errorf("the newer one at %d, the older one at %d of\n%s", first, second, frame)
	}
	act(a, "down")
	a.Update(SnapshotMsg{twoRunsSnapshot()}) // a third one comes before them
	if d.others[d.list.cursor].report == nil || d.others[d.list.cursor].report.PID != 72 {
		t.Errorf("another one is chosen: %+v", d.others[d.list.cursor].key)
	}
}

// A vacuum that two programs recorded, or that the screen shows, is listed once.
func TestARunIsListedOnce(t *testing.T) {
	h := keptHistory()
	h.snaps = append(h.snaps, h.snaps[0])
	s := oneRunSnapshot()
	s.Ended = h.snaps[1].Ended
	a := screenWithHistory(h, s)
	var of []int32
	for _, c := range a.dialog.(*compareDialog).others {
		of = append(of, c.key.PID)
	}
	other := s.Ended[0].Key.PID // of another table: the last
	if want := fmt.Sprint([]int32{72, 26, other}); fmt.Sprint(of) != want {
		t.Errorf("to compare with: %v, want %s", of, want)
	}
}

func TestRecordingsThatCannotBeReadAreSaid(t *testing.T) {
	h := keptHistory()
	h.err = errors.New("a.jsonl.zst: the recording is\ndamaged")
	a := screenWithHistory(h, oneRunSnapshot())
	if d := a.dialog.(*compareDialog); len(d.others) != 1 || !strings.Contains(a.View(), "not read: a.jsonl.zst: the recording is damaged") {
		t.Errorf("%d to compare with:\n%s", len(d.others), a.View())
	}
	h = keptHistory()
	h.listed = errors.New("read the history: permission denied")
	a = screenWithHistory(h, oneRunSnapshot())
	if h.read != 0 || !strings.Contains(a.View(), "not read: read the history: permission denied") {
		t.Errorf("%d recordings were read:\n%s", h.read, a.View())
	}
}

// Nothing is read within Update, and nothing more once the dialog is closed.
func TestRecordingsAreReadAsLongAsTheDialogIsOpen(t *testing.T) {
	h := keptHistory()
	a := newApp(termenv.Ascii, false)
	a.options.History = h
	resize(a, 120, 40)
	a.Update(SnapshotMsg{oneRunSnapshot()})
	cmd := typing(a, "d")
	if a.dialog == nil || h.read != 0 || h.server.VersionNum != 0 {
		t.Fatalf("the dialog is %v, %d recordings were read", a.dialog, h.read)
	}
	_, cmd = a.Update(messages(cmd)[0]) // they are named
	if !strings.Contains(a.View(), "0 recordings of 2 read") {
		t.Errorf("not said what goes on:\n%s", a.View())
	}
	read := messages(cmd)[0]
	act(a, "esc")
	_, cmd = a.Update(read)
	answer(a, cmd)
	if h.read != 1 {
		t.Errorf("%d recordings were read after the dialog was closed in the first", h.read)
	}
}
