//go:build ignore

// Command bench runs the benchmarks of the module and prints those that have a
// limit as a table: what, measured, limit, and whether it holds. It exits 1 when one
// does not hold or a benchmark fails.
//
// A benchmark states a limit by a metric of its own, "limit-U" for the most that
// its metric "U" may be, or "least-U" for the least. Arguments go to go test: to try
// one, -bench NAME. -short makes the long ones short; what they measure then says
// little.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// packages that have benchmarks, in the order in which they are run: one after
// another, so that none disturbs the next.
var packages = []string{"./model/...", "./tui", "./poll", "./cmd/vacscope"}

func main() {
	fmt.Println(machine())
	ok := true
	var lines [][]string
	for _, p := range packages {
		command := append([]string{"test", "-run", "^$", "-bench", ".", "-benchmem", "-timeout", "0", p}, os.Args[1:]...)
		found, err := run(command)
		lines = append(lines, found...)
		ok = ok && err == nil
	}
	fmt.Println()
	ok = printTable(lines) && ok
	if !ok {
		os.Exit(1)
	}
}

// machine says what the figures are of.
func machine() string {
	cpu := runtime.GOARCH
	if info, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if m := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(info); m != nil {
			cpu = string(m[1])
		}
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, %s", cpu, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
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
	}
	return out
}

const holds = "holds"

func verdict(measured, sign, limit string) string {
	m, err := strconv.ParseFloat(measured, 64)
	l, limitErr := strconv.ParseFloat(limit, 64)
	if err == nil && limitErr == nil && (sign == "≤" && m <= l || sign == "≥" && m >= l) {
		return holds
	}
	return "DOES NOT HOLD"
}

// printTable prints the lines and tells whether every limit holds.
func printTable(lines [][]string) bool {
	lines = append([][]string{{"what", "measured", "limit", "unit", ""}}, lines...)
	widths := make([]int, 5)
	for _, l := range lines {
		for i, cell := range l {
			widths[i] = max(widths[i], len([]rune(cell)))
		}
	}
	ok := len(lines) > 1
	for i, l := range lines {
		ok = ok && (i == 0 || l[4] == holds)
		row := fmt.Sprintf("%-*s  %*s  %*s  %-*s  %s", widths[0], l[0], widths[1], l[1], widths[2], l[2], widths[3], l[3], l[4])
		fmt.Println(strings.TrimRight(row, " "))
	}
	return ok
}
