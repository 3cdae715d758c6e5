package main

import (
	"strings"
	"testing"
)

func TestConfigLines(t *testing.T) {
	known := knownNames(newRootCommand())
	for text, want := range map[string]string{
		"":                                      "",
		"# nothing\n\n":                         "",
		"theme = light\n":                       "theme light",
		"  theme=light  ":                       "theme light",
		"table = \"Odd = Schema\".*\ntable=b\n": "table \"Odd = Schema\".*; table b",
		"dbname = host=db1 dbname=app":          "dbname host=db1 dbname=app",
		"dbname = postgres://dba@db1/app":       "dbname postgres://dba@db1/app",
		"ascii =":                               "ascii ",
		"pg-bindir = /opt/pg # mine":            "pg-bindir /opt/pg # mine",
	} {
		lines, err := parseConfig("file", text, known)
		var got []string
		for _, l := range lines {
			got = append(got, l.name+" "+l.value)
		}
		if err != nil || strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

// A line that cannot be taken is an error with its number, and repeats nothing that
// could be a secret.
func TestConfigLinesThatAreRefused(t *testing.T) {
	known := knownNames(newRootCommand())
	for text, want := range map[string]string{
		"theme = light\n\nthme = dark":                   `file:3: there is no setting "thme"`,
		"password = hunter2":                             "file:1: passwords",
		"Password=hunter2":                               "file:1: passwords",
		"dbname = host=db1 password = hunter2":           "file:1: passwords",
		"dbname = postgres://dba:hunter2@db1/app":        "file:1: passwords",
		"dbname = postgres://dba:hunter2%zz@db1/app":     "file:1: passwords",
		"dbname = postgres://db1/app?password=hunter2":   "file:1: passwords",
		"dbname = sslpassword=hunter2":                   "file:1: passwords",
		"postgres://dba:hunter2@db1/app?sslmode=disable": "file:1: a line is of the form",
		"password hunter2":                               "file:1: a line is of the form",
		"no-password = true":                             "file:1: there is no setting",
		"json = true":                                    "file:1: there is no setting",
		"help = true":                                    "file:1: there is no setting",
	} {
		lines, err := parseConfig("file", text, known)
		if err == nil || !strings.HasPrefix(err.Error(), want) || exitStatus(err) != exitUsage {
			t.Errorf("%q: %v, %v", text, lines, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: the password is repeated: %v", text, err)
		}
	}
}
