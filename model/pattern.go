package model

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// TablePattern names tables as vacuumdb -t does, with psql's wildcards: TABLE or
// SCHEMA.TABLE. Without double quotes letters are folded to lower case, * stands for
// any characters and ? for one; within double quotes every character stands for
// itself, and "" for a quote. A pattern without schema means tables of every schema.
type TablePattern struct {
	text          string
	schema, table *regexp.Regexp // schema is nil: any
}

// ParseTablePattern reads a pattern.
func ParseTablePattern(pattern string) (TablePattern, error) {
	parts, err := patternParts(pattern)
	if err != nil {
		return TablePattern{}, fmt.Errorf("%q: %w", pattern, err)
	}
	p := TablePattern{text: pattern, table: parts[len(parts)-1]}
	switch len(parts) {
	case 1:
	case 2:
		p.schema = parts[0]
	default:
		return TablePattern{}, fmt.Errorf("%q has %d names; it can be TABLE or SCHEMA.TABLE", pattern, len(parts))
	}
	return p, nil
}

// String is the pattern as it was written.
func (p TablePattern) String() string { return p.text }

// Matches tells whether a relation's name fits.
func (p TablePattern) Matches(n RelationName) bool {
	return p.table.MatchString(string(n.Name)) && (p.schema == nil || p.schema.MatchString(string(n.Schema)))
}

// patternParts are the names of a pattern, between dots that are not quoted.
func patternParts(pattern string) ([]*regexp.Regexp, error) {
	var parts []*regexp.Regexp
	var name strings.Builder
	quoted := false
	end := func() error {
		if name.Len() == 0 {
			return errors.New("a name is empty")
		}
		parts = append(parts, regexp.MustCompile(`^(?s:`+name.String()+`)$`))
		name.Reset()
		return nil
	}
	runes := []rune(pattern)
	for i := 0; i < len(runes); i++ {
		switch r := runes[i]; {
		case r == '"' && quoted && i+1 < len(runes) && runes[i+1] == '"':
			name.WriteRune('"')
			i++
		case r == '"':
			quoted = !quoted
		case quoted:
			name.WriteString(regexp.QuoteMeta(string(r)))
		case r == '.':
			if err := end(); err != nil {
				return nil, err
			}
		case r == '*':
			name.WriteString(".*")
		case r == '?':
			name.WriteString(".")
		case r == '(':
			return nil, errors.New("columns cannot be named")
		default:
			name.WriteString(regexp.QuoteMeta(strings.ToLower(string(r))))
		}
	}
	if quoted {
		return nil, errors.New("a double quote is not closed")
	}
	return parts, end()
}
