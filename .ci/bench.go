//go:build ignore

// Command bench runs the benchmarks of the module and prints those that have a
// limit as a table: what, measured, limit, and whether it holds. It exits 1 when one
// does not hold or a benchmark fails.
//
// A benchmark states a limit by a metric of its own, "limit-U" for the most that
// its metric "U" may be, or "least-U" for the least; "beside-U" is a metric that
// stands in the table without a limit. Arguments go to go test: to try
// one, -bench NAME. -short makes the long ones short; what they measure then says
// little. -observer.pairs=N and -observer.rows=N size the one of the observer effect.
// -write puts the table into the text of vacscope help results.
package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"example.com/vacscope/poll/server"
)

// packages that have benchmarks, in the order in which they are run: one after
// another, so that none disturbs the next.
var packages = []string{"./model/...", "./tui", "./poll", "./poll/record", "./cmd/vacscope"}

func main() {
	var lines [][]string
	ok := true
	for _, p := range packages {
		command := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-timeout", "0", p}, argsFor(p)...)
		found, err := run(command)
		lines = append(lines, found...)
		ok = ok && err == nil
	}
	figures := machine() + "\n\n" + table(lines)
	fmt.Print("\n", figures)
	if slices.Contains(os.Args, write) {
		if err := writeResults(figures); err != nil {
			fmt.Fprintln(os.Stderr, err)
			ok = false
		}
	}
	if !ok || len(lines) == 0 || slices.ContainsFunc(lines, func(l []string) bool { return l[len(l)-1] == doesNotHold }) {
		os.Exit(1)
	}
}

const write = "-write"

// results is the text of vacscope help results. What stands behind figuresBegin is
// replaced.
const (
	results      = "cmd/vacscope/help/results.md"
	figuresBegin = "\nFigures\n"
)

func writeResults(figures string) error {
	text, err := os.ReadFile(results)
	if err != nil {
		return err
	}
	before, _, found := strings.Cut(string(text), figuresBegin)
	if !found {
		return fmt.Errorf("%s has no line %q", results, strings.TrimSpace(figuresBegin))
	}
	return os.WriteFile(results, []byte(before+figuresBegin+figures), 0o644)
}

// argsFor are the arguments for a package's tests: all, but flags of one package's
// own only for that.
func argsFor(p string) []string {
	return slices.DeleteFunc(slices.Clone(os.Args[1:]), func(arg string) bool {
		return arg == write || strings.HasPrefix(arg, "-observer.") && p != "./cmd/vacscope"
	})
}

// machine says what the figures are of.
func machine() string {
	cpu := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(info); m != nil {
			cpu = string(m[1])
		}
	}
	postgres := "PostgreSQL ?"
	dir := cmp.Or(os.Getenv("VACSCOPE_POSTGRES_DIR"), server.CacheDir())
	if programs, err := server.Find(filepath.Join(dir, "18", "bin"), 18); err == nil {
		postgres = "PostgreSQL " + programs.Version
	}
	return fmt.Sprintf("%s, %d cores, %s/%s\n%s, %s", cpu, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, postgres, runtime.Version())
}

// run runs go test, shows what it prints, and returns the table's lines.
func run(args []string) (lines [][]string, err error) {
	cmd := exec.Command("go", args...)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	scanner := bufio.NewScanner(stdout)
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		fmt.Println(scanner.Text())
		lines = append(lines, limitsOf(scanner.Text())...)
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return lines, cmd.Wait()
}

var cpuSuffix = regexp.MustCompile(`-\d+$`)

// limitsOf returns the table's lines for one line of go test's: "BenchmarkX-8 100
// 12 U 15 limit-U ...".
func limitsOf(line string) (out [][]string) {
	fields := strings.Fields(line)
	if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
		return nil
	}
	name := cpuSuffix.ReplaceAllString(strings.TrimPrefix(fields[0], "Benchmark"), "")
	metrics := map[string]string{}
	for i := 2; i+1 < len(fields); i += 2 {
		metrics[fields[i+1]] = fields[i]
	}
	for i := 3; i < len(fields); i += 2 {
		for prefix, sign := range map[string]string{"limit-": "≤", "least-": "≥"} {
			if unit, is := strings.CutPrefix(fields[i], prefix); is {
				out = append(out, []string{name, metrics[unit], sign + " " + fields[i-1], unit, verdict(metrics[unit], sign, fields[i-1])})
			}
		}
		if unit, is := strings.CutPrefix(fields[i], "beside-"); is {
			out = append(out, []string{name, fields[i-1], "", unit, ""})
		}
	}
	return out
}

const (
	holds       = "holds"
	doesNotHold = "DOES NOT HOLD"
)

func verdict(measured, sign, limit string) string {
	m, err := strconv.ParseFloat(measured, 64)
	l, limitErr := strconv.ParseFloat(limit, 64)
	if err == nil && limitErr == nil && (sign == "≤" && m <= l || sign == "≥" && m >= l) {
		return holds
	}
	return doesNotHold
}

// table puts the lines under each other.
func table(lines [][]string) string {
	lines = append([][]string{{"what", "measured", "limit", "unit", ""}}, lines...)
	widths := make([]int, 5)
	for _, l := range lines {
		for i, cell := range l {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	var out strings.Builder
	for _, l := range lines {
		row := fmt.Sprintf("%-*s  %*s  %*s  %-*s  %s", widths[0], l[0], widths[1], l[1], widths[2], l[2], widths[3], l[3], l[4])
		out.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	return out.String()
}
