package tui

import (
	"slices"
	"strings"
	"testing"
)

// A number stays with what it counts.
func TestWrapKeepsNumbersWithTheirUnits(t *testing.T) {
	const text = "2 sessions wait behind it, the longest for 12.4 s. 8 workers asked, 6 launched."
	for w := 12; w < 90; w++ {
		lines := wrap(text, w)
		if got := strings.Join(lines, " "); got != text {
			t.Fatalf("at %d: %q", w, got)
		}
		for _, l := range lines {
			if last := l[len(l)-1]; last >= '0' && last <= '9' {
				t.Errorf("at %d a line ends with its number: %q", w, lines)
			}
		}
	}
	if got := wrap("pid 460001 waits", 6); !slices.Equal(got, []string{"pid", "460001", "waits"}) {
		t.Errorf("a pair that fits into no line: %q", got)
	}
}

func TestCutWords(t *testing.T) {
	for _, c := range []struct {
		text string
		w    int
		want string
	}{
		{"one two three", 13, "one two three"},
		{"one two three", 12, "one two…    "},
		{"one two three", 8, "one two…"},
		{"one two three", 7, "one…   "},
		{"one two three", 2, "o…"},
		{"one two three", 0, ""},
	} {
		l := cutWords(line{{c.text[:5], styleNote}, {c.text[5:], stylePlain}}, c.w)
		got := ""
		for _, s := range l {
			got += s.text
		}
		if got != c.want {
			t.Errorf("%q in %d cells: %q, want %q", c.text, c.w, got, c.want)
		}
	}
}
