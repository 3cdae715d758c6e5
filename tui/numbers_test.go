package tui

import (
	"testing"
	"time"

	"example.com/vacscope/model"
)

// A range that does not fit loses what matters least, and never its size.
func TestRunRange(t *testing.T) {
	for _, c := range []struct {
		low, high time.Duration
		w         int
		want      string
	}{
		{1200 * time.Millisecond, 3 * time.Second, 11, "1.2 s–3.0 s"},
		{9300 * time.Millisecond, 10600 * time.Millisecond, 11, "9–11 s"},
		{45300 * time.Millisecond, 612 * time.Second, 11, "0:45–10:12"},
		{451 * time.Second, 520 * time.Second, 11, "7:31–8:40"},
		{3 * time.Hour, 5*time.Hour + 20*time.Minute, 11, "3:00–5:20 h"},
		{50 * time.Hour, 240 * time.Hour, 11, "2–10 d"},
	} {
		if got := runRange(model.Range{Low: c.low, High: c.high}, c.w); got != c.want {
			t.Errorf("%v to %v in %d cells: %q, want %q", c.low, c.high, c.w, got, c.want)
		}
	}
}
