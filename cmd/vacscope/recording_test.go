package main

import (
	"iter"
	"path/filepath"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// recordingFile writes a recording of samples into a folder of the test.
func recordingFile(t testing.TB, name string, h record.Header, samples iter.Seq[model.Sample]) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name+record.Suffix)
	w, err := record.Create(path, h, false)
	if err != nil {
		t.Fatal(err)
	}
	for s := range samples {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}
