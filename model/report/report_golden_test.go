package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

// formats are the writers of a report.
var formats = map[string]func(io.Writer, Report, string) error{
	"text": func(w io.Writer, r Report, section string) error {
		return WriteDocumentsText(w, r.Documents(), section)
	},
	"markdown": func(w io.Writer, r Report, section string) error {
		return WriteDocumentsMarkdown(w, r.Documents(), section)
	},
	"html": func(w io.Writer, r Report, section string) error {
		return WriteDocumentsHTML(w, r.Documents(), section)
	},
	"json": func(w io.Writer, r Report, _ string) error { return WriteReportJSON(w, r) },
	"csv": func(w io.Writer, r Report, section string) error {
		if section != "" {
			return WriteReportCSV(w, r, section)
		}
		for _, section := range []string{"", "phases", "samples", "minutes", "workers", "locks", "change"} {
			if err := WriteReportCSV(w, r, section); err != nil {
				return err
			}
		}
		return nil
	},
}

// What real servers gave, in every format.
func TestReportsOfCapturedStreams(t *testing.T) {
	for _, stream := range []string{"passes-a-13", "throttled-a-16", "parallel-a-18", "parallel-a-19"} {
		r := Build(lastOf(t, stream), Options{})
		for format, write := range formats {
			t.Run(stream+"_"+format, func(t *testing.T) {
				got := written(t, func(b *bytes.Buffer) error { return write(b, r, "") })
				if format == "text" {
					requirePlain(t, got)
				}
				golden.RequireEqual(t, got)
			})
		}
	}
}

// hostileText is what somebody could put into a name or a text.
const hostileText = model.Text("=SECRET|\x1b]0;gone\a\u202e\n<b>`_\x9b2J")

// hostileReport holds it wherever a server's text can stand.
func hostileReport(t *testing.T) Report {
	t.Helper()
	snap := *lastOf(t, "parallel-a-19")
	snap.Server.Database, snap.Server.Role, snap.Server.Address, snap.Server.SystemIdentifier = hostileText, hostileText, string(hostileText), string(hostileText)
	some := model.Some(hostileText)
	var runs []*model.Run
	for _, r := range snap.Ended {
		run := *r
		relation := *r.Before
		relation.Schema, relation.Name, relation.RelOptions = hostileText, hostileText, []model.Text{hostileText}
		relation.ToastOf, relation.PartitionOf = &model.RelationName{Schema: hostileText, Name: hostileText}, &model.RelationName{Schema: hostileText, Name: hostileText}
		relation.Indexes = []model.Index{{Name: hostileText, AccessMethod: "btree"}}
		run.Database, run.Role, run.Schema, run.Table, run.Relation, run.Before, run.After = hostileText, some, some, some, &relation, &relation, &relation
		run.Indexes, run.ToastOf = relation.Indexes, model.Some(model.RelationName{Schema: hostileText, Name: hostileText})
		run.Statement = model.Some("vacuum (parallel 3, " + hostileText + ") " + hostileText)
		run.Notices = []model.Event{{Kind: model.EventNotice, Text: hostileText + "\nWAL usage: 1 records, 2 full page images, 3 bytes"}}
		run.End = &model.End{At: r.End.At, How: model.EndFailed, SQLState: "XX000", Message: hostileText}
		run.LockWaits = model.LockTally{
			Places: []model.LockPlace{{Statement: string(hostileText), LockType: "relation", Mode: "AccessShareLock", Relation: model.Some(model.RelationName{Schema: hostileText, Name: hostileText}), Doing: string(hostileText) + ", waiting itself"}},
			Waits:  []model.TalliedWait{{Length: 9e9}},
		}
		runs = append(runs, &run)
	}
	snap.Ended = runs
	return Build(&snap, Options{Origin: Origin{File: string(hostileText), CommandLine: string(hostileText), Vacscope: "1", Configure: model.Some("--prefix=/" + hostileText), Version: model.Some[model.Text]("PostgreSQL 19")}})
}

