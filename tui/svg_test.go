package tui

import (
	"os"
	"path/filepath"
	"testing"

	"flag"

	"github.com/muesli/termenv"
)

// TestPicture keeps the README's picture what the program draws. With -update it
// is drawn anew.
func TestPicture(t *testing.T) {
	a := newApp(termenv.TrueColor, false)
	resize(a, 120, 40)
	a.Update(SnapshotMsg{parallelSnapshot()})
	got := RenderSVG(a.View(), true)
	path := filepath.Join("..", ".github", "screen.svg")
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("the picture is not what the program draws: go test ./tui -run TestPicture -update")
	}
}
