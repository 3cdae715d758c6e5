package experiment

import (
	"regexp"
	"slices"
	"strings"
)

// optionsOnly are the configure options that only one of two builds has, as one text:
// "none of its own" without any, "unknown ones" where it does not tell.
func optionsOnly(of, other ServerPrograms) string {
	if !of.Configure.Known() {
		return "unknown ones"
	}
	others := configureOptions(other.Configure.Or(""))
	only := slices.DeleteFunc(configureOptions(of.Configure.Or("")), func(o string) bool { return slices.Contains(others, o) })
	if len(only) == 0 {
		return "none of its own"
	}
	return strings.Join(only, " ")
}

// isFolder finds options that say where a build is installed.
var isFolder = regexp.MustCompile(`^--(prefix|[a-z]*dir)=`)

// configureOptions splits what pg_config tells: words, each in single quotes where it was
// given so. Where a build is installed makes no difference.
func configureOptions(line string) []string {
	var out []string
	add := func(word string) {
		word = strings.TrimSpace(word)
		if word != "" && !isFolder.MatchString(word) {
			out = append(out, word)
		}
	}
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			add(part)
			continue
		}
		for _, word := range strings.Fields(part) {
			add(word)
		}
	}
	return out
}
