package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestScripts runs the command line as a shell would, without a terminal. The
// scripts use, beside testscript's own commands,
//
//	exits STATUS COMMAND...   runs a command that ends with that status
func TestScripts(t *testing.T) {
	binDir := filepath.Dir(program(t))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", binDir)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND...")
	}
	status := 0
	var ended *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &ended):
		status = ended.ExitCode()
	case err != nil:
		ts.Fatalf("run %s: %v", args[1], err)
	}
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("%v exits with %d", args[1:], status)
	}
}

// program builds vacscope and returns its path.
func program(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "vacscope")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("build vacscope: %v\n%s", err, out)
	}
	return path
}
