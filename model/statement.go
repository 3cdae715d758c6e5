package model

import (
	"strconv"
	"strings"
)

// Statement is what a query text says of the vacuum it starts. The text may be
// cut at track_activity_query_size, so an option that is not seen may still be there.
type Statement struct {
	Command  string   // VACUUM, VACUUM FULL, CLUSTER, REPACK, ANALYZE; "" for anything else
	Parallel Opt[int] // n of PARALLEL n
	// IndexCleanupOff is INDEX_CLEANUP OFF: no pass over the indexes.
	IndexCleanupOff bool
	// Freeze is FREEZE or DISABLE_PAGE_SKIPPING: all-visible pages are read as well,
	// unless they are also all-frozen.
	Freeze bool
}

// parseStatement reads the beginning of a query text: comments and blanks are
// skipped, keywords are taken in any case.
func parseStatement(query Text) Statement {
	words := tokens(string(query))
	if len(words) == 0 {
		return Statement{}
	}
	command := strings.ToUpper(words[0])
	switch command {
	case "CLUSTER", "REPACK", "ANALYZE":
		return Statement{Command: command}
	case "VACUUM":
		return parseVacuum(words[1:])
	}
	return Statement{}
}

// parseVacuum reads the options that tell what is done.
func parseVacuum(words []string) Statement {
	st := Statement{Command: "VACUUM"}
	for _, o := range optionsOf(words) {
		switch o.Name {
		case "FULL":
			if o.on() {
				st.Command = "VACUUM FULL"
			}
		case "INDEX_CLEANUP":
			st.IndexCleanupOff = !o.on()
		case "FREEZE", "DISABLE_PAGE_SKIPPING":
			st.Freeze = st.Freeze || o.on()
		case "PARALLEL":
			if n, err := strconv.Atoi(o.Value); err == nil {
				st.Parallel = Some(n)
			}
		}
	}
	return st
}

// maxTokens is more than any option list holds; what follows does not matter.
const maxTokens = 64

// tokens splits the beginning of a statement into words and the signs ( ) ,
// leaving out blanks and comments.
func tokens(s string) []string {
	var out []string
	for s != "" && len(out) < maxTokens {
		switch {
		case strings.HasPrefix(s, "--"):
			_, s, _ = strings.Cut(s, "\n")
		case strings.HasPrefix(s, "/*"):
			s = afterComment(s)
		case strings.ContainsRune(" \t\r\n\f\v", rune(s[0])):
			s = s[1:]
		case strings.ContainsRune("(),;", rune(s[0])):
			out, s = append(out, s[:1]), s[1:]
		default:
			n := strings.IndexAny(s, " \t\r\n\f\v(),;")
			if n < 0 {
				n = len(s)
			}
			out, s = append(out, s[:n]), s[n:]
		}
	}
	return out
}

// afterComment returns what follows a /* comment */, which may be nested.
func afterComment(s string) string {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// AutovacuumTarget reads the relation's name out of an autovacuum worker's own
// text ("autovacuum: VACUUM ANALYZE public.t (to prevent wraparound)"). The server
// writes names unquoted, so that of a name with a dot in it cannot be told where
// the schema ends: then ok is false.
func AutovacuumTarget(query Text) (name RelationName, ok bool) {
	rest, ok := strings.CutPrefix(string(query), "autovacuum: ")
	if !ok {
		return RelationName{}, false
	}
	rest, ok = strings.CutPrefix(rest, "VACUUM ")
	rest, analyzes := strings.CutPrefix(rest, "ANALYZE ")
	schema, table, dotted := strings.Cut(strings.TrimSuffix(rest, antiWraparound), ".")
	if !ok && !analyzes || !dotted || schema == "" || table == "" || strings.Contains(table, ".") {
		return RelationName{}, false
	}
	return RelationName{Text(schema), Text(table)}, true
}

// PreventsWraparound tells, of an autovacuum worker's own text, that no lock request
// cancels it.
func PreventsWraparound(query Text) bool { return strings.HasSuffix(string(query), antiWraparound) }

// antiWraparound ends the text of an autovacuum that no lock request cancels.
const antiWraparound = " (to prevent wraparound)"
