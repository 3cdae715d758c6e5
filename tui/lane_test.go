package tui

import (
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// A lane tells apart sleeping, awake, not sampled and not there.
func TestLaneTellsWhatBlankWouldHide(t *testing.T) {
	theme := newApp(termenv.TrueColor, false).theme
	m := model.Member{FirstSeen: time.Unix(100, 0), LastSeen: time.Unix(105, 0)}
	for i, awake := range []uint16{0, 20, 10} {
		c := model.LaneCell{Second: int64(101 + i)}
		c.Samples[model.ClassDelay], c.Samples[model.ClassIO] = 20-awake, awake
		m.Lane = append(m.Lane, c)
	}
	want := " " + glyphAsleep + "█▄" + glyphNoSample + " "
	if got := ansi.Strip(theme.render(lane(theme, m, 105, 6))); got != want {
		t.Errorf("lane %q, want %q", got, want)
	}
}

func TestLaneTitles(t *testing.T) {
	if a := screen(parallelSnapshot()); lineWith(a, "  last 4", " s ") == "" {
		t.Errorf("a running vacuum:\n%s", a.View())
	}
	if a := screen(endedSnapshot()); lineWith(a, "its last 4", " s ") == "" {
		t.Errorf("an ended vacuum:\n%s", a.View())
	}
	if a := screen(waitingSnapshot()); lineWith(a, "452996 waits for its lock") == "" || lineWith(a, " s  ", "last ") != "" {
		t.Errorf("a waiting vacuum:\n%s", a.View())
	}
}
