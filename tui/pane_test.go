package tui

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// checkFrame fails unless the frame has h lines of w cells, and no control but
// the sequences that set colours.
func checkFrame(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%d lines, want %d", len(lines), h)
	}
	for i, l := range lines {
		if got := ansi.StringWidth(l); got != w {
			t.Fatalf("line %d has %d cells, want %d: %q", i, got, w, l)
		}
		checkControls(t, l)
	}
}

// checkControls allows nothing but ESC [ digits and ; m.
func checkControls(t *testing.T, l string) {
	t.Helper()
	for rest := l; rest != ""; {
		before, after, found := strings.Cut(rest, "\x1b")
		if i := strings.IndexFunc(before, isDangerous); i >= 0 {
			t.Fatalf("a control or format character: %q", before[i:])
		}
		if !found {
			return
		}
		parameters, tail, _ := strings.Cut(after, "m")
		if strings.Trim(parameters, "[0123456789;") != "" {
			t.Fatalf("not a colour: ESC %q", after)
		}
		rest = tail
	}
}

func isDangerous(r rune) bool {
	const zeroWidthJoiner = '\u200d' // joins the parts of one character
	return r != zeroWidthJoiner && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp)
}

func TestPanesFillTheirSize(t *testing.T) {
	for name, snapshot := range states() {
		if snapshot == nil {
			continue
		}
		for _, ascii := range []bool{false, true} {
			a := newApp(termenv.TrueColor, ascii)
			a.Update(SnapshotMsg{snapshot})
			for id, p := range a.panes {
				for w := 0; w <= 220; w += 1 + w/2 {
					for h := 0; h <= 60; h += 1 + h/2 {
						p.SetSize(w, h)
						p.SetLook(w%2 == 0, h%3 == 0)
						lines := p.View()
						if len(lines) != h {
							t.Fatalf("%s, pane %d at %dx%d: %d lines", name, id, w, h, len(lines))
						}
						if h > 0 {
							checkFrame(t, strings.Join(lines, "\n"), w, h)
						}
					}
				}
			}
		}
	}
}

func TestScreensFillTheTerminal(t *testing.T) {
	keys := [][]string{nil, {"tab"}, {"tab", "tab", "z"}, {"tab", "tab", "tab", "z"}, {"shift+tab", "j", "?"}, {"G", " "}, {"enter"}, {"enter", "G", "?"}}
	for name, snapshot := range states() {
		for i, typed := range keys {
			a := newApp([]termenv.Profile{termenv.TrueColor, termenv.ANSI, termenv.Ascii}[i%3], i%2 == 1)
			a.Update(SnapshotMsg{snapshot})
			press(a, typed...)
			for w := 1; w <= 210; w += 1 + w/3 {
				for h := 1; h <= 70; h += 1 + h/3 {
					resize(a, w, h)
					t.Run("", func(t *testing.T) { checkFrame(t, a.View(), w, h) })
					if t.Failed() {
						t.Fatalf("%s at %dx%d after %q", name, w, h, typed)
					}
				}
			}
		}
	}
}

func TestASCIIDrawsNothingElse(t *testing.T) {
	for name, snapshot := range states() {
		for _, typed := range [][]string{nil, {"?"}, {"tab", "tab", "z"}, {"tab", "tab", "tab", "z"}, {"enter"}, {"enter", "G"}} {
			a := newApp(termenv.Ascii, true)
			resize(a, 120, 40)
			a.Update(SnapshotMsg{snapshot})
			press(a, typed...)
			for i, l := range strings.Split(a.View(), "\n") {
				if !isASCII(l) {
					t.Errorf("%s after %q, line %d: %q", name, typed, i, l)
				}
			}
		}
	}
}

func TestDrawingDoesNotWriteTheSnapshot(t *testing.T) {
	drawn, untouched := states(), states()
	for name, snapshot := range drawn {
		a := newApp(termenv.TrueColor, false)
		a.Update(SnapshotMsg{snapshot})
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {40, 10}} {
			resize(a, size[0], size[1])
			for range panes {
				press(a, "tab", "j", "j", "k", "G", "g", "z", "?")
				a.View()
			}
			press(a, "esc", "enter")
			a.View()
			press(a, "G")
			a.View()
			press(a, "esc")
		}
		if !reflect.DeepEqual(snapshot, untouched[name]) {
			t.Errorf("%s was written", name)
		}
	}
}

// FuzzNames puts any text where a server can.
func FuzzNames(f *testing.F) {
	for _, name := range hostileNames() {
		f.Add(string(name), 80, 24, false)
	}
	f.Fuzz(func(t *testing.T, name string, w, h int, ascii bool) {
		w, h = 1+abs(w)%200, 1+abs(h)%60
		s := hostileSnapshot()
		text := model.Text(name)
		for i := range s.Active {
			s.Active[i].Schema, s.Active[i].Table = model.Some(text), model.Some(text)
			s.Active[i].Phases[0].Phase = text
			s.Active[i].Statement, s.Active[i].NameMissing = model.Some(text), name
			s.Active[i].Relation = largeTable()
			s.Active[i].Relation.RelOptions = []model.Text{text}
			s.Active[i].Relation.Indexes[0].Name, s.Active[i].Relation.PartitionOf = text, &model.RelationName{Schema: text, Name: text}
			s.Active[i].Indexes = s.Active[i].Relation.Indexes
			s.Active[i].Notices = []model.Event{{Text: text}}
			s.Active[i].Processes[0].Wait = model.Some(model.Wait{Type: text, Event: text})
			s.LockWaits[i].Query, s.LockWaits[i].Table = model.Some(text), model.Some(text)
		}
		s.Server.Version, s.Server.Address, s.Watch.TickRateNote = text, name, name
		a := newApp(termenv.TrueColor, ascii)
		resize(a, w, h)
		a.Update(SnapshotMsg{s})
		for range panes {
			checkFrame(t, a.View(), w, h)
			press(a, "tab", "z")
		}
		press(a, "enter")
		checkFrame(t, a.View(), w, h)
		press(a, "G")
		checkFrame(t, a.View(), w, h)
		s.Link = model.Link{Lost: true, Reason: text}
		a.Update(SnapshotMsg{s})
		press(a, "?")
		checkFrame(t, a.View(), w, h)
	})
}

func abs(n int) int { return max(n, -(n + 1)) }
