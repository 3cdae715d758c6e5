package tui

import (
	"errors"
	"strings"
	"testing"
)

// recorder answers as it is told to.
type recorder struct {
	on  bool
	err error
}

func (r *recorder) Record() (string, bool, error) {
	r.on = r.err == nil && !r.on
	return "a\x1b.jsonl.zst", r.on, r.err
}

func (r *recorder) Recording() bool { return r.on }

func TestRecordingIsSaidAndStandsInTheHeader(t *testing.T) {
	r := &recorder{}
	a := screen(parallelSnapshot())
	a.options.Recorder = r
	resize(a, 120, 40)
	for _, c := range []struct {
		err    error
		toast  string
		header bool
	}{
		{nil, `recording from now on into a\x1b.jsonl.zst; r ends it`, true},
		{nil, `recorded into a\x1b.jsonl.zst`, false},
		{errors.New("permission denied"), "not recorded: permission denied", false},
	} {
		r.err = c.err
		act(a, "r")
		frame := a.View()
		header, _, _ := strings.Cut(frame, "\n")
		if !strings.Contains(frame, c.toast) || strings.Contains(header, "● rec") != c.header {
			t.Errorf("want %q in\n%s", c.toast, frame)
		}
	}
}
