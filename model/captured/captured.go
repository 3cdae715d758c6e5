// Package captured reads, for tests, the runs that were watched on real servers
// (model/testdata, made by .ci/capture).
package captured

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"testing"
)

// Suffix is how names of the files end.
const Suffix = ".jsonl.gz"

// Read reads a file of samples. S is model.Sample: this package does not name it, so
// that the tests inside model can use it.
func Read[S any](t testing.TB, file string) []S {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	var samples []S
	for lines := json.NewDecoder(text); ; {
		var s S
		switch err := lines.Decode(&s); {
		case errors.Is(err, io.EOF):
			return samples
		case err != nil:
			t.Fatalf("%s: %v", file, err)
		}
		samples = append(samples, s)
	}
}
