package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// recordedRun is the recording of a vacuum of public.replayed with two index passes, of
// which each is a few samples long.
func recordedRun(t *testing.T) string {
	t.Helper()
	return recordingFile(t, "run", record.Header{}, slices.Values(scripted("replayed", "scanning heap", "scanning heap", "vacuuming indexes", "vacuuming indexes", "vacuuming heap")))
}

// scripted are samples, a second apart, of a vacuum that is in these phases one after
// another.
func scripted(table string, phases ...string) []model.Sample {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var samples []model.Sample
	for i, phase := range phases {
		at := begin.Add(time.Duration(i) * time.Second)
		samples = append(samples, model.Sample{
			Seq: uint64(i + 1), At: at,
			Poll: &model.Poll{
				Server:    model.Server{VersionNum: 180000, Version: "18.0", BlockSize: 8192, DatID: 5, Database: "app", Role: "dba", SeesAll: true},
				Relations: []model.Relation{{DatID: 5, RelID: 16400, Schema: "public", Name: model.Text(table), Kind: "r", RelPages: 1000}},
				Processes: []model.Process{{
					PID: 100, DatID: model.Some(uint32(5)), Database: model.Some(model.Text("app")), State: model.Some(model.Text("active")),
					BackendStart: model.Some(begin.Add(-time.Minute)), StatementStart: model.Some(begin), Query: model.Some(model.Text("VACUUM " + table)),
					BackendType: model.Some(model.Text("client backend")),
					Progress: &model.Progress{
						View: model.ViewVacuum, RelID: 16400, Phase: model.Some(model.Text(phase)),
						HeapBlksTotal: model.Some(model.Blocks(1000)), HeapBlksScanned: model.Some(model.Blocks(200 * i)), IndexVacuumCount: model.Some(int64(0)),
					},
				}},
			},
		})
	}
	return samples
}

func TestARecordingIsShownAndSearchedOnTheScreen(t *testing.T) {
	x := onTerminal(t, false, exec.Command(program(t), "replay", recordedRun(t)))
	x.waitForText("replay")
	x.waitForText("public.replayed")
	x.press(" ")
	x.waitForText("space play")
	x.press("@")
	x.waitForText("enter goes there")
	x.press("0%\r")
	x.waitForText("scanning heap")
	x.press(">")
	x.waitForText("public.replayed: vacuuming indexes")
	x.press(">")
	x.waitForText("public.replayed: vacuuming heap")
	x.press("<")
	x.waitForText("public.replayed: vacuuming indexes")
	x.press("v")
	x.waitForText("this screen only shows")
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.requireRestored()
}

func TestWhatIsNoRecordingIsRefused(t *testing.T) {
	whole, err := os.ReadFile(recordedRun(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":   {nil, "the file is empty"},
		"foreign": {[]byte("select 1;\n"), "is not a recording of vacscope"},
		"cut":     {whole[:20], "cut off"},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		if got := run([]string{"replay", path}, &stderr); got != exitFailed || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: exits with %d and says %q", name, got, stderr.String())
		}
	}
}

// What can be read of a recording that was cut off is shown, and what is missing is said.
func TestARecordingThatWasCutOffIsShownAsFarAsItGoes(t *testing.T) {
	path := recordedRun(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole[:len(whole)-40], 0o600); err != nil {
		t.Fatal(err)
	}
	x := onTerminal(t, false, exec.Command(program(t), "replay", path))
	x.waitForText("public.replayed")
	x.waitForText("The recording has no end")
	x.press("q")
	if got := x.status(); got != 0 {
		t.Errorf("q exits with %d", got)
	}
	x.waitForLast("The recording has no end")
}

func TestReplayTakesOneFile(t *testing.T) {
	var stderr bytes.Buffer
	if got := run([]string{"replay"}, &stderr); got != exitUsage || !strings.Contains(stderr.String(), "shows one recording") {
		t.Errorf("exits with %d and says %q", got, stderr.String())
	}
}
