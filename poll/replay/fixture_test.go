package replay

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/vacscope/model"
)

// runs is where the captured runs are.
func runs() string { return filepath.Join("..", "..", "model", "testdata", "runs") }

// allCaptured are the names of the runs.
func allCaptured(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(runs(), "*"+suffix))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d captured runs, error %v", len(files), err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), suffix)
	}
	return files
}

const suffix = ".jsonl.gz"

// captured are the samples of a run that was watched on a server (model/testdata/runs).
func captured(t testing.TB, name string) []model.Sample {
	t.Helper()
	file, err := os.Open(filepath.Join(runs(), name+suffix))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var samples []model.Sample
	for lines := json.NewDecoder(text); ; {
		var s model.Sample
		switch err := lines.Decode(&s); {
		case errors.Is(err, io.EOF):
			return samples
		case err != nil:
			t.Fatal(err)
		}
		samples = append(samples, s)
	}
}
