package tui

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

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
		"/tmp/throwaway-server-1540727358:5432": "/tmp/throwaway-serve…:5432",
		"db1:5432":                              "db1:5432", "db1.eu.example.com:5432": "db1…:5432", "192.0.2.17:5432": "192.0.2.17:5432", "2001:db8::1:5432": "2001:db8::1:5432",
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
	if lineWith(a, "space goes on", "short") == "" {
		t.Errorf("while paused:\n%s", a.View())
	}
}
