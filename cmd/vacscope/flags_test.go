package main

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
)

func environment(variables map[string]string) func(string) string {
	return func(name string) string { return variables[name] }
}

func TestUTF8Locale(t *testing.T) {
	for _, c := range []struct {
		variables map[string]string
		want      bool
	}{
		{nil, false},
		{map[string]string{"LANG": "en_GB.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8@euro"}, true},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "C.UTF-8"}, true},
		{map[string]string{"LANG": "C.UTF-8", "LC_ALL": ""}, true},
	} {
		if got := utf8Locale(environment(c.variables)); got != c.want {
			t.Errorf("%v: UTF-8 %v, want %v", c.variables, got, c.want)
		}
	}
}

func TestTheme(t *testing.T) {
	for _, c := range []struct {
		theme, colours string
		want           bool
	}{
		{"auto", "", false}, {"auto", "15;0", false}, {"auto", "0;15", true}, {"auto", "0;default;15", true}, {"auto", "0;7", true},
		{"light", "15;0", true}, {"dark", "0;15", false},
	} {
		f := screenFlags{theme: c.theme}
		if got := f.light(environment(map[string]string{"COLORFGBG": c.colours})); got != c.want {
			t.Errorf("--theme %s, COLORFGBG %q: light %v, want %v", c.theme, c.colours, got, c.want)
		}
	}
}

func TestExitStatus(t *testing.T) {
	for want, err := range map[int]error{
		0:   nil,
		1:   errors.New("failed"),
		2:   fmt.Errorf("wrapped: %w", usageErrorf("wrong")),
		143: fmt.Errorf("wrapped: %w", signalError{syscall.SIGTERM}),
	} {
		if got := exitStatus(err); got != want {
			t.Errorf("%v: status %d, want %d", err, got, want)
		}
	}
}
