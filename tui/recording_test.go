package tui

import (
	"errors"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// recorder answers as it is told to.
type recorder struct {
	on    bool
	since model.Opt[time.Time] // when a file begins
	asked model.Opt[time.Time]
	err   error
}

func (r *recorder) Record(since model.Opt[time.Time]) (Recorded, error) {
	r.on, r.asked = r.err == nil && !r.on, since
	return Recorded{File: "a\x1b.jsonl.zst", Begun: r.on, Since: r.since}, r.err
}

func (r *recorder) Recording() bool { return r.on }

func TestRecordingIsSaidAndStandsInTheHeader(t *testing.T) {
	r := &recorder{}
	a := screen(parallelSnapshot())
	a.options.Recorder = r
	resize(a, 120, 40)
	began := a.run.FirstSeen
	for _, run := range a.latest.Active {
		if run.FirstSeen.Before(began) {
			began = run.FirstSeen
		}
	}
	at := func(t time.Time) string { return t.In(a.options.Location).Format("15:04") }
	before, after := began.Add(-10*time.Second), began.Add(5*time.Minute)
	for _, c := range []struct {
		err    error
		since  model.Opt[time.Time]
		toast  string
		header bool
	}{
		{nil, model.None[time.Time](), `a\x1b.jsonl.zst: recording from now on; r ends it`, true},
		{nil, model.None[time.Time](), `a\x1b.jsonl.zst: recorded`, false},
		{nil, model.Some(before), `a\x1b.jsonl.zst: recording from ` + at(before) + ` on; r ends it`, true},
		{nil, model.None[time.Time](), `a\x1b.jsonl.zst: recorded`, false},
		{nil, model.Some(after), `a\x1b.jsonl.zst: recording from ` + at(after) + ` on, the earliest that is kept; r ends it`, true},
		{nil, model.None[time.Time](), `a\x1b.jsonl.zst: recorded`, false},
		{errors.New("permission denied"), model.None[time.Time](), "not recorded: permission denied", false},
	} {
		r.err, r.since = c.err, c.since
		act(a, "r")
		frame := a.View()
		header, _, _ := strings.Cut(frame, "\n")
		if !strings.Contains(frame, c.toast) || strings.Contains(header, "● rec") != c.header {
			t.Errorf("want %q in\n%s", c.toast, frame)
		}
	}
	if got, asked := r.asked.Get(); !asked || !got.Equal(began) {
		t.Errorf("asked for what was seen since %v, and the vacuum came into sight at %v", r.asked, began)
	}
	a.Update(SnapshotMsg{emptySnapshot()})
	act(a, "r")
	if r.asked.Known() {
		t.Errorf("without a vacuum asked for what was seen since %v", r.asked)
	}
}
