package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "example.com/vacscope/"

// allowed are the packages of this module that each part may import. Data goes
// one way: what a vacuum is (model) knows neither how it is read (poll) nor how it
// is drawn (tui), and only the command knows both.
var allowed = map[string][]string{
	"model":                   {},
	"model/captured":          {},
	"model/experiment":        {"model", "model/report/statistics"},
	"model/report":            {"model", "model/experiment", "model/report/statistics"},
	"model/report/statistics": {"model"},
	"poll":                    {"model"},
	"poll/act":                {"model", "poll"},
	"poll/record":             {"model"},
	"poll/replay":             {"model"},
	"poll/server":             {},
	"poll/lab":                {"model", "model/experiment", "poll/server"},
	"poll/pgtest":             {"poll/server"},
	"tui":                     {"model", "model/report"},
	"cmd/vacscope/early":      {},
	"cmd/vacscope":            {"model", "model/experiment", "model/report", "poll", "poll/act", "poll/record", "poll/replay", "poll/server", "poll/lab", "tui", "cmd/vacscope/early"},
}

// forbidden are what a part may not reach at all, not even through others.
var forbidden = map[string][]string{
	"model":        {"github.com/", "golang.org/", "net", "os/exec", "database/sql"},
	"model/report": {"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/lipgloss", "github.com/jackc/", "net"},
	"poll":         {"github.com/charmbracelet/", "github.com/spf13/"},
	"poll/act":     {"github.com/charmbracelet/", "github.com/spf13/"},
	"poll/record":  {"github.com/charmbracelet/", "github.com/jackc/", "net"},
	"poll/replay":  {"github.com/charmbracelet/", "github.com/jackc/", "net"},
	"poll/server":  {"github.com/charmbracelet/bubbletea", "github.com/charmbracelet/lipgloss"},
	"tui":          {"github.com/jackc/", "net"},
}

// goPackage is what go list says of a package.
type goPackage struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
	Deps                               []string
}

func TestImportsGoOneWay(t *testing.T) {
	packages := listPackages(t)
	if len(packages) == 0 {
		t.Fatal("go list found no package")
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		edges, known := allowed[name]
		if !known {
			t.Errorf("%s is not in the list of packages and what they may import", name)
		}
		for _, imported := range p.Imports {
			if own, is := strings.CutPrefix(imported, module); is && !slices.Contains(edges, own) {
				t.Errorf("%s imports %s", name, own)
			}
		}
		for _, dep := range p.Deps {
			if slices.ContainsFunc(forbidden[name], func(f string) bool { return dep == f || strings.HasSuffix(f, "/") && strings.HasPrefix(dep, f) }) {
				t.Errorf("%s reaches %s", name, dep)
			}
		}
	}
}

// Time comes from samples: neither the fold nor the screen reads a clock.
func TestModelAndScreenHaveNoClock(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if part, _, _ := strings.Cut(name, "/"); part != "model" && part != "tui" {
			continue
		}
		for _, file := range p.GoFiles {
			source, err := os.ReadFile(filepath.Join(p.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			for _, call := range []string{"time.Now(", "time.Since(", "time.Until(", "tea.Tick(", "tea.Every("} {
				if strings.Contains(string(source), call) {
					t.Errorf("%s/%s calls %s)", name, file, call)
				}
			}
		}
	}
}

// listPackages are the packages of the module, without tests.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("read go list's answer: %v", err)
		}
		packages = append(packages, p)
	}
}
