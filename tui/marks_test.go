package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
	"github.com/muesli/termenv"
)

// Every character that the panes draw by themselves has an ASCII form of its own
// width. What comes from a server (the hostile names) may become a question mark.
func TestEveryMarkHasAnASCIIForm(t *testing.T) {
	ascii := asciiGlyphs()
	for name, snapshot := range states() {
		if name == "hostile" {
			continue
		}
		for _, keys := range [][]string{{}, {"?"}, {"tab"}, {"tab", "?"}, {"tab", "tab"}, {"tab", "tab", "z"}, {"tab", "tab", "tab", "z"}, {"shift+tab", " "}} {
			a := newApp(termenv.TrueColor, false)
			resize(a, 160, 50)
			a.Update(SnapshotMsg{snapshot})
			press(a, keys...)
			for _, r := range a.View() {
				if runes.IsBraillePattern(r) {
					continue // a chart draws other marks itself where there is only ASCII
				}
				if r >= 0x80 && len(ascii[string(r)]) != 1 {
					t.Errorf("%s after %q draws %q, which has the ASCII form %q", name, keys, r, ascii[string(r)])
				}
			}
		}
	}
}

// The same of every character in the code's own texts, drawn in a test or not.
func TestEveryTextHasAnASCIIForm(t *testing.T) {
	ascii, files := asciiGlyphs(), token.NewFileSet()
	for _, name := range goFiles(t, ".", "../model") {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range text {
				if r >= 0x80 && ascii[string(r)] == "" {
					t.Errorf("%s: %q has no ASCII form", files.Position(literal.Pos()), r)
				}
			}
			return true
		})
	}
}

// goFiles lists the files of packages, without tests.
func goFiles(t *testing.T, dirs ...string) []string {
	t.Helper()
	var out []string
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(names) == 0 {
			t.Fatalf("files of %s: %v %v", dir, names, err)
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "_test.go") {
				out = append(out, name)
			}
		}
	}
	return out
}

// Marks that can stand in the same place are told apart without colours and
// without Unicode.
func TestMarksOfOnePlaceDiffer(t *testing.T) {
	places := map[string][]string{
		"lane":  {" ", glyphAsleep, glyphNoSample, glyphLeader, "1", "9"},
		"bar":   {glyphTrack, glyphFull},
		"share": {glyphTrack},
		"cell":  {model.Absent, glyphEstimate, glyphAtLeast, glyphBlockedBy},
	}
	for c := range model.Classes {
		places["share"] = append(places["share"], classLetter(c))
	}
	for _, ascii := range []bool{false, true} {
		theme := newApp(termenv.Ascii, ascii).theme
		for place, marks := range places {
			drawn := map[string]string{}
			for _, m := range marks {
				as := theme.chars(m)
				if other, taken := drawn[as]; taken {
					t.Errorf("ascii %v, %s: %q and %q are both drawn %q", ascii, place, m, other, as)
				}
				drawn[as] = m
			}
		}
	}
}
