package model

import (
	"strings"
	"unicode/utf8"
)

// tablesOf reads which tables a VACUUM, VACUUM FULL, CLUSTER or REPACK names, in
// its order; none is the whole database. Schema is empty where the text names
// none. It is not ok where the text can have been cut (limit is
// track_activity_query_size), and where it is not understood to its end: then the
// list could be wrong.
func tablesOf(query Text, limit Opt[int]) (tables []RelationName, ok bool) {
	if mayBeCut(query, limit) {
		return nil, false
	}
	p := namesParser{words: lex(string(query))}
	if !p.skipOptions() {
		return nil, false
	}
	for more := !p.atEnd(); more; more = p.take(",") {
		name, ok := p.table()
		if !ok {
			return nil, false
		}
		tables = append(tables, name)
	}
	return tables, p.atEnd()
}

// WholeDatabase tells that a statement vacuums all tables of its database.
func WholeDatabase(query Text) bool {
	switch parseStatement(query).Command {
	case "VACUUM", "VACUUM FULL":
		tables, ok := tablesOf(query, None[int]())
		return ok && len(tables) == 0
	}
	return false
}

// maxQueryKept is how many characters of a query's text the samples keep.
const maxQueryKept = 1000

// mayBeCut tells that the text is about as long as the server keeps of one, which
// it cuts between characters, or as long as the samples do.
func mayBeCut(query Text, limit Opt[int]) bool {
	const longest = 4 // bytes of a character
	most := limit.Or(1024)
	return len(query) >= most-longest || utf8.RuneCountInString(string(query)) >= maxQueryKept
}

// word is a keyword, an identifier or a sign of a statement.
type word struct {
	text   string // an identifier as the server folds it
	quoted bool   // "written so": no keyword
	sign   bool   // one of ( ) , ; . *
	bad    bool   // what is not expected in a list of tables
}

// lex splits a statement into words, leaving out blanks and comments. Strings and
// numbers, which only options have, are words like others.
func lex(s string) []word {
	var out []word
	for s != "" {
		switch {
		case strings.HasPrefix(s, "--"):
			_, s, _ = strings.Cut(s, "\n")
		case strings.HasPrefix(s, "/*"):
			s = afterComment(s)
		case strings.ContainsRune(blanks, rune(s[0])):
			s = s[1:]
		case strings.ContainsRune("(),;.*", rune(s[0])):
			out, s = append(out, word{text: s[:1], sign: true}), s[1:]
		case s[0] == '"' || s[0] == '\'':
			text, rest, ok := quotedWord(s)
			out, s = append(out, word{text: text, quoted: true, bad: !ok || s[0] == '\''}), rest
		default:
			n := strings.IndexAny(s, blanks+"(),;.*\"'")
			if n < 0 {
				n = len(s)
			}
			out, s = append(out, word{text: foldASCII(s[:n]), bad: !isName(s[:n])}), s[n:]
		}
	}
	return out
}

const blanks = " \t\r\n\f\v"

// quotedWord takes a quoted identifier or string from the beginning; a doubled
// quote stands for one.
func quotedWord(s string) (text, rest string, ok bool) {
	quote, body := s[:1], s[1:]
	var b strings.Builder
	for {
		before, after, found := strings.Cut(body, quote)
		b.WriteString(before)
		if !found {
			return b.String(), "", false
		}
		if !strings.HasPrefix(after, quote) {
			return b.String(), after, b.Len() > 0
		}
		b.WriteString(quote)
		body = after[1:]
	}
}

// isName tells whether unquoted text can name a table: letters (of any alphabet),
// digits, _ and $. U&"..." is not one, as its prefix has an ampersand.
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && r != utf8.RuneError
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || r == '$')) {
			return false
		}
	}
	return s != ""
}

// foldASCII is how the server folds names in every encoding that has more than one
// byte for a letter.
func foldASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// namesParser goes through the words of a statement.
type namesParser struct {
	words []word
}

func (p *namesParser) atEnd() bool {
	for _, w := range p.words {
		if !w.sign || w.text != ";" {
			return false
		}
	}
	return true
}

func (p *namesParser) take(sign string) bool {
	if len(p.words) == 0 || !p.words[0].sign || p.words[0].text != sign {
		return false
	}
	p.words = p.words[1:]
	return true
}

func (p *namesParser) keyword(names ...string) bool {
	if len(p.words) == 0 || p.words[0].quoted {
		return false
	}
	for _, name := range names {
		if p.words[0].text == name {
			p.words = p.words[1:]
			return true
		}
	}
	return false
}

// skipOptions passes over the command and its options, in both forms.
func (p *namesParser) skipOptions() bool {
	if !p.keyword("vacuum", "cluster", "repack") {
		return false
	}
	if p.take("(") {
		return p.skipParentheses()
	}
	for p.keyword("full", "freeze", "verbose", "analyze", "analyse") {
	}
	return true
}

// skipParentheses passes over what stands before the closing one.
func (p *namesParser) skipParentheses() bool {
	for len(p.words) > 0 {
		if p.take(")") {
			return true
		}
		if p.words[0].sign && p.words[0].text == "(" {
			return false
		}
		p.words = p.words[1:]
	}
	return false
}

// table takes [ONLY] [[database.]schema.]name [*] [(columns)].
func (p *namesParser) table() (name RelationName, ok bool) {
	if len(p.words) > 1 && !p.words[1].sign {
		p.keyword("only")
	}
	var parts []string
	for {
		if len(p.words) == 0 || p.words[0].sign || p.words[0].bad {
			return name, false
		}
		parts = append(parts, p.words[0].text)
		p.words = p.words[1:]
		if !p.take(".") {
			break
		}
	}
	p.take("*")
	if p.take("(") && !p.skipParentheses() {
		return name, false
	}
	name.Name = Text(parts[len(parts)-1])
	if n := len(parts); n > 1 {
		name.Schema = Text(parts[n-2])
	}
	return name, len(parts) <= 3
}

// names tells whether a name of a statement means the relation: one without a
// schema means that of any.
func (n RelationName) names(o RelationName) bool {
	return n.Name == o.Name && (n.Schema == "" || n.Schema == o.Schema)
}
