package poll

import (
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

func TestSharedBuffersOfATable(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		config, err := ParseTarget(Flags{}, s.ConnString())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Cached(t.Context(), config); err == nil || !strings.Contains(err.Error(), "CREATE EXTENSION pg_buffercache") {
			t.Fatalf("without the extension: %v", err)
		}
		s.Exec(t, `create schema "odd ""one"`, `create extension pg_buffercache schema "odd ""one"`)
		s.AtEnd(t, `drop schema "odd ""one" cascade`)
		s.MakeTable(t, pgtest.Table{Name: "cached"})
		relations, err := Cached(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range relations {
			if r.Name == "cached" {
				if r.Buffers < 100 || r.Dirty > r.Buffers || r.DatID == 0 || r.RelID == 0 {
					t.Errorf("%+v", r)
				}
				return
			}
		}
		t.Errorf("the table is not among %+v", relations)
	})
}
