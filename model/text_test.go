package model

import (
	"encoding/json"
	"testing"
	"unicode/utf8"
)

func TestTextInJSONKeepsEveryByte(t *testing.T) {
	for text, want := range map[Text]string{
		"":                     `""`,
		"select 'ü\n\x00'":     `"select 'ü\n\u0000'"`,
		"caf\xE9":              "\"caf\U0010FEE9\"",
		"\uFFFD":               "\"\uFFFD\"",
		"\xFF\xFE":             "\"\U0010FEFF\U0010FEFE\"",
		"\xE2\x82":             "\"\U0010FEE2\U0010FE82\"", // cut within a character
		"\U0010FEE9":           "\"\U0010FEF4\U0010FE8F\U0010FEBB\U0010FEA9\"",
		"\U0010FE7F\U0010FF00": "\"\U0010FE7F\U0010FF00\"",
	} {
		got, err := json.Marshal(text)
		if err != nil || string(got) != want || !utf8.Valid(got) {
			t.Errorf("%q is written as %s (%v), want %s", string(text), got, err, want)
		}
		var back Text
		if err := json.Unmarshal(got, &back); err != nil || back != text {
			t.Errorf("%q is read as %q (%v)", string(text), string(back), err)
		}
	}
}
