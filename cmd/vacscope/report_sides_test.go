package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// durationsFile is a file of a test.
func durationsFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReportOfTwoSides(t *testing.T) {
	a, b := recordingOf(t, "parallel-a-18"), recordingOf(t, "parallel-b-19")
	for args, want := range map[string][]string{
		a + " --vs " + b:                             {"Comparison of public.t: B against A", "Observations, the largest difference first", " whole run", "1 run: too few to tell"},
		a + " --format csv --vs " + b:                {"comparison,kind,phase,", "\n1,time,scanning heap,"},
		a + " --json --vs " + b:                      {`"format": "vacscope.comparison"`},
		"--section phases " + a + " --vs " + b:       {"Phases\n------"},
		a + " " + a + " --format markdown --vs " + b: {"# Comparison of public.t", "| n | 2 | 1 |"},
		"--format html " + a + " --vs " + b:          {"<svg viewBox", "Comparison of public.t"},
		"--redact " + a + " --vs " + b:               {"Comparison of public.table1: B against A"},
	} {
		got, _, err := command(append([]string{"report"}, strings.Fields(args)...)...)
		if want != nil && err != nil {
			t.Errorf("%s: %v", args, err)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", args, w, got)
			}
		}
	}
}

func TestReportOfDurations(t *testing.T) {
	both := durationsFile(t, "both.csv", "variant,ms\nM,10\nM,11\nM,12\nM,13\n4,20\n4,21\n4,22\n4,23\n")
	a, b := durationsFile(t, "a.log", "10\n11\n"), durationsFile(t, "b.log", "0 1 12000 0 1412881037 912698\n")
	for args, want := range map[string][]string{
		"--durations " + both:                                                  {"Durations of 2 sides", "+87.0 % (+67.5 to +106.4)"},
		"--durations " + both + " --section differences":                       {"against M"},
		"--durations " + a + " --durations " + b:                               {" a.log ", " b.log", "1 value: too few to tell"},
		"--durations " + both + " --format csv":                                {"side,n,total,mean"},
		"--durations " + both + " --json":                                      {`"format": "vacscope.durations"`},
		"--durations " + both + " --format html -o " + t.TempDir() + "/x.html": nil,
	} {
		got, messages, err := command(append([]string{"report"}, strings.Fields(args)...)...)
		if err != nil || messages != "" {
			t.Errorf("%s: %v %s", args, err, messages)
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", args, w, got)
			}
		}
	}
}

func TestSidesThatCannotBeCompared(t *testing.T) {
	a := recordingOf(t, "parallel-a-18")
	bad := durationsFile(t, "bad.csv", "variant,ms\nM,fast\n")
	for args, want := range map[string]struct {
		status  int
		message string
	}{
		"--vs " + a:                                   {exitUsage, "a side has none"},
		a + " --vs":                                   {exitUsage, "a side has none"},
		a + " --vs " + a + " --vs " + a:               {exitUsage, "it stands there twice"},
		a + " --vs=" + a:                              {exitUsage, "it takes no value: it marks where side B begins"},
		a + " --section locks --vs " + a:              {exitUsage, `--section is "locks", and can be sides,`},
		a + " --format csv --section sides --vs " + a: {exitUsage, "is not one table"},
		"--durations " + bad + " " + a:                {exitUsage, "no recording goes with it"},
		"--durations " + bad:                          {exitFailed, `bad.csv: line 2: "fast" is no number of milliseconds`},
		"--durations none":                            {exitFailed, "read durations: open none"},
	} {
		got, _, err := command(append([]string{"report"}, strings.Fields(args)...)...)
		if exitStatus(err) != want.status || err == nil || !strings.Contains(err.Error(), want.message) || got != "" {
			t.Errorf("%s: status %d, %v\n%s", args, exitStatus(err), err, got)
		}
	}
}
