package replay

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/model/captured"
)

// runs is where the captured runs are.
func runs() string { return filepath.Join("..", "..", "model", "testdata", "runs") }

// allCaptured are the names of the runs.
func allCaptured(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(runs(), "*"+captured.Suffix))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d captured runs, error %v", len(files), err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), captured.Suffix)
	}
	return files
}

// samplesOf are the samples of a run that was watched on a server.
func samplesOf(t testing.TB, name string) []model.Sample {
	t.Helper()
	return captured.Read[model.Sample](t, filepath.Join(runs(), name+captured.Suffix))
}
