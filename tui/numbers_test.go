package tui

import (
	"testing"
	"time"

	"example.com/vacscope/model"
)

// A range loses what matters least, and never its size; it is a range only where
// its ends differ.
func TestCoarseRange(t *testing.T) {
	for _, c := range []struct {
		low, high time.Duration
		want      string
	}{
		{0, 0, "<1 s"},
		{300 * time.Millisecond, 900 * time.Millisecond, "<1 s"},
		{300 * time.Millisecond, 3 * time.Second, "0–3 s"},
		{1200 * time.Millisecond, 1400 * time.Millisecond, "1 s"},
		{14600 * time.Millisecond, 15400 * time.Millisecond, "15 s"},
		{9300 * time.Millisecond, 10600 * time.Millisecond, "9–11 s"},
		{59 * time.Second, 59700 * time.Millisecond, "0:59–1:00"},
		{45300 * time.Millisecond, 612 * time.Second, "0:45–10:12"},
		{451 * time.Second, 520 * time.Second, "7:31–8:40"},
		{1083 * time.Second, 1083 * time.Second, "18:03"},
		{59 * time.Minute, time.Hour - time.Millisecond, "0:59–1:00 h"},
		{3 * time.Hour, 5*time.Hour + 20*time.Minute, "3:00–5:20 h"},
		{50 * time.Hour, 240 * time.Hour, "2–10 d"},
	} {
		got := coarseRange(model.Range{Low: c.low, High: c.high})
		if got != c.want || len([]rune(got)) > leastLeft {
			t.Errorf("%v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
