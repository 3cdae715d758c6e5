package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ownCommands are the commands of this program and the root, without those that
// cobra adds.
func ownCommands() []*cobra.Command {
	return allCommands(newRootCommand())
}

// Every flag can be given by its variable but those that say that they cannot.
func TestEveryFlagHasItsVariable(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	values := map[string]string{"bool": "true", "string": "x", "stringArray": "x", "duration": "7s", "float64": "7", "int": "7"}
	for _, cmd := range ownCommands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !canBeSettled(f) {
				return
			}
			value, known := values[f.Value.Type()]
			if !known {
				t.Fatalf("--%s of %s is of the type %s, for which the test has no value", f.Name, cmd.Name(), f.Value.Type())
			}
			t.Setenv(variableOf(f), value)
			if err := settleFlags(cmd, nil); err != nil || !strings.Contains(f.Value.String(), value) {
				t.Errorf("%s=%s gives --%s of %s the value %q (%v)", variableOf(f), value, f.Name, cmd.Name(), f.Value, err)
			}
		})
	}
}

// Help fits 80 columns, and each command says what it does.
func TestHelpOfCommandsFitsATerminal(t *testing.T) {
	for _, cmd := range ownCommands() {
		var out bytes.Buffer
		cmd.SetOut(&out)
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if len([]rune(strings.TrimRight(line, "\n"))) > helpWidth {
				t.Errorf("%s --help has a long line: %s", cmd.Name(), line)
			}
		}
		if cmd.Short == "" {
			t.Errorf("%s has no short help", cmd.Name())
		}
	}
}

func TestCompletionOfShells(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var out bytes.Buffer
		root := newRootCommand()
		root.SetOut(&out)
		root.SetArgs([]string{"completion", shell})
		if err := root.Execute(); err != nil || !strings.Contains(out.String(), "vacscope") {
			t.Errorf("%s: %v, %d bytes", shell, err, out.Len())
		}
	}
	for args, want := range map[string]string{
		"--theme ":           "auto dark light",
		"snapshot --format ": "text json",
		"help connecting ":   "",
		"che":                "check",
		"check ":             "",
		"snapshot --unti":    "",
		"--until":            "--until-done",
	} {
		var out bytes.Buffer
		root := newRootCommand()
		root.SetOut(&out)
		root.SetArgs(append([]string{"__completeNoDesc"}, strings.Split(args, " ")...))
		if err := root.Execute(); err != nil {
			t.Fatal(err)
		}
		offered, _, _ := strings.Cut(out.String(), ":")
		if got := strings.Join(strings.Fields(offered), " "); got != want {
			t.Errorf("%q is completed with %q, want %q", args, got, want)
		}
	}
}
