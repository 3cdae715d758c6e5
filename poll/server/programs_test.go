package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFindTakesTheNewest(t *testing.T) {
	useFakeNpm(t, "")
	cached := func(major string) string { return filepath.Join(CacheDir(), major, "bin") }
	makePrograms(t, cached("96"), 96)
	makePrograms(t, cached("97"), 97)
	writeProgram(t, filepath.Join(cached("99"), "psql"), "#!/bin/sh\n") // client programs only
	inPath := t.TempDir()
	makePrograms(t, inPath, 98)
	for _, c := range []struct {
		path  string // where else programs are
		major int
		want  string
	}{
		{"", 0, cached("97")},
		{inPath, 0, inPath},
		{inPath, 96, cached("96")},
		{cached("97"), 0, cached("97")},
	} {
		t.Setenv("PATH", c.path+":/bin:/usr/bin")
		if got, err := Find("", c.major); err != nil || got.BinDir != c.want {
			t.Errorf("with PATH %q and major %d: %v, %v, not %s", c.path, c.major, got, err, c.want)
		}
	}
	if _, err := Find("", 95); !errors.Is(err, ErrNoPrograms) {
		t.Errorf("a major that is not there: %v", err)
	}
}

func TestFindTakesAFolderAsItIsOrSaysWhyNot(t *testing.T) {
	base := t.TempDir()
	for _, major := range []int{12, 97} {
		makePrograms(t, filepath.Join(base, map[int]string{12: "old", 97: "good"}[major]), major)
	}
	writeProgram(t, filepath.Join(base, "client", "psql"), "#!/bin/sh\n")
	for _, c := range []struct {
		dir     string
		major   int
		problem string
	}{
		{"good", 0, ""},
		{"good", 97, ""},
		{"good", 96, "holds PostgreSQL 97.1, not 96"},
		{"old", 0, "13 or newer is needed"},
		{"client", 0, "holds no PostgreSQL server programs"},
		{"missing", 0, "holds no PostgreSQL server programs"},
	} {
		_, err := Find(filepath.Join(base, c.dir), c.major)
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("%s as %d: %v, not %q", c.dir, c.major, err, c.problem)
		}
	}
}

func TestVersions(t *testing.T) {
	for line, want := range map[string]struct {
		major   int
		version string
	}{
		"postgres (PostgreSQL) 18.4\n":                    {18, "18.4"},
		"postgres (PostgreSQL) 19rc1":                     {19, "19rc1"},
		"postgres (PostgreSQL) 15.13 (Debian 15.13-0+d1)": {15, "15.13 (Debian 15.13-0+d1)"},
	} {
		if major, version, err := parseVersion(line); err != nil || major != want.major || version != want.version {
			t.Errorf("%q: %d, %q, %v", line, major, version, err)
		}
	}
	if _, _, err := parseVersion("psql (PostgreSQL) 18.4"); err == nil {
		t.Error("another program's version was taken")
	}
}

func TestCacheHonoursXDG(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/some/cache")
	t.Setenv("HOME", "/some/home")
	if got := CacheDir(); got != "/some/cache/vacscope/postgres" && os.PathSeparator == '/' && !strings.HasPrefix(got, "/some/home/Library") {
		t.Errorf("the cache is in %s", got)
	}
}

func TestSettingsAreTakenLiterally(t *testing.T) {
	got, err := settingLines([]string{"work_mem=4MB", `cluster_name = it's $(a) \ name`, "listen_addresses="})
	want := "work_mem = '4MB'\ncluster_name = 'it''s $(a) \\\\ name'\nlisten_addresses = ''\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v", got, err)
	}
	for _, bad := range []string{"work_mem", "a b=1", "=1", "work_mem=1\nfsync=on"} {
		if _, err := settingLines([]string{bad}); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
