package main

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// browser is Chromium.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	pgtest.Missing(t, "Chromium, to look at the page of a report")
	return ""
}

// The page of a report shows its charts in a browser: the bars of the phases and of the
// waits are there, as wide as they should be.
func TestPageInABrowser(t *testing.T) {
	chromium := browser(t)
	a, b := recordingOf(t, "parallel-a-18"), recordingOf(t, "parallel-b-19")
	page := filepath.Join(t.TempDir(), "report.html")
	if _, _, err := command("report", "--format", "html", "-o", page, a, "--vs", b); err != nil {
		t.Fatal(err)
	}
	// In a folder of its own: it keeps nothing, and needs no rights that a container lacks.
	picture := filepath.Join(t.TempDir(), "page.png")
	cmd := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+t.TempDir(), "--window-size=1100,3000", "--screenshot="+picture, "file://"+page)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("look at the page: %v\n%s", err, out)
	}
	shown := readPicture(t, picture)
	for what, of := range map[string]color.RGBA{
		"scanning heap":     {0x2f, 0x6f, 0xd0, 0xff},
		"vacuuming indexes": {0x1b, 0x99, 0x8b, 0xff},
		"asleep on purpose": {0xc9, 0x96, 0x2a, 0xff},
	} {
		if width := widest(shown, of); width < 50 {
			t.Errorf("%s: the widest bar has %d points", what, width)
		}
	}
}

func readPicture(t *testing.T, path string) image.Image {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	picture, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// widest is the length of the longest line of one colour in a picture.
func widest(picture image.Image, of color.RGBA) int {
	most, bounds := 0, picture.Bounds()
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		length := 0
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			if color.RGBAModel.Convert(picture.At(x, y)) != of {
				length = 0
				continue
			}
			length++
			most = max(most, length)
		}
	}
	return most
}