// Whatever is in a name, nothing of it is obeyed by who reads a report.
func TestHostileTextsInReports(t *testing.T) {
	r := hostileReport(t)
	run := &r.Runs[0]
	run.Command, run.StartedBy, run.Context.Origin.Lost = string(hostileText), model.Some(string(hostileText)), string(hostileText)
	run.Phases.Spans[0].Phase, run.Phases.Spans[0].Columns = hostileText, []model.ColumnGrowth{{Name: string(hostileText)}}
	run.Samples.Phases[0].Phase, run.Samples.Phases[0].Waits[0].Name = hostileText, string(hostileText)
	run.Samples.Phases[0].Waits[0].Wait = wait(hostileText, hostileText)
	run.Minutes.Event, run.Context.Parallel.Reason = string(hostileText), string(hostileText)
	run.Context.Settings[0] = model.Setting{Name: string(hostileText), Setting: hostileText, Unit: model.Some(string(hostileText)), Source: hostileText}
	for format, write := range formats {
		got := written(t, func(b *bytes.Buffer) error { return write(b, r, "") })
		if strings.ContainsAny(got, "\x1b\a") || format != "json" && (strings.ContainsAny(got, "\u202e\u009b") || strings.Contains(got, "\x9b")) {
			t.Errorf("%s passes a control on: %q", format, got)
		}
		if !strings.Contains(got, "SECRET") {
			t.Errorf("%s does not have the names", format)
		}
		switch format {
		case "csv":
			requireNoFormula(t, got)
		case "markdown":
			if strings.Contains(got, "<b>") && !strings.Contains(got, "```") {
				t.Errorf("HTML goes through: %s", got)
			}
			for line := range strings.Lines(got) {
				if strings.HasPrefix(line, "| ") && strings.Contains(strings.ReplaceAll(line, `\|`, ""), "SECRET|") {
					t.Errorf("a name breaks a table: %s", line)
				}
			}
		}
	}
}

// requireNoFormula fails if a cell begins as a formula does and is no number.
func requireNoFormula(t *testing.T, table string) {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(table))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.IndexAny(cell, "=+@") == 0 || strings.HasPrefix(cell, "-") && json.Unmarshal([]byte(cell), new(float64)) != nil {
				t.Errorf("a cell is taken for a formula: %s", cell)
			}
		}
	}
}

// A redacted report has no name and no text of anybody, and what was measured.
func TestRedactedReports(t *testing.T) {
	r := hostileReport(t)
	r.Redact()
	for format, write := range formats {
		got := written(t, func(b *bytes.Buffer) error { return write(b, r, "") })
		if i := strings.Index(got, "SECRET"); i >= 0 {
			t.Errorf("%s has a name in it: %s", format, got[max(0, i-200):i+20])
		}
	}
	got := written(t, func(b *bytes.Buffer) error { return WriteDocumentsText(b, r.Documents(), "") })
	for _, want := range []string{"VACUUM of schema1.table1", "VACUUM (PARALLEL 3)", "index1", "WAL bytes", "on schema1.table1"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}

// The same name has the same label in all runs, and another one another.
func TestLabelsAreStable(t *testing.T) {
	run := func(table model.Text) RunReport {
		return RunReport{Schema: model.Some[model.Text]("public"), Table: model.Some(table), Statement: model.Some("vacuum " + table)}
	}
	r := Report{Runs: []RunReport{run("a"), run("b"), run("a")}}
	r.Redact()
	for i, want := range []model.Text{"table1", "table2", "table1"} {
		if got := r.Runs[i]; got.Table != model.Some(want) || got.Schema != model.Some[model.Text]("public") || got.Statement != model.Some[model.Text]("VACUUM") {
			t.Errorf("run %d: %+v", i, got)
		}
	}
}

// A program that reads the document may rely on every list.
func TestListsOfAReportAreNeverNull(t *testing.T) {
	got := written(t, func(b *bytes.Buffer) error { return WriteReportJSON(b, Report{Runs: make([]RunReport, 1)}) })
	var document struct{ Runs []map[string]any }
	if err := json.Unmarshal([]byte(got), &document); err != nil {
		t.Fatal(err)
	}
	for _, list := range []string{"phases", "unknown_columns", "waits", "minutes", "longest_waits", "index_passes", "workers", "lock_waits", "lock_wait_histogram", "change"} {
		if v, is := document.Runs[0][list].([]any); !is {
			t.Errorf("%s is %v", list, v)
		}
	}
	if empty := written(t, func(b *bytes.Buffer) error { return WriteReportJSON(b, Report{}) }); !strings.Contains(empty, `"runs": []`) {
		t.Error(empty)
	}
}

// Numbers below zero stay numbers.
func TestCSVKeepsNumbers(t *testing.T) {
	for want, value := range map[string]any{
		"-11": -11.0, "'-x": "-x", "": model.None[int](), "'＝1": model.Text("＝1"), `'@\x1b`: model.Some[model.Text]("@\x1b"), "true": true, `\xE9`: model.Text("\xe9"),
	} {
		if got := csvCell(value); got != want {
			t.Errorf("%v is %q, want %q", value, got, want)
		}
	}
}
