package main

import (
	"strings"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/lab"
	"example.com/vacscope/poll/server"
	"github.com/spf13/pflag"
)

// variantFlags are --variant, and -c, which belongs to the --variant before it.
type variantFlags struct {
	common   *[]string // of -c before any --variant
	variants []variant
}

// variant is settings under a name.
type variant struct {
	name     string
	settings []string
}

// add adds --variant, and makes -c, which stands there already, one that follows it.
func (f *variantFlags) add(flags *pflag.FlagSet, common *[]string) {
	f.common = common
	flags.Var(&variantName{f}, "variant", "the settings of -c behind it are a side that is compared, `NAME`; can be repeated")
	config := flags.Lookup("config")
	config.Value, config.DefValue = &variantSetting{f}, ""
	config.Usage = "`NAME=VALUE` for the server's postgresql.conf: of the --variant before it, else of all; can be repeated"
	onlyWritten(flags, "variant", "config")
}

// check refuses what cannot be told apart, and settings that are none.
func (f *variantFlags) check() error {
	seen := map[string]bool{}
	for _, v := range f.variants {
		if v.name == "" {
			return usageErrorf("--variant needs a name")
		}
		if seen[v.name] {
			return usageErrorf("two variants are called %s", model.Text(v.name).Display())
		}
		seen[v.name] = true
		if err := checkSettings(v.settings); err != nil {
			return err
		}
	}
	return nil
}

// sides are the variants on each of the server programs.
func (f *variantFlags) sides(programs []namedPrograms) []lab.BenchSide {
	variants := f.variants
	if len(variants) == 0 {
		variants = []variant{{}}
	}
	var out []lab.BenchSide
	for _, p := range programs {
		for _, v := range variants {
			out = append(out, lab.BenchSide{Name: sideName(p.name, v.name, p.Programs), ProgramsName: p.name, Programs: p.Programs, Settings: v.settings})
		}
	}
	return out
}

func sideName(programs, variant string, p server.Programs) string {
	switch {
	case programs != "" && variant != "":
		return programs + ", " + variant
	case programs == "" && variant == "":
		version, _, _ := strings.Cut(p.Version, " ") // without what a packager adds
		return version
	}
	return programs + variant
}

// variantName is the value of --variant.
type variantName struct{ of *variantFlags }

// Set begins another variant.
func (v *variantName) Set(name string) error {
	v.of.variants = append(v.of.variants, variant{name: strings.TrimSpace(name)})
	return nil
}

// String is what the help shows as its default: nothing.
func (v *variantName) String() string { return "" }

// Type is what the help calls its value.
func (v *variantName) Type() string { return "name" }

// variantSetting is the value of -c.
type variantSetting struct{ of *variantFlags }

// Set adds a setting to the last variant, else to the common ones.
func (v *variantSetting) Set(setting string) error {
	into := v.of.common
	if n := len(v.of.variants); n > 0 {
		into = &v.of.variants[n-1].settings
	}
	*into = append(*into, setting)
	return nil
}

// String is what the help shows as its default: nothing.
func (v *variantSetting) String() string { return "" }

// Type is what the help calls its value.
func (v *variantSetting) Type() string { return "name=value" }
