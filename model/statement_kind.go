package model

import (
	"slices"
	"strings"
)

// objectWords follow ALTER, CREATE, DROP and their like in the kind of a statement.
var objectWords = []string{
	"TABLE", "UNIQUE", "INDEX", "CONCURRENTLY", "MATERIALIZED", "VIEW", "SEQUENCE", "SCHEMA", "DATABASE", "TRIGGER", "FUNCTION",
	"PROCEDURE", "TYPE", "POLICY", "STATISTICS", "FOREIGN", "PUBLICATION", "SUBSCRIPTION", "EXTENSION", "ROLE",
}

// StatementKind is what a query text does, in the words of SQL: "ALTER TABLE",
// "CREATE INDEX CONCURRENTLY", "VACUUM FULL", "autovacuum: VACUUM". Names are not part
// of it; a text that begins with no keyword is called by its first word. "" for none.
func StatementKind(query Text) string {
	if rest, ok := strings.CutPrefix(string(query), "autovacuum: "); ok {
		command, _, _ := strings.Cut(rest, " ")
		return "autovacuum: " + command
	}
	words := tokens(string(query))
	if len(words) == 0 {
		return ""
	}
	if command := parseStatement(query).Command; command != "" {
		return command
	}
	kind := strings.ToUpper(words[0])
	switch kind {
	case "ALTER", "CREATE", "DROP", "LOCK", "REFRESH", "TRUNCATE", "REINDEX":
	default:
		const longest = 30
		first := Text(words[0])
		if isPlainIdent(strings.ToLower(words[0])) {
			first = Text(kind)
		}
		return string(first[:min(len(first), longest)])
	}
	for _, w := range words[1:] {
		w = strings.ToUpper(w)
		if !slices.Contains(objectWords, w) {
			break
		}
		kind += " " + w
	}
	return kind
}
