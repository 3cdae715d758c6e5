package report

import (
	"bytes"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/captured"
)

// lastOf folds a stream of a real server (model/testdata/runs) and returns its last
// snapshot.
func lastOf(t *testing.T, name string) *model.Snapshot {
	t.Helper()
	return folded(captured.Read[model.Sample](t, "../testdata/runs/"+name+captured.Suffix))
}

// A report can be posted as it is: plain lines of at most 79 columns.
func TestReportTextIsPlain(t *testing.T) {
	r := Build(lastOf(t, "parallel-a-18"), Options{})
	requirePlain(t, written(t, func(b *bytes.Buffer) error { return WriteDocumentsText(b, r.Documents(), "") }))
}
