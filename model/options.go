package model

import "strings"

// StatementOption is one option of a VACUUM statement.
type StatementOption struct {
	Name  string // in capitals: PARALLEL, FREEZE
	Value string // as written, without quotes; "" where none was
}

// on tells whether a boolean option is set: alone it is, as with on, true and 1.
func (o StatementOption) on() bool {
	switch strings.ToLower(o.Value) {
	case "off", "false", "0":
		return false
	}
	return true
}

// optionsOf reads the options that follow the command's word: a list in
// parentheses, or the bare words of VACUUM's old form (VACUUM FULL FREEZE t).
func optionsOf(words []string) []StatementOption {
	var out []StatementOption
	if len(words) == 0 || words[0] != "(" {
		for _, w := range words {
			name := strings.ToUpper(w)
			switch name {
			case "ANALYSE":
				name = "ANALYZE"
			case "FULL", "FREEZE", "VERBOSE", "ANALYZE":
			default:
				return out
			}
			out = append(out, StatementOption{Name: name})
		}
		return out
	}
	var option []string
	for _, w := range words[1:] {
		if w != "," && w != ")" {
			option = append(option, w)
			continue
		}
		if len(option) > 0 {
			value := strings.Trim(strings.Join(option[1:], " "), "'")
			out = append(out, StatementOption{strings.ToUpper(option[0]), value})
		}
		if w == ")" {
			break
		}
		option = nil
	}
	return out
}

// VacuumOptions are the options of a VACUUM's text as it stands, which may be cut,
// and what holds for those it does not name on a server of that version.
func VacuumOptions(query Text, version int) (stated, defaults []StatementOption) {
	words := tokens(string(query))
	if len(words) == 0 || !strings.EqualFold(words[0], "VACUUM") {
		return nil, nil
	}
	stated = optionsOf(words[1:])
	for _, d := range vacuumDefaults(version) {
		named := false
		for _, o := range stated {
			named = named || o.Name == d.Name
		}
		if !named {
			defaults = append(defaults, d)
		}
	}
	return stated, defaults
}

// vacuumDefaults are the options of VACUUM with their defaults, in the versions
// that have them.
func vacuumDefaults(version int) []StatementOption {
	major := version / 10000
	indexCleanup, truncate := "auto", "on"
	if major < 14 {
		indexCleanup = "on"
	}
	if major >= 18 {
		truncate = "vacuum_truncate"
	}
	var out []StatementOption
	for _, o := range []struct {
		name, value string
		since       int
	}{
		{"FULL", "off", 13}, {"FREEZE", "off", 13}, {"ANALYZE", "off", 13}, {"VERBOSE", "off", 13},
		{"DISABLE_PAGE_SKIPPING", "off", 13}, {"SKIP_LOCKED", "off", 13}, {"INDEX_CLEANUP", indexCleanup, 13},
		{"PROCESS_MAIN", "on", 16}, {"PROCESS_TOAST", "on", 14}, {"TRUNCATE", truncate, 13},
		{"PARALLEL", "as many as there are indexes for", 13}, {"SKIP_DATABASE_STATS", "off", 16},
		{"ONLY_DATABASE_STATS", "off", 16}, {"BUFFER_USAGE_LIMIT", "vacuum_buffer_usage_limit", 16},
	} {
		if major >= o.since {
			out = append(out, StatementOption{o.name, o.value})
		}
	}
	return out
}
