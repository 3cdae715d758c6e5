package report

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"example.com/vacscope/model"
)

// captured folds a stream of a real server (model/testdata/runs) and returns its last
// snapshot.
func captured(t *testing.T, name string) *model.Snapshot {
	t.Helper()
	f, err := os.Open("../testdata/runs/" + name + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var tracker model.Tracker
	var snap *model.Snapshot
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s model.Sample
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		snap = tracker.Step(s)
	}
	return snap
}

// A report can be posted as it is: plain lines of at most 79 columns.
func TestReportTextIsPlain(t *testing.T) {
	r := Build(captured(t, "parallel-a-18"), Options{})
	requirePlain(t, written(t, func(b *bytes.Buffer) error { return WriteReportText(b, r, "") }))
}
