package model

import "testing"

func TestRelationNamesAreReadAsInSQL(t *testing.T) {
	for in, want := range map[string]RelationName{
		`Orders`:                  {"", "orders"},
		`Public.Orders`:           {"public", "orders"},
		`"Mixed Case"."a.b""c'd"`: {"Mixed Case", `a.b"c'd`},
		`app."Orders"`:            {"app", "Orders"},
		`ÄB`:                      {"", "Äb"},
	} {
		schema, name, err := ParseRelationName(in)
		if got := (RelationName{schema.Or(""), name}); err != nil || got != want {
			t.Errorf("%s is read as %q, %v; want %q", in, got, err, want)
		}
	}
	for _, in := range []string{``, `.`, `a.`, `a.b.c`, `"open`, `""`, `"a"b`, `a; drop table x; --`, `a"; drop table x; --`} {
		if _, name, err := ParseRelationName(in); err == nil {
			t.Errorf("%s is read as %q and should be refused", in, name)
		}
	}
}
