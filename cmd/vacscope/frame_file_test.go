package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/vacscope/tui"
)

// Two files of one name, the next number where one of them is there, and none written over.
func TestSaveFrame(t *testing.T) {
	folder := t.TempDir()
	frame := tui.Frame{Name: "vacscope-now-t", SVG: "<svg/>", Text: "text\n"}
	if err := os.WriteFile(filepath.Join(folder, "vacscope-now-t-2.txt"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"vacscope-now-t", "vacscope-now-t-3", "vacscope-now-t-4"} {
		files, err := saveFrame(folder, frame)
		if err != nil || strings.Join(files, " ") != want+".svg "+want+".txt" {
			t.Fatalf("saved as %v (%v), want %s", files, err, want)
		}
		for i, content := range []string{frame.SVG, frame.Text} {
			got, err := os.ReadFile(filepath.Join(folder, files[i]))
			if err != nil || string(got) != content {
				t.Errorf("%s holds %q (%v), want %q", files[i], got, err, content)
			}
		}
	}
	mine, err := os.ReadFile(filepath.Join(folder, "vacscope-now-t-2.txt"))
	if err != nil || string(mine) != "mine" {
		t.Errorf("a file that was there holds %q (%v)", mine, err)
	}
	if _, err := os.Stat(filepath.Join(folder, "vacscope-now-t-2.svg")); !os.IsNotExist(err) {
		t.Errorf("a picture stands without its text (%v)", err)
	}
}

func TestSaveFrameWithoutFolder(t *testing.T) {
	_, err := saveFrame(filepath.Join(t.TempDir(), "absent"), tui.Frame{Name: "x"})
	if err == nil || !strings.Contains(err.Error(), "create a file here") {
		t.Errorf("in a folder that is not there: %v", err)
	}
}
