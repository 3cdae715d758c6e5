package model

import (
	"testing"
	"time"
)

func TestFormats(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{FormatDuration(-time.Second), "0 ms"},
		{FormatDuration(412 * time.Millisecond), "412 ms"},
		{FormatDuration(999600 * time.Microsecond), "1.0 s"},
		{FormatDuration(12400 * time.Millisecond), "12.4 s"},
		{FormatDuration(59960 * time.Millisecond), "1:00"},
		{FormatDuration(496 * time.Second), "8:16"},
		{FormatDuration(3736 * time.Second), "1:02:16"},
		{FormatDuration(76*time.Hour + 12*time.Minute), "3 d 04:12"},
		{FormatRange(Range{451 * time.Second, 520 * time.Second}), "7:31–8:40"},
		{FormatRange(Range{451 * time.Second, 451*time.Second + 2*time.Millisecond}), "7:31"},
		{FormatCount(0), "0"}, {FormatCount(999), "999"}, {FormatCount(1024), "1,024"}, {FormatCount(-1234567), "-1,234,567"},
		{FormatBytes(512), "512 B"}, {FormatBytes(1 << 20), "1.0 MiB"}, {FormatBytes(180 << 20), "180 MiB"},
		{FormatBytes(1310720), "1.2 MiB"}, {FormatBytes(1023 << 20), "1023 MiB"}, {FormatBytes(1 << 30), "1.0 GiB"},
		{FormatPercent(0), "0 %"}, {FormatPercent(0.001), "<1 %"}, {FormatPercent(0.999), "99 %"}, {FormatPercent(1), "100 %"}, {FormatPercent(1.25), "125 %"},
		{FormatRate(448.4), "448"}, {FormatRate(12.34), "12.3"}, {FormatRate(0.52), "0.52"}, {FormatRate(12345), "12,345"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestDisplayMakesEverythingVisible(t *testing.T) {
	for in, want := range map[Text]string{
		"plain":                           "plain",
		"line1\nline2\ttab\r":             `line1\nline2\ttab\r`,
		"\x1b[31mRED\x1b[2J\a":            `\x1b[31mRED\x1b[2J\x07`,
		"a\x7fb\u009bc":                   `a\u{7f}b\u{9b}c`,
		"caf\xe9":                         `caf\xE9`,
		"safe\u202egnp.exe":               `safe\u{202e}gnp.exe`,
		"zero\u200bwidth":                 `zero\u{200b}width`,
		"o\u0301\u0301\u0301\u0301\u0301": "o\u0301\u0301\u0301",
		"heart\u2764\ufe0f":               "heart\u2764",
		"漢字":                              "漢字",
	} {
		if got := in.Display(); got != want {
			t.Errorf("Display(%q) = %q, want %q", string(in), got, want)
		}
	}
}

func TestQuoteIdent(t *testing.T) {
	for in, want := range map[Text]Text{
		"orders": "orders", "_x9$": "_x9$", "9x": `"9x"`, "Mixed": `"Mixed"`, `a.b"c`: `"a.b""c"`, "": `""`,
	} {
		if got := in.QuoteIdent(); got != want {
			t.Errorf("QuoteIdent(%q) = %s, want %s", string(in), got, want)
		}
	}
}
