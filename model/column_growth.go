package model

import (
	"encoding/json"
	"maps"
	"slices"
)

// maxColumns bounds the columns followed; the server's progress views have at most 20
// counters.
const maxColumns = 20

// ColumnGrowth is a column of the progress view that the program does not know, and
// that holds numbers, in one phase.
type ColumnGrowth struct {
	Name string // the server's
	// Grown is what it rose by (or, below zero, fell) from the last reading before the
	// phase to the last one in it.
	Grown float64
	// Value is its last reading in the phase.
	Value float64
}

// followColumns takes a poll's unknown columns into the current span. The server sets
// all of them to 0 when a vacuum of a relation begins.
func (r *runState) followColumns(p *Progress) {
	if len(p.Other) == 0 {
		return
	}
	span := r.run.Phase()
	span.Columns = slices.Clone(span.Columns) // those before may be published
	for _, name := range slices.Sorted(maps.Keys(p.Other)) {
		var value *float64
		if json.Unmarshal(p.Other[name], &value) != nil || value == nil {
			continue
		}
		before, known := r.columns[name]
		if !known && !r.run.FromStart {
			before = *value
		}
		if !known && len(r.columns) >= maxColumns {
			continue
		}
		span.Columns = addColumn(span.Columns, ColumnGrowth{name, *value - before, *value})
		r.setColumn(name, *value)
	}
}

func (r *runState) setColumn(name string, value float64) {
	if r.columns == nil {
		r.columns = map[string]float64{}
	}
	r.columns[name] = value
}

// addColumn adds later growth of a column.
func addColumn(columns []ColumnGrowth, c ColumnGrowth) []ColumnGrowth {
	for i := range columns {
		if e := &columns[i]; e.Name == c.Name {
			e.Grown, e.Value = e.Grown+c.Grown, c.Value
			return columns
		}
	}
	return append(columns, c)
}
