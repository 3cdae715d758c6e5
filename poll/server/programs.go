package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OldestMajor is the oldest PostgreSQL that is run and watched.
const OldestMajor = 13

// ErrNoPrograms is returned by Find when no server programs are there.
var ErrNoPrograms = errors.New("no PostgreSQL server programs found")

// Programs are the server programs of one PostgreSQL: initdb and postgres.
type Programs struct {
	BinDir  string // the folder that holds them
	Major   int    // 13, 14 ...
	Version string // as the program says it: "18.4", "19rc1", "17.6 (Debian 17.6-1)"
}

// Find returns the programs to run a server with. A binDir is taken as it is, or
// refused with the reason. Without one the newest of 13 or newer wins, of the
// cache (see CacheDir) and of what is installed; of equal ones the cache's.
// A major other than 0 accepts that one only. The error is ErrNoPrograms when
// there is nothing to choose from.
func Find(binDir string, major int) (Programs, error) {
	if binDir != "" {
		return findIn(binDir, major)
	}
	for _, p := range findAll() {
		if major == 0 || p.Major == major {
			return p, nil
		}
	}
	return Programs{}, ErrNoPrograms
}

// Majors are the majors that Find finds, and those that Fetch knows for this
// platform, both ascending.
func Majors() (found, fetchable []int) {
	for _, p := range findAll() {
		found = append(found, p.Major)
	}
	slices.Sort(found)
	return slices.Compact(found), slices.Sorted(maps.Keys(npmPackages[platform()].pins))
}

// findAll are all programs of the cache and of what is installed, the newest
// first; of equal ones the cache's.
func findAll() []Programs {
	var found []Programs
	for _, dir := range candidateDirs() {
		if p, err := inspect(dir); err == nil && p.Major >= OldestMajor {
			found = append(found, p)
		}
	}
	slices.SortStableFunc(found, func(a, b Programs) int { return cmp.Compare(b.Major, a.Major) })
	return found
}

func findIn(binDir string, major int) (Programs, error) {
	p, err := inspect(binDir)
	switch {
	case err != nil:
		return Programs{}, err
	case p.Major < OldestMajor:
		return Programs{}, fmt.Errorf("%s holds PostgreSQL %s; %d or newer is needed", binDir, p.Version, OldestMajor)
	case major != 0 && p.Major != major:
		return Programs{}, fmt.Errorf("%s holds PostgreSQL %s, not %d", binDir, p.Version, major)
	}
	return p, nil
}

// candidateDirs lists folders that may hold server programs, the cache first.
func candidateDirs() []string {
	var dirs []string
	for _, pattern := range []string{
		filepath.Join(CacheDir(), "*", "bin"),
		"/usr/lib/postgresql/*/bin",                          // Debian, Ubuntu
		"/usr/pgsql-*/bin",                                   // PGDG on Red Hat, Fedora
		"/opt/homebrew/opt/postgresql*/bin",                  // Homebrew on Apple silicon
		"/usr/local/opt/postgresql*/bin",                     // Homebrew on Intel
		"/Applications/Postgres.app/Contents/Versions/*/bin", // Postgres.app
		"/usr/local/pgsql/bin", "/usr/bin", "/usr/local/bin", // own builds, Fedora, Arch
	} {
		matches, _ := filepath.Glob(pattern)
		dirs = append(dirs, matches...)
	}
	if postgres, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(postgres))
	}
	if out, err := output("pg_config", "--bindir"); err == nil {
		dirs = append(dirs, strings.TrimSpace(out))
	}
	return dirs
}

// inspect reads what programs a folder holds. Folders with the client programs
// only, which are common, are refused.
func inspect(binDir string) (Programs, error) {
	for _, name := range []string{"initdb", "postgres"} {
		if _, err := exec.LookPath(programPath(binDir, name)); err != nil {
			return Programs{}, fmt.Errorf("%s holds no PostgreSQL server programs: %w", binDir, err)
		}
	}
	out, err := output(programPath(binDir, "postgres"), "--version")
	if err != nil {
		return Programs{}, fmt.Errorf("ask %s for its version: %w", programPath(binDir, "postgres"), err)
	}
	major, version, err := parseVersion(out)
	if err != nil {
		return Programs{}, fmt.Errorf("%s: %w", binDir, err)
	}
	return Programs{BinDir: binDir, Major: major, Version: version}, nil
}

func programPath(binDir, name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path, err := filepath.Abs(filepath.Join(binDir, name))
	if err != nil {
		return filepath.Join(binDir, name)
	}
	return path
}

var versionLine = regexp.MustCompile(`^postgres \(PostgreSQL\) ((\d+)\S*.*)$`)

// parseVersion reads "postgres (PostgreSQL) 18.4 (Debian 18.4-1)".
func parseVersion(line string) (major int, version string, err error) {
	m := versionLine.FindStringSubmatch(strings.TrimSpace(line))
	if m == nil {
		return 0, "", fmt.Errorf("not a PostgreSQL version: %q", line)
	}
	major, err = strconv.Atoi(m[2])
	return major, m[1], err
}

// output runs a program that answers at once.
func output(name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return string(out), err
}

// CacheDir is where fetched server programs live, one folder per major:
// vacscope/postgres in the user's cache folder ($XDG_CACHE_HOME, ~/.cache,
// ~/Library/Caches), and for root, without XDG_CACHE_HOME, in /var/cache, because
// the unprivileged user that runs the server cannot enter root's home.
func CacheDir() string {
	base, err := os.UserCacheDir()
	if os.Geteuid() == 0 && os.Getenv("XDG_CACHE_HOME") == "" || err != nil {
		base = "/var/cache"
	}
	return filepath.Join(base, "vacscope", "postgres")
}
