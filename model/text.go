package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text is text as the server gave it: names, query texts, notices. It may hold
// control characters, bytes that are not UTF-8 (another database's encoding) and
// anything else that somebody could put into a name. It is kept raw, for JSON
// and for quoting, and is printed only through Display.
type Text string

// JSON holds Unicode only. There a byte that is not UTF-8 is the private-use character
// at badByte + the byte. Such a character in the text itself is written as its bytes
// would be, so that reading gives back exactly what was written.
const (
	badByte      = 0x10FE00
	firstBadByte = badByte + utf8.RuneSelf
	lastBadByte  = badByte + 0xFF
)

// MarshalJSON writes the text as a string.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.unicode()) }

// unicode is the text with bytes that are not UTF-8 as characters.
func (t Text) unicode() string {
	plain := func(r rune) bool { return r != utf8.RuneError && (r < firstBadByte || r > lastBadByte) }
	if strings.IndexFunc(string(t), func(r rune) bool { return !plain(r) }) < 0 {
		return string(t)
	}
	var b strings.Builder
	for i := 0; i < len(t); {
		r, size := utf8.DecodeRuneInString(string(t[i:]))
		if plain(r) || r == utf8.RuneError && size > 1 { // U+FFFD itself
			b.WriteString(string(t[i : i+size]))
		} else {
			for _, raw := range []byte(t[i : i+size]) {
				b.WriteRune(badByte + rune(raw))
			}
		}
		i += size
	}
	return b.String()
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (t *Text) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	isBad := func(r rune) bool { return r >= firstBadByte && r <= lastBadByte }
	if strings.IndexFunc(s, isBad) < 0 {
		*t = Text(s)
		return nil
	}
	var raw []byte
	for _, r := range s {
		if isBad(r) {
			raw = append(raw, byte(r-badByte))
		} else {
			raw = utf8.AppendRune(raw, r)
		}
	}
	*t = Text(raw)
	return nil
}

// maxMarks is how many combining marks stay on one base character: more would
// draw over the neighbouring rows.
const maxMarks = 3

// Display returns the text with everything a terminal could obey or be confused
// by made visible: \n, \t, \x1b for controls, \u{202e} for format, bidi and
// private-use characters, \xE9 for bytes that are not UTF-8. Variation selectors
// are dropped (they change a character's width) and at most three combining
// marks are kept on a character.
func (t Text) Display() string {
	var b strings.Builder
	marks := 0
	for i := 0; i < len(t); {
		r, size := utf8.DecodeRuneInString(string(t[i:]))
		raw := t[i : i+size]
		i += size
		if r == utf8.RuneError && size == 1 {
			fmt.Fprintf(&b, `\x%02X`, raw[0])
			marks = 0
			continue
		}
		if unicode.In(r, unicode.Mn, unicode.Me) {
			if isVariationSelector(r) {
				continue
			}
			if marks++; marks > maxMarks {
				continue
			}
			b.WriteString(string(raw))
			continue
		}
		marks = 0
		writeVisible(&b, r)
	}
	return b.String()
}

func writeVisible(b *strings.Builder, r rune) {
	const zeroWidthJoiner = '\u200d'
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\t':
		b.WriteString(`\t`)
	case r == '\r':
		b.WriteString(`\r`)
	case r < 0x20:
		fmt.Fprintf(b, `\x%02x`, r)
	case r == zeroWidthJoiner:
		b.WriteRune(r)
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Zl, unicode.Zp):
		fmt.Fprintf(b, `\u{%x}`, r)
	default:
		b.WriteRune(r)
	}
}

func isVariationSelector(r rune) bool {
	return (r >= 0xFE00 && r <= 0xFE0F) || (r >= 0xE0100 && r <= 0xE01EF)
}

// QuoteIdent returns the text as an SQL identifier: as it is when it needs no
// quotes, else in double quotes with quotes doubled. Keywords are not known
// here, so the result is for reading and for places where any identifier may
// stand; statements that are sent quote every name.
func (t Text) QuoteIdent() Text {
	if isPlainIdent(string(t)) {
		return t
	}
	return Text(`"` + strings.ReplaceAll(string(t), `"`, `""`) + `"`)
}

func isPlainIdent(s string) bool {
	if s == "" {
		return false
	}
	for i, r := range s {
		letter := r == '_' || (r >= 'a' && r <= 'z')
		digit := (r >= '0' && r <= '9') || r == '$'
		if !letter && (i == 0 || !digit) {
			return false
		}
	}
	return true
}
