package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/muesli/termenv"
)

// isExplained tells whether anything is explained under a name.
func isExplained(name string) bool {
	for _, s := range model.Explanations() {
		if s.About.Name == name || slices.ContainsFunc(s.Of, func(e model.Explanation) bool { return e.Name == name }) {
			return true
		}
	}
	return false
}

// Whatever stands on the screen as a heading or in front of a value has a text.
func TestEveryHeadingIsExplained(t *testing.T) {
	files, headings := token.NewFileSet(), 0
	for _, name := range goFiles(t, ".") {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		if name == "dialog_table.go" { // its list is for choosing
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			pair, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			key, _ := pair.Key.(*ast.Ident)
			value, isText := pair.Value.(*ast.BasicLit)
			if key == nil || !isText || key.Name != "title" && key.Name != "label" {
				return true
			}
			text, err := strconv.Unquote(value.Value)
			if err != nil {
				t.Fatal(err)
			}
			if notExplained := []string{"", "Help: ", "Actions"}; slices.Contains(notExplained, text) {
				return true
			}
			if headings++; !isExplained(text) {
				t.Errorf("%s: nothing explains %q", files.Position(value.Pos()), text)
			}
			return true
		})
	}
	if headings < 80 {
		t.Errorf("only %d headings were found", headings)
	}
}

// Every mark has a text but those that only draw lines, fill bars or are words' parts.
func TestEveryMarkIsExplained(t *testing.T) {
	drawn := []string{glyphAccent, glyphSeparator, glyphFull, glyphCursor, glyphPast, glyphToCome}
	marks := []string{
		glyphSelected, glyphLive, glyphLost, glyphPaused, glyphPlaying, glyphHere, glyphBlockedBy, glyphBranch, glyphUntilFull, glyphPhase, glyphEstimate,
		glyphAtLeast, glyphAsleep, glyphNoSample, glyphLeader, glyphTrack, glyphChanged, model.Absent,
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "glyphs.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	named := 1 // model.Absent
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "glyph") {
			named++
		}
		return true
	})
	if named != len(drawn)+len(marks) {
		t.Errorf("%d marks are named, %d are looked at here", named, len(drawn)+len(marks))
	}
	for _, m := range marks {
		if len(model.Explain(model.SubjectMarks, m)) == 0 {
			t.Errorf("nothing explains %q", m)
		}
	}
	for c := range model.Classes {
		if len(model.Explain(model.SubjectClasses, c.String())) == 0 {
			t.Errorf("nothing explains %s", c)
		}
	}
}

// Every pane, every section of the page and every phase that a fixture shows can be
// explained, and all that stands in a pane is.
func TestEveryPaneIsExplained(t *testing.T) {
	for name, snapshot := range states() {
		if snapshot == nil {
			continue
		}
		for _, w := range []int{60, 80, 120, 200} {
			a := newApp(termenv.Ascii, false)
			resize(a, w, 60)
			a.Update(SnapshotMsg{snapshot})
			a.View()
			press(a, "i")
			for range panes {
				if a.explainer == nil || len(a.explainer.texts) < 3 {
					t.Fatalf("%s at %d: %s is not explained", name, w, a.inFront().title())
				}
				for _, e := range a.explainer.texts {
					if e.Name == "" || e.What == "" {
						t.Errorf("%s at %d, %s: %+v", name, w, a.inFront().title(), e)
					}
				}
				press(a, "tab")
			}
			press(a, "esc")
			if a.run == nil || a.impossible(actDetails) != "" {
				continue
			}
			press(a, "enter")
			for _, s := range a.page.content.(*runPage).sections() {
				if about := model.ExplainSubject(model.PageSubject(s.title)).About; about.What == "" {
					t.Errorf("nothing explains the section %q", s.title)
				}
			}
		}
	}
}

// The arrows go through the texts, tab to the next pane's, and esc closes nothing else.
func TestExplainerKeys(t *testing.T) {
	a := screen(parallelSnapshot())
	resize(a, 120, 40)
	press(a, "i")
	if lineWith(a, "Explain: Vacuums, 1 of ", "") == "" || lineWith(a, "vacuuming indexes", "Explain") != "" {
		t.Fatalf("%s", a.View())
	}
	if first := a.explainer.texts[0].Name; first != "vacuuming indexes" {
		t.Errorf("it begins with %q, the selected vacuum is in vacuuming indexes", first)
	}
	press(a, "j", "j", "k")
	if a.explainer.list.cursor != 1 || a.run != a.snap.Active[0] {
		t.Errorf("the cursor is at %d", a.explainer.list.cursor)
	}
	press(a, "tab")
	if lineWith(a, "Explain: Phases, 1 of ") == "" || a.focus != panePhases {
		t.Errorf("tab leads to\n%s", a.View())
	}
	press(a, "enter")
	if a.page == nil || a.explainer == nil {
		t.Error("other keys keep their meaning, under it")
	}
	press(a, "esc")
	if a.explainer != nil || a.page == nil {
		t.Error("esc closes it, and only it")
	}
}

// While a dialog takes text the key is a letter, else it explains the dialog.
func TestDialogsAreExplained(t *testing.T) {
	a := acted(newApp(termenv.Ascii, false), serverOfActions(), 120, 40, autovacuumSnapshot())
	act(a, "s", "j", "i")
	if lineWith(a, "Explain: Settings of vacuum, 1 of ") == "" {
		t.Fatalf("%s", a.View())
	}
	act(a, "j", "x", "esc")
	d, ok := a.dialog.(*settingsDialog)
	if a.explainer != nil || !ok || d.list.cursor != 1 {
		t.Errorf("keys went through it to the dialog: %+v", d)
	}
	act(a, "/", "l", "i", "m")
	if got := d.filter.Value(); got != "lim" || a.explainer != nil {
		t.Errorf("typed is %q, explained %v", got, a.explainer != nil)
	}
}

// What does not fit can be scrolled to, on every size on which there is a box.
func TestExplanationsFitEverySize(t *testing.T) {
	for _, size := range [][2]int{{30, 6}, {40, 10}, {60, 15}, {80, 24}, {120, 40}, {300, 100}} {
		a := newApp(termenv.Ascii, true)
		resize(a, size[0], size[1])
		a.Update(SnapshotMsg{parallelSnapshot()})
		for _, keys := range [][]string{{"i"}, {"G"}, {"k"}, {"esc", "enter", "i"}, {"G"}} {
			press(a, keys...)
			checkFrame(t, a.View(), size[0], size[1])
			if !isASCII(a.View()) {
				t.Errorf("not ASCII:\n%s", a.View())
			}
		}
		before := ""
		for i := 0; i < 60 && strings.Contains(a.View(), "more: pgdn"); i++ {
			if before = a.View(); before == "" {
				t.Fatal("nothing is drawn")
			}
			typing(a, "pgdown")
			if a.View() == before {
				t.Fatalf("pgdn does not scroll:\n%s", before)
			}
		}
	}
}
