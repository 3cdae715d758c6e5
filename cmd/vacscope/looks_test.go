//go:build unix

package main

import (
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// watchWith starts the screen with more variables in its environment.
func watchWith(t *testing.T, path string, s *pgtest.Server, variables ...string) *terminal {
	t.Helper()
	arguments := append(slices.Clone(variables), path, s.ConnString())
	return onTerminal(t, false, exec.Command("env", arguments...))
}

var (
	colour    = regexp.MustCompile(`\x1b\[(?:[0-9]+;)*(?:3[0-8]|9[0-7])(?:;[0-9]+)*m`)
	notASCII  = regexp.MustCompile(`[^\x00-\x7f]+`)
	clockTime = regexp.MustCompile(`\d\d:\d\d:\d\d \+00`)
)

// Where the locale's characters are not UTF-8, all that is written is ASCII: frames,
// bars, lanes, the chart, the help. A UTF-8 locale has the other marks.
func TestLocaleDecidesOnTheMarks(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	s.HeldVacuum(t, "looks_marks")
	for locale, want := range map[string]bool{"C": true, "POSIX": true, "en_US.ISO-8859-1": true, "C.UTF-8": false} {
		t.Run(locale, func(t *testing.T) {
			x := watchWith(t, path, s, "LC_ALL="+locale)
			x.waitForText("scanning heap")
			x.press("\t\t")
			x.waitForText("sampled")
			x.press("?")
			x.waitForText("what stands in the pane")
			if found := notASCII.FindString(x.bytes()); (found == "") != want {
				t.Errorf("wrote %q", found)
			}
			x.press("q")
			x.status()
		})
	}
}

// A light background has the colours for one: said by the terminal (COLORFGBG), by
// flag or by variable; a flag goes first.
func TestThemeOfTheBackground(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	const dark, light = "\x1b[38;5;245m", "\x1b[38;5;242m" // of headings
	for _, c := range []struct {
		variables []string
		want      string
	}{
		{nil, dark}, {[]string{"COLORFGBG=15;0"}, dark}, {[]string{"COLORFGBG=0;15"}, light}, {[]string{"VACSCOPE_THEME=light"}, light},
	} {
		t.Run(strings.Join(c.variables, " "), func(t *testing.T) {
			x := watchWith(t, path, s, append(c.variables, "COLORTERM=")...)
			x.waitForText("live")
			x.waitForText("table")
			if other := strings.NewReplacer(dark, light, light, dark).Replace(c.want); !strings.Contains(x.bytes(), c.want) || strings.Contains(x.bytes(), other) {
				t.Errorf("want %q and not %q in %q", c.want, other, x.bytes())
			}
			x.press("q")
			x.status()
		})
	}
}

// With NO_COLOR no colour is written, whatever the theme.
func TestNoColours(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	s.HeldVacuum(t, "looks_colours")
	x := watchWith(t, path, s, "NO_COLOR=1", "COLORFGBG=0;15")
	x.waitForText("scanning heap")
	if found := colour.FindString(x.bytes()); found != "" {
		t.Errorf("wrote %q", found)
	}
	x.press("q")
	x.status()
}

// A screen on which nothing but the clock and the cost changes writes a line or two
// a beat, and never clears the screen to draw it again.
func TestUnchangedFramesWriteAlmostNothing(t *testing.T) {
	s, path := pgtest.Shared(t, 18), program(t)
	x := watchWith(t, path, s, "VACSCOPE_INTERVAL=500ms")
	x.waitForText("live")
	x.press("\x1b[Z")
	x.press("z") // the lock waits, of which there are none
	x.waitFor("the pane alone", func() bool { return !strings.Contains(x.screen.String(), "Vacuums") })
	clock := func() string { return clockTime.FindString(x.screen.String()) }
	x.waitFor("a clock", func() bool { return clock() != "" })
	settled, before := 0, ""
	const beats = 3
	for i := range 2 + beats {
		x.waitFor("the clock to move on", func() bool { return clock() != before })
		x.waitFor("a clock", func() bool { before = clock(); return before != "" })
		if i == 1 {
			settled = len(x.bytes())
		}
	}
	written := x.bytes()[settled:]
	const line = 400 // bytes of a header with its colours
	if len(written) > 2*2*beats*line {
		t.Errorf("%d bytes for %d seconds: %q", len(written), beats, written)
	}
	if strings.Contains(written, "\x1b[2J") || strings.Contains(written, "\x1b[J") {
		t.Errorf("the screen was cleared: %q", written)
	}
	x.press("q")
	x.status()
}
