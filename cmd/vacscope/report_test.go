package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/captured"
	"example.com/vacscope/poll/record"
)

// recordingOf makes a recording of a captured stream, in a folder of the test.
func recordingOf(t *testing.T, stream string) string {
	t.Helper()
	about := &model.About{Version: "PostgreSQL 18.4 on x86_64-linux", Configure: model.Some[model.Text]("--with-icu")}
	header := record.Header{Vacscope: "v1", CommandLine: "vacscope record -o 'a b'", About: about}
	samples := captured.Read[model.Sample](t, "../../model/testdata/runs/"+stream+captured.Suffix)
	return recordingFile(t, stream, header, slices.Values(samples))
}

// command runs a command line in this process.
func command(args ...string) (stdout, stderr string, err error) {
	var out, messages bytes.Buffer
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(&out)
	root.SetErr(&messages)
	err = root.Execute()
	return out.String(), messages.String(), err
}

func TestReportOfARecording(t *testing.T) {
	file := recordingOf(t, "parallel-a-18")
	for args, want := range map[string][]string{
		"":                               {"VACUUM of public.t: completed", "PostgreSQL 18.4 on x86_64-linux", "--with-icu", `vacscope v1: vacscope record -o 'a b'`, "vacuuming indexes: 0:18.905 (0:28.848 delayed)"},
		"--format markdown":              {"# VACUUM of public.t"},
		"--json":                         {`"format": "vacscope.report"`, `"delay_source": "server"`},
		"--format csv --section samples": {"run,phase,leader_pid,pid,wait_event_type,wait_event,class,samples\n1,"},
		"--section minutes --wait-event VacuumDelay": {"VacuumDelay by minute"},
		"--table nobody.* --table t":                 {"VACUUM of public.t"},
		"--redact":                                   {"VACUUM of public.table1"},
	} {
		got, messages, err := command(append([]string{"report", file}, strings.Fields(args)...)...)
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

// An older recording does not say which rates were wanted.
func TestReportHasTheRatesThatWereWanted(t *testing.T) {
	samples := captured.Read[model.Sample](t, "../../model/testdata/runs/parallel-a-18"+captured.Suffix)
	last := samples[len(samples)-1].Poll.Watch
	inForce := model.Rates{Interval: last.Interval, TickRate: last.TickRate}
	for _, c := range []struct {
		wanted     *model.Rates
		text, json string
	}{
		{nil, "watching every 1.0 s, 5.00 samples a second", `"samples_per_second_wanted": null`},
		{&inForce, "watching every 1.0 s, 5.00 samples a second as wanted", `"samples_per_second_wanted": 5`},
		{&model.Rates{Interval: 500 * time.Millisecond, TickRate: 100}, "watching wanted every 500 ms, 100 samples a second; last every 1.0 s, 5.00", `"interval_ms_wanted": 500`},
	} {
		file := recordingFile(t, "a", record.Header{Wanted: c.wanted}, slices.Values(samples))
		got, _, err := command("report", file, "--section", "context")
		document, _, jsonErr := command("report", file, "--json")
		if got = strings.Join(strings.Fields(got), " "); err != nil || jsonErr != nil || !strings.Contains(got, c.text) || !strings.Contains(document, c.json) {
			t.Errorf("wanted %+v: %v %v, no %q or no %q in\n%s", c.wanted, err, jsonErr, c.text, c.json, got)
		}
	}
}

// Several recordings are reported in their order.
func TestReportOfSeveralRecordings(t *testing.T) {
	got, _, err := command("report", "--format", "csv", recordingOf(t, "parallel-a-19"), recordingOf(t, "passes-a-13"))
	if lines := strings.Split(got, "\n"); err != nil || len(lines) != 4 || !strings.HasPrefix(lines[1], "1,capture_parallel_a") || !strings.HasPrefix(lines[2], "2,capture_passes_a") {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestReportSaysWhatItCannotDo(t *testing.T) {
	file := recordingOf(t, "parallel-a-18")
	there := filepath.Join(t.TempDir(), "there")
	if err := os.WriteFile(there, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]struct {
		status  int
		message string
	}{
		"":                                      {exitUsage, "no recording is given"},
		"--format yaml " + file:                 {exitUsage, `--format is "yaml", and can be text, markdown, json, csv or html`},
		"--section all " + file:                 {exitUsage, `--section is "all", and can be context,`},
		"--json --format text " + file:          {exitUsage, "--json writes JSON, and --format says text"},
		"--json --section phases " + file:       {exitUsage, "a JSON document has all parts"},
		"--format csv --section impact " + file: {exitUsage, "is not one table"},
		"--min-wait 8 " + file:                  {exitUsage, `--min-wait is "8"`},
		"--table a.b.c.d " + file:               {exitUsage, "--table"},
		"-o " + there + " " + file:              {exitUsage, "exists; --force writes over it"},
		there:                                   {exitFailed, "not a recording of vacscope"},
		filepath.Join(t.TempDir(), "none"):      {exitFailed, "no such file"},
		"--pid 1 " + file:                       {exitFailed, "1 vacuum is in it, and none that was asked for"},
	} {
		got, _, err := command(append([]string{"report"}, strings.Fields(args)...)...)
		if exitStatus(err) != want.status || err == nil || !strings.Contains(err.Error(), want.message) || got != "" {
			t.Errorf("%s: status %d, %v\n%s", args, exitStatus(err), err, got)
		}
	}
	if kept, _ := os.ReadFile(there); string(kept) != "mine" {
		t.Errorf("the file that exists holds %q", kept)
	}
}

func TestReportIntoAFile(t *testing.T) {
	file, out := recordingOf(t, "parallel-a-18"), filepath.Join(t.TempDir(), "report.txt")
	for _, args := range [][]string{{"report", "-o", out, file}, {"report", "--force", "--section", "phases", "-o", out, file}} {
		if got, _, err := command(args...); err != nil || got != "" {
			t.Fatalf("%v: %v, printed %q", args, err, got)
		}
	}
	written, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(written), "Phases") || strings.Contains(string(written), "Samples") {
		t.Errorf("%v: %s", err, written)
	}
	if files, _ := os.ReadDir(filepath.Dir(out)); len(files) != 1 {
		t.Errorf("%d files beside it", len(files)-1)
	}
}

// What of a recording is lost is said, and the rest is reported.
func TestReportOfACutRecording(t *testing.T) {
	file := recordingOf(t, "parallel-a-18")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, whole[:len(whole)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	got, messages, err := command("report", file)
	if err != nil || !strings.Contains(messages, "The recording has no end") || !strings.Contains(got, "it goes on") || !strings.Contains(got, "not read    The recording has no end") {
		t.Errorf("%v, %q\n%s", err, messages, got)
	}
}
