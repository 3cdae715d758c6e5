package report

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// csvTables are the tables that CSV can be of, by section: each has the keys of the JSON
// document as its heads. That of no section is the runs, a line each.
var csvTables = map[string]func(*RunReport) csvTable{
	"":        func(r *RunReport) csvTable { return tableOf([]runRecord{newRunRecord(r)}) },
	"phases":  func(r *RunReport) csvTable { return tableOf(phaseRecords(r)) },
	"samples": func(r *RunReport) csvTable { return tableOf(waitRecords(r)) },
	"minutes": func(r *RunReport) csvTable { return tableOf(minuteRecords(r)) },
	"workers": func(r *RunReport) csvTable { return tableOf(workersRecords(r)) },
	"locks":   func(r *RunReport) csvTable { return tableOf(lockRecords(r)) },
	"change":  func(r *RunReport) csvTable { return tableOf(changeRecords(r)) },
}

type csvTable struct {
	heads []string
	rows  [][]string
}

// HasCSV tells whether a section can be written as CSV; "" is the list of runs.
func HasCSV(section string) bool { return csvTables[section] != nil }

// WriteReportCSV writes one section of all runs as one table with a line of heads;
// section "" is the runs themselves. The column run counts them from 1. Text that a
// spreadsheet would take for a formula begins with an apostrophe.
func WriteReportCSV(w io.Writer, r Report, section string) error {
	table, has := csvTables[section]
	if !has {
		return fmt.Errorf("write CSV: %s is not one table", section)
	}
	tables := make([]csvTable, len(r.Runs))
	for i := range r.Runs {
		tables[i] = table(&r.Runs[i])
	}
	return writeTables(w, "run", table(&RunReport{}).heads, tables)
}

// writeTables writes tables with the same heads as one. The column counter, "" for none,
// counts them from 1.
func writeTables(w io.Writer, counter string, heads []string, tables []csvTable) error {
	out := csv.NewWriter(w)
	row := func(count string, cells []string) []string {
		if counter == "" {
			return cells
		}
		return append([]string{count}, cells...)
	}
	err := out.Write(row(counter, heads))
	for i, table := range tables {
		for _, cells := range table.rows {
			if err == nil {
				err = out.Write(row(fmt.Sprint(i+1), cells))
			}
		}
	}
	if out.Flush(); err == nil {
		err = out.Error()
	}
	if err != nil {
		return fmt.Errorf("write CSV: %w", err)
	}
	return nil
}

// tableOf turns records into cells: their keys in JSON are the heads.
func tableOf[T any](records []T) csvTable {
	fields := slices.DeleteFunc(reflect.VisibleFields(reflect.TypeFor[T]()), func(f reflect.StructField) bool { return f.Anonymous })
	var t csvTable
	for _, f := range fields {
		t.heads = append(t.heads, f.Tag.Get("json"))
	}
	for _, record := range records {
		row := make([]string, len(fields))
		for i, f := range fields {
			row[i] = csvCell(reflect.ValueOf(record).FieldByIndex(f.Index).Interface())
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// csvCell is a value: text as Text.Display shows it, safe from being taken for a formula,
// anything else as in JSON, and nothing for null.
func csvCell(value any) string {
	raw, err := json.Marshal(value)
	if err != nil || string(raw) == "null" {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return harmless(textOf(value, s).Display())
}

// textOf is the text behind a value, which JSON has changed where it was not UTF-8.
func textOf(value any, written string) model.Text {
	switch v := value.(type) {
	case model.Text:
		return v
	case model.Opt[model.Text]:
		return v.Or("")
	}
	return model.Text(written)
}

// harmless keeps a spreadsheet from reading a cell as a formula.
func harmless(cell string) string {
	if strings.IndexAny(cell, "=+-@＝＋－＠") == 0 {
		return "'" + cell
	}
	return cell
}
