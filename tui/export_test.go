package tui

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// exported is what e gives to who keeps it, from a screen with the colours of a profile.
func exported(t *testing.T, profile termenv.Profile, s *model.Snapshot) (a *App, f Frame) {
	t.Helper()
	a = newApp(profile, false)
	a.options.Save = func(given Frame) ([]string, error) {
		f = given
		return []string{given.Name + ".svg", given.Name + ".txt"}, nil
	}
	resize(a, 120, 40)
	a.Update(SnapshotMsg{s})
	act(a, "e")
	return a, f
}

// The picture has all colours on every terminal, and the screen keeps its own.
func TestExportedFrame(t *testing.T) {
	full := newApp(termenv.TrueColor, false)
	resize(full, 120, 40)
	full.Update(SnapshotMsg{parallelSnapshot()})
	picture := RenderSVG(full.View(), true)
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
		before := newApp(profile, false)
		resize(before, 120, 40)
		before.Update(SnapshotMsg{parallelSnapshot()})
		a, f := exported(t, profile, parallelSnapshot())
		if f.SVG != picture {
			t.Errorf("%v: the picture is not that of a terminal with all colours", profile)
		}
		shown := strings.Split(ansi.Strip(before.View()), "\n")
		for i, row := range strings.Split(strings.TrimSuffix(f.Text, "\n"), "\n") {
			if row != strings.TrimRight(shown[i], " ") {
				t.Errorf("%v: row %d of the text is %q, want %q", profile, i+1, row, shown[i])
			}
		}
		if f.Name != "vacscope-20260302-121443-public.large_tbl" {
			t.Errorf("the files are called %s", f.Name)
		}
		if !strings.Contains(ansi.Strip(a.View()), "saved "+f.Name+".svg and "+f.Name+".txt") {
			t.Errorf("%v: the names are not told:\n%s", profile, a.View())
		}
		a.say("")
		if a.View() != before.View() {
			t.Errorf("%v: the screen is another one after it", profile)
		}
	}
}

// What somebody named a table is part of a file's name, and of a picture in XML.
func TestExportedHostileNames(t *testing.T) {
	_, f := exported(t, termenv.Ascii, hostileSnapshot())
	if strings.ContainsAny(f.Name, "/\\:*?\"<>|\x1b\n ") || len([]rune(f.Name)) > 80 {
		t.Errorf("the files are called %q", f.Name)
	}
	decoder := xml.NewDecoder(strings.NewReader(f.SVG))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
	for name, want := range map[string]string{
		"../../etc/passwd": ".__.__etc_passwd", "...": "._", "a.b..c": "a.b._c", "таблица 1": "таблица_1", strings.Repeat("x", 99): strings.Repeat("x", maxFileWord),
	} {
		if got := fileWord(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
}

func TestExportThatFails(t *testing.T) {
	a := newApp(termenv.Ascii, false)
	resize(a, 120, 40)
	press(a, "e")
	if !strings.Contains(a.View(), "e: there is no folder for files") {
		t.Errorf("without a folder:\n%s", a.View())
	}
	a.options.Save = func(Frame) ([]string, error) {
		return nil, errors.New("create a file here: open x.svg:\nno space left on device")
	}
	press(a, "e")
	if !strings.Contains(a.View(), "e: nothing has been read yet") {
		t.Errorf("before the first reading:\n%s", a.View())
	}
	a.Update(SnapshotMsg{emptySnapshot()})
	act(a, "e")
	if !strings.Contains(a.View(), "not saved: create a file here: open x.svg: no space left on device") {
		t.Errorf("on a full disk:\n%s", a.View())
	}
}
