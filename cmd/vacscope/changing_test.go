package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// mayChange are the packages that may change a server: by the gate, and the throwaway
// server's own.
var mayChange = []string{"poll/act", "poll/server", "poll/lab", "poll/pgtest"}

var (
	// changing begins a statement that changes something that outlives it, or runs a
	// function that does.
	changing = regexp.MustCompile(`(?i)^\s*((vacuum|analyze|reindex|cluster|repack|copy|call|do|grant|revoke|truncate)\s+\S|(alter|create|drop|comment|security|refresh|import)\s+\w+\s+\S|lock\s+table|insert\s+into|update\s+\S+\s+set|delete\s+from|merge\s+into|checkpoint\b|set\s+(session|role)\b)` +
		`|pg_(cancel_backend|terminate_backend|reload_conf|rotate_logfile|stat_reset\w*|promote|switch_wal|logical_emit_message|advisory_\w*lock\w*|create_\w+|drop_\w+)\s*\(|set_config\s*\(|lo_\w+\s*\(`)
	// asked are questions about rights, which name a function without calling it.
	asked = regexp.MustCompile(`(?i)has_\w+_privilege\s*\([^)]*\)?'[^)]*\)`)
)

// A package that can send something to a server has, outside of those that may change
// one, no statement that does.
func TestNothingButTheGateChangesAServer(t *testing.T) {
	sending := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != "../.." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir // scripts for the project itself
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		folder := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(path, "../../")))
		for _, may := range mayChange {
			if folder == may {
				return nil
			}
		}
		if folder != "poll" {
			if file := parsed(t, path); importsPgx(file) && sends(file) {
				t.Errorf("%s sends statements: only poll does", path)
			}
			return nil
		}
		sending++
		for _, literal := range literals(parsed(t, path)) {
			if found := changing.FindString(asked.ReplaceAllString(literal, "")); found != "" {
				t.Errorf("%s: %q in %q", path, found, literal)
			}
		}
		return nil
	})
	if err != nil || sending == 0 {
		t.Fatalf("%d files of poll were read: %v", sending, err)
	}
}

func TestChangingStatementsAreRecognized(t *testing.T) {
	for _, sql := range []string{
		"VACUUM t", "analyze t", " ALTER SYSTEM SET a = 1", "select pg_catalog.pg_cancel_backend(1)", "SELECT pg_terminate_backend(1)",
		"select pg_reload_conf()", "create table t()", "drop table t", "select set_config('a', 'b', false)", "update t set a = 1",
	} {
		if !changing.MatchString(asked.ReplaceAllString(sql, "")) {
			t.Errorf("%s passes", sql)
		}
	}
	for _, sql := range []string{"select s.setting from pg_catalog.pg_settings s", "select pg_catalog.has_function_privilege('pg_catalog.pg_reload_conf()', 'execute')"} {
		if found := changing.FindString(asked.ReplaceAllString(sql, "")); found != "" {
			t.Errorf("%s is refused for %q", sql, found)
		}
	}
}

func parsed(t *testing.T, path string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func importsPgx(file *ast.File) bool {
	for _, i := range file.Imports {
		if strings.HasPrefix(strings.Trim(i.Path.Value, `"`), "github.com/jackc/pgx") {
			return true
		}
	}
	return false
}

// sends tells whether a file calls what sends a statement.
func sends(file *ast.File) bool {
	found := false
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if method, ok := call.Fun.(*ast.SelectorExpr); ok {
				switch method.Sel.Name {
				case "Exec", "ExecParams", "ExecPrepared", "Query", "QueryRow", "SendBatch", "StartPipeline", "CopyFrom", "CopyTo":
					found = true
				}
			}
		}
		return true
	})
	return found
}

// literals are the strings in a file.
func literals(file *ast.File) []string {
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
		return true
	})
	return out
}
