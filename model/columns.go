package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// ProgressColumn is one column of the progress view that a run was read from, under
// the server's name.
type ProgressColumn struct {
	Name string
	// Value is as the server gave it; absent where it gave none.
	Value Opt[Text]
	// Known tells that the program knows what the column means.
	Known bool
	// Since and Until are the majors that have the column, where this one does not;
	// Until 0: to this day.
	Since, Until int
}

// Missing tells that the server's version does not have the column.
func (c ProgressColumn) Missing() bool { return c.Since > 0 }

// ProgressColumns are the columns of the run's progress row, and those of
// pg_stat_progress_vacuum that other versions have.
func ProgressColumns(p *Progress, version int) []ProgressColumn {
	if p == nil {
		return nil
	}
	var out []ProgressColumn
	if p.Command.Known() { // of the other views
		out = append(out, ProgressColumn{Name: "command", Value: p.Command, Known: true})
	}
	for _, c := range knownColumns(p) {
		missing := c.Since > version/10000 || c.Until > 0 && c.Until < version/10000
		switch {
		case c.Value.Known() || p.View == ViewVacuum && !missing:
			c.Since, c.Until = 0, 0
			out = append(out, c)
		case p.View == ViewVacuum:
			out = append(out, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Other)) {
		out = append(out, ProgressColumn{Name: name, Value: jsonText(p.Other[name])})
	}
	return out
}

// jsonText is a value of a row: the text of a string, what stands there of the
// rest; absent for null.
func jsonText(raw json.RawMessage) Opt[Text] {
	var s string
	switch {
	case string(raw) == "null":
		return None[Text]()
	case json.Unmarshal(raw, &s) == nil:
		return Some(Text(s))
	}
	return Some(Text(raw))
}

// knownColumns are the columns that have a field, with the majors that have them.
func knownColumns(p *Progress) []ProgressColumn {
	column := func(name string, value Opt[Text], since, until int) ProgressColumn {
		return ProgressColumn{Name: name, Value: value, Known: true, Since: since, Until: until}
	}
	return []ProgressColumn{
		column("phase", p.Phase, 13, 0),
		column("heap_blks_total", numberText(p.HeapBlksTotal), 13, 0),
		column("heap_blks_scanned", numberText(p.HeapBlksScanned), 13, 0),
		column("heap_blks_vacuumed", numberText(p.HeapBlksVacuumed), 13, 0),
		column("index_vacuum_count", numberText(p.IndexVacuumCount), 13, 0),
		column("max_dead_tuples", numberText(p.MaxDeadTuples), 13, 16),
		column("num_dead_tuples", numberText(p.NumDeadTuples), 13, 16),
		column("max_dead_tuple_bytes", numberText(p.MaxDeadTupleBytes), 17, 0),
		column("dead_tuple_bytes", numberText(p.DeadTupleBytes), 17, 0),
		column("num_dead_item_ids", numberText(p.NumDeadItemIDs), 17, 0),
		column("indexes_total", numberText(p.IndexesTotal), 17, 0),
		column("indexes_processed", numberText(p.IndexesProcessed), 17, 0),
		column("delay_time", floatText(p.DelayTime), 18, 0),
		column("mode", p.Mode, 19, 0),
		column("started_by", p.StartedBy, 19, 0),
	}
}

func numberText[N ~int64](n Opt[N]) Opt[Text] {
	if v, ok := n.Get(); ok {
		return Some(Text(strconv.FormatInt(int64(v), 10)))
	}
	return None[Text]()
}

func floatText(n Opt[float64]) Opt[Text] {
	if v, ok := n.Get(); ok {
		return Some(Text(strconv.FormatFloat(v, 'f', -1, 64)))
	}
	return None[Text]()
}
