package model

import (
	"reflect"
	"strings"
	"testing"
)

// Which tables a command names is read from its text as the server reads it; what
// is not understood to the end names none.
func TestTablesOfAStatement(t *testing.T) {
	names := func(n ...RelationName) []RelationName { return n }
	for query, want := range map[Text][]RelationName{
		"vacuum":                             nil,
		"VACUUM;":                            nil,
		"vacuum (verbose, analyze) -- all\n": nil,
		"vacuum t":                           names(RelationName{"", "t"}),
		"vacuum full analyze s.T":            names(RelationName{"s", "t"}),
		`vacuum "s.x"."T ""q""", b ;`:        names(RelationName{"s.x", `T "q"`}, RelationName{"", "b"}),
		"vacuum analyze a (x, y), only b *":  names(RelationName{"", "a"}, RelationName{"", "b"}),
		"vacuum /* a, */ db.s.t":             names(RelationName{"s", "t"}),
		"vacuum only":                        names(RelationName{"", "only"}),
		"vacuum (freeze)\"full\"":            names(RelationName{"", "full"}),
		"vacuum größe":                       names(RelationName{"", "größe"}),
	} {
		if got, ok := tablesOf(query, None[int]()); !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("tablesOf(%q) = %v, %v, want %v", string(query), got, ok, want)
		}
	}
	for _, query := range []Text{
		"vacuum t, ", "vacuum (verbose", `vacuum "t`, `vacuum U&"d\0061"`, "vacuum t password ...", "vacuum a b", "select 1",
		"vacuum 1a", "vacuum t; select 1", "cluster t using i", "vacuum a.b.c.d", "",
		"vacuum t" + Text(strings.Repeat(", t", 400)), // it may have been cut
	} {
		if got, ok := tablesOf(query, None[int]()); ok {
			t.Errorf("tablesOf(%q) = %v, want nothing", string(query), got)
		}
	}
	if _, ok := tablesOf("vacuum "+Text(strings.Repeat("t", 60)), Some(64)); ok {
		t.Error("a text as long as track_activity_query_size is taken as whole")
	}
}

func FuzzTablesOf(f *testing.F) {
	f.Add("vacuum (x) \"a\".b, c")
	f.Fuzz(func(t *testing.T, query string) {
		tables, ok := tablesOf(Text(query), None[int]())
		for _, name := range tables {
			if ok && name.Name == "" {
				t.Errorf("%q names a table without a name", query)
			}
		}
	})
}
