package main

import (
	"reflect"
	"strings"
	"testing"

	"example.com/vacscope/poll/server"
	"github.com/spf13/pflag"
)

// readVariants reads flags as the command line of a workload has them.
func readVariants(t *testing.T, args string) (*variantFlags, *throwawayFlags) {
	t.Helper()
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	var throwaway throwawayFlags
	var f variantFlags
	throwaway.add(flags)
	f.add(flags, &throwaway.settings)
	if err := flags.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	return &f, &throwaway
}

// -c belongs to the --variant before it, and before any to all sides.
func TestSettingsBelongToTheVariantBeforeThem(t *testing.T) {
	f, throwaway := readVariants(t, "-c all=1 --variant low --pg 18 -c a=1 -c b=2 --variant none --variant high -c a=9")
	if want := []string{"all=1"}; !reflect.DeepEqual(throwaway.settings, want) {
		t.Errorf("of all: %q", throwaway.settings)
	}
	want := []variant{{"low", []string{"a=1", "b=2"}}, {"none", nil}, {"high", []string{"a=9"}}}
	if !reflect.DeepEqual(f.variants, want) {
		t.Errorf("%q", f.variants)
	}
	if err := f.check(); err != nil {
		t.Error(err)
	}
}

func TestVariantsThatCannotBe(t *testing.T) {
	for args, want := range map[string]string{
		"--variant a -c x=1 --variant a": "two variants are called a",
		"--variant= -c x=1":              "--variant needs a name",
		"--variant a -c x":               `-c: setting "x" is not of the form name=value`,
		"--variant a -c =1":              `setting "=1" is not of the form`,
		"--variant a -c Port=1":          "port is set by vacscope itself",
	} {
		f, _ := readVariants(t, args)
		if err := f.check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}

// Every variant runs on each of the server programs.
func TestSidesAreVariantsOnPrograms(t *testing.T) {
	names := func(args string, programs ...namedPrograms) string {
		f, _ := readVariants(t, args)
		var out []string
		for _, side := range f.sides(programs) {
			out = append(out, side.Name)
		}
		return strings.Join(out, "; ")
	}
	one := namedPrograms{"", server.Programs{Version: "18.4 (Debian 18.4-1)"}}
	a, b := namedPrograms{name: "head"}, namedPrograms{name: "patched"}
	for _, c := range []struct{ got, want string }{
		{names("", one), "18.4"},
		{names("--variant x --variant y", one), "x; y"},
		{names("", a, b), "head; patched"},
		{names("--variant x --variant y", a, b), "head, x; head, y; patched, x; patched, y"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}
