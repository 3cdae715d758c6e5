package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
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

func TestAddressGivesWayBeforeTheName(t *testing.T) {
	s := parallelSnapshot()
	s.Server.Address = "/tmp/some/rather/long/way/to/the/socket/directory:54321"
	a := screen(s)
	if first, _, _ := strings.Cut(a.View(), "\n"); !strings.HasPrefix(first, "vacscope  ") || !strings.Contains(first, "app@/tmp/…/directory:54321 as dba") {
		t.Errorf("header %q", first)
	}
	resize(a, 160, 40)
	if first, _, _ := strings.Cut(a.View(), "\n"); !strings.Contains(first, s.Server.Address) {
		t.Errorf("where there is room the address is whole: %q", first)
	}
}

// What gave way and would fit after all comes back.
func TestHeaderUsesItsRoom(t *testing.T) {
	s := parallelSnapshot()
	s.Server.Database, s.Server.Role, s.Server.Address = "postgres", "postgres", "127.0.0.1:55870"
	a := screen(s)
	resize(a, 80, 24)
	if first, _, _ := strings.Cut(a.View(), "\n"); !strings.HasPrefix(first, "PG 18.4  postgres@127.0.0.1:55870 as postgres") {
		t.Errorf("header %q", first)
	}
}

func TestShortAddress(t *testing.T) {
	for address, want := range map[string]string{
		"/run/postgresql:5432": "/run/postgresql:5432", "/a/b/c/d:5432": "/a/…/d:5432", "/a/b/c:1": "/a/…/c:1",
		"db1:5432": "db1:5432", "db1.eu.example.com:5432": "db1…:5432", "192.0.2.17:5432": "192.0.2.17:5432", "2001:db8::1:5432": "2001:db8::1:5432",
	} {
		if got := shortAddress(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

// Without a line of its own a note leaves the keys without which a person is stuck.
func TestNoteLeavesTheKeys(t *testing.T) {
	a := screen(roundsSnapshot())
	resize(a, 80, 24)
	if l := lineWith(a, "tab pane", "? help", "q quit", "ALTER TABLE comes"); l == "" || ansi.StringWidth(l) != 80 || !strings.Contains(l, " end;…") {
		t.Errorf("the footer with a note:\n%s", a.View())
	}
	s := roundsSnapshot()
	s.Now = s.Now.Add(noteShown)
	a.Update(SnapshotMsg{s})
	if lineWith(a, "ALTER TABLE comes") != "" || lineWith(a, "space pause") == "" {
		t.Errorf("a note that is old:\n%s", a.View())
	}
	s.Notes = []model.Event{{At: s.Now.Add(-time.Second), Kind: model.EventNote, Text: "short"}}
	a.Update(SnapshotMsg{s})
	press(a, " ")
	if lineWith(a, "space go on", "short") == "" {
		t.Errorf("while paused:\n%s", a.View())
	}
}
