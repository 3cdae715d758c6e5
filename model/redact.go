package model

import (
	"slices"
	"strings"
)

// Redacted is a sample without the query texts of sessions that do not vacuum: of a
// statement that does, the text stays up to its first semicolon; of another only the
// first words that say what it is. Nothing of the sample itself is written.
func Redacted(s Sample) Sample {
	if s.Poll == nil {
		return s
	}
	p := *s.Poll
	s.Poll = &p
	p.Processes = redactedAll(p.Processes, func(of *Process) *Opt[Text] { return &of.Query })
	p.Holders = redactedAll(p.Holders, queryOfHolder)
	if h := p.Horizon; h != nil {
		redacted := *h
		p.Horizon = &redacted
		redacted.Sessions = redactedAll(h.Sessions, func(of *XminHolder) *Opt[Text] { return &of.Query })
	}
	if q := p.Queue; q != nil {
		redacted := *q
		p.Queue = &redacted
		redacted.Holders = redactedAll(q.Holders, queryOfHolder)
	}
	return s
}

// redactedAll is a copy of a list with what stays of each one's query text.
func redactedAll[T any](list []T, query func(*T) *Opt[Text]) []T {
	list = slices.Clone(list)
	for i := range list {
		text := query(&list[i])
		*text = redactedQuery(*text)
	}
	return list
}

func queryOfHolder(of *Holder) *Opt[Text] { return &of.Query }

// redactedQuery is what stays of a query text.
func redactedQuery(query Opt[Text]) Opt[Text] {
	text, known := query.Get()
	if !known || text == "" {
		return query
	}
	if strings.HasPrefix(string(text), "autovacuum: ") || parseStatement(text).Command != "" {
		statement, _, _ := strings.Cut(string(text), ";")
		return Some(Text(statement))
	}
	return Some(Text(statementKind(string(text))))
}

// kindWords are words that can stand second in what says of which kind a statement is.
var kindWords = []string{"TABLE", "INDEX", "VIEW", "DATABASE", "ROLE", "USER", "SYSTEM", "TRIGGER", "TYPE", "SCHEMA", "SEQUENCE", "FUNCTION",
	"MATERIALIZED", "UNIQUE", "EXTENSION", "PUBLICATION", "SUBSCRIPTION", "INTO", "FROM", "TRANSACTION", "PREPARED"}

// statementKind is the first word of a statement, and its second where that is one of
// kindWords: ALTER TABLE.
func statementKind(text string) string {
	words := tokens(text)
	if len(words) == 0 || !isWord(words[0]) {
		return ""
	}
	kind := strings.ToUpper(words[0])
	if len(words) > 1 && slices.Contains(kindWords, strings.ToUpper(words[1])) {
		kind += " " + strings.ToUpper(words[1])
	}
	return kind
}

// isWord tells of a keyword: letters only, and no longer than any.
func isWord(s string) bool {
	const longest = 24
	return len(s) <= longest && strings.IndexFunc(s, func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }) < 0
}
