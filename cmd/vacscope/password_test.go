package main

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestReadLineObeysTheKeys(t *testing.T) {
	for keys, want := range map[string]string{
		"secret\r":             "secret",
		"two words\n":          "two words",
		"\r":                   "",
		"sex\x7fcret\r":        "secret",
		"\x7f\x08secret\r":     "secret",
		"schlüs\x7f\x7fß\x04":  "schlß",
		"wrong\x15right\rmore": "right",
	} {
		if got, err := readLine(strings.NewReader(keys)); err != nil || got != want {
			t.Errorf("%q gave %q, %v; want %q", keys, got, err, want)
		}
	}
	if _, err := readLine(strings.NewReader("sec\x03ret\r")); !errors.As(err, &signalError{}) {
		t.Errorf("^C gave %v", err)
	}
	if _, err := readLine(strings.NewReader("sec")); !errors.Is(err, io.EOF) {
		t.Errorf("the end of the input gave %v", err)
	}
}
