package model

import (
	"encoding/json"
	"slices"
	"testing"
)

// Columns of a later version are followed by phase; what is not a number is not.
func TestUnknownColumnsGrowByPhase(t *testing.T) {
	row := func(phase Text, flushed string) Process {
		p := vacuumer(inPhase(phase))
		p.Progress.Other = map[string]json.RawMessage{"pages_flushed": json.RawMessage(flushed), "strategy": json.RawMessage(`"ring"`), "later": json.RawMessage("null")}
		return p
	}
	stream := []Sample{
		beat(1, -5),
		beat(2, 1000, row("scanning heap", "10")),
		beat(3, 2000, row("scanning heap", "30")),
		beat(4, 3000, row("vacuuming indexes", "31.5")),
		beat(5, 4000, row("vacuuming indexes", "25")),
	}
	run := onlyRun(t, last(fold(stream)))
	for i, want := range []ColumnGrowth{{"pages_flushed", 30, 30}, {"pages_flushed", -5, 25}} {
		if got := run.Phases[i].Columns; !slices.Equal(got, []ColumnGrowth{want}) {
			t.Errorf("%s: %+v, want %+v", run.Phases[i].Phase, got, want)
		}
	}
	if got := onlyRun(t, last(fold(stream[1:]))).Phases[0].Columns[0]; got.Grown != 20 {
		t.Errorf("first seen at 10, then 30: grown %v", got.Grown)
	}
	all := run.Phases[0].with(run.Phases[1]).Columns
	if !slices.Equal(all, []ColumnGrowth{{"pages_flushed", 25, 25}}) {
		t.Errorf("merged: %+v", all)
	}
}
