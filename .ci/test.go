//go:build ignore

// Command test runs all tests of the module, under the race detector where there
// is a C compiler, and ends with one line that names what was not run and why.
// With REQUIRE_ALL=1 there must be nothing to name. Arguments go to go test.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

func main() {
	t := tests{output: map[string]*strings.Builder{}, skipped: map[string]int{}}
	args, cgo := []string{"test", "-json", "-timeout=30m"}, "CGO_ENABLED=0"
	if haveCompiler() {
		args, cgo = append(args, "-race"), "CGO_ENABLED=1"
	} else {
		t.notRun = append(t.notRun, "the race detector (no C compiler)")
	}
	err := t.run(cgo, append(append(args, os.Args[1:]...), "./..."))
	left := t.leftOut()
	switch {
	case left != "":
		fmt.Println("not run:", left)
	case err == nil:
		fmt.Println("all tests were run")
	}
	if err != nil || left != "" && os.Getenv("REQUIRE_ALL") == "1" {
		os.Exit(1)
	}
}

// haveCompiler tells whether go test -race can be built here.
func haveCompiler() bool {
	out, err := exec.Command("go", "env", "CC").Output()
	if err != nil || len(strings.Fields(string(out))) == 0 {
		return false
	}
	_, err = exec.LookPath(strings.Fields(string(out))[0])
	return err == nil
}

// tests is what go test told so far.
type tests struct {
	output  map[string]*strings.Builder // of the tests that run, by package and name
	skipped map[string]int              // tests by reason
	notRun  []string
}

// event is a line of go test -json.
type event struct {
	Action, Package, Test, Output string
}

func (t *tests) run(cgo string, args []string) error {
	fmt.Println("go", strings.Join(args, " "))
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), cgo)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text())
			continue
		}
		t.take(e)
	}
	return cmp.Or(lines.Err(), cmd.Wait())
}

// take prints what a person wants to see of an event: the packages' results, and
// all that a failed test said.
func (t *tests) take(e event) {
	key := e.Package + " " + e.Test
	switch {
	case e.Action == "build-output", e.Action == "output" && e.Test == "" && e.Output != "PASS\n":
		fmt.Print(e.Output)
	case e.Action == "output" && e.Test != "":
		if t.output[key] == nil {
			t.output[key] = &strings.Builder{}
		}
		t.output[key].WriteString(e.Output)
	case e.Action == "fail" && e.Test != "":
		fmt.Print(t.output[key])
		delete(t.output, key)
	case e.Action == "fail":
		t.printUnended(e.Package)
	case e.Action == "skip" && e.Test != "":
		t.skipped[reason(t.output[key])]++
		delete(t.output, key)
	case e.Action == "pass":
		delete(t.output, key)
	}
}

// printUnended prints what tests said that did not end: the test program died.
func (t *tests) printUnended(pkg string) {
	for key, output := range t.output {
		if strings.HasPrefix(key, pkg+" ") {
			fmt.Print(output)
			delete(t.output, key)
		}
	}
}

var messageLine = regexp.MustCompile(`(?m)^\s+\S+\.go:\d+: (.*)$`)

// reason is what a skipped test said.
func reason(output *strings.Builder) string {
	if output != nil {
		if m := messageLine.FindStringSubmatch(output.String()); m != nil {
			return strings.TrimPrefix(m[1], "missing: ")
		}
	}
	return "no reason given"
}

// leftOut names what was not run and why, "" when everything was.
func (t *tests) leftOut() string {
	for reason, n := range t.skipped {
		t.notRun = append(t.notRun, fmt.Sprintf("%d tests: %s", n, reason))
	}
	slices.Sort(t.notRun)
	return strings.Join(t.notRun, "; ")
}
