package model

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func optionNames(options []StatementOption) string {
	var out []string
	for _, o := range options {
		out = append(out, strings.TrimSpace(o.Name+" "+o.Value))
	}
	return strings.Join(out, ", ")
}

func TestOptionsThatAStatementNames(t *testing.T) {
	for query, want := range map[Text]string{
		"vacuum t":                             "",
		"VACUUM FULL FREEZE VERBOSE ANALYSE t": "FULL, FREEZE, VERBOSE, ANALYZE",
		"vacuum (parallel 4, freeze, index_cleanup 'off') a, b":   "PARALLEL 4, FREEZE, INDEX_CLEANUP off",
		"vacuum (buffer_usage_limit '512 MB') t":                  "BUFFER_USAGE_LIMIT 512 MB",
		"/* why */ vacuum(verbose\n, later_option some value ) t": "VERBOSE, LATER_OPTION some value",
		"vacuum (freeze, parallel":                                "FREEZE", // cut
		"vacuum freeze.t":                                         "",
		"select 1":                                                "",
	} {
		if stated, _ := VacuumOptions(query, 180000); optionNames(stated) != want {
			t.Errorf("%q names %q, want %q", string(query), optionNames(stated), want)
		}
	}
}

func TestDefaultsAreThoseOfTheVersion(t *testing.T) {
	for version, want := range map[int]struct{ has, lacks string }{
		130000: {"INDEX_CLEANUP on", "PROCESS_TOAST"},
		140000: {"INDEX_CLEANUP auto", "PROCESS_MAIN"},
		160000: {"TRUNCATE on", "FREEZE"}, // it is stated
		180000: {"TRUNCATE vacuum_truncate", "FREEZE"},
	} {
		_, defaults := VacuumOptions("vacuum (freeze) t", version)
		if got := optionNames(defaults); !strings.Contains(got, want.has) || strings.Contains(got, want.lacks) {
			t.Errorf("%d: %s; want %s and no %s", version, got, want.has, want.lacks)
		}
	}
}

// Every column is either there with its value or said to be of other versions.
func TestColumnsOfEveryVersion(t *testing.T) {
	count := map[int]int{13: 7, 14: 7, 15: 7, 16: 7, 17: 10, 18: 11, 19: 13}
	for major, want := range count {
		p := &Progress{View: ViewVacuum}
		there := 0
		for _, c := range ProgressColumns(p, major*10000) {
			if !c.Missing() {
				there++
			} else if c.Since <= major && (c.Until == 0 || c.Until >= major) {
				t.Errorf("%d: %s is missing, and %d to %d have it", major, c.Name, c.Since, c.Until)
			}
		}
		if there != want {
			t.Errorf("%d has %d columns, want %d", major, there, want)
		}
	}
}

func TestColumnsThatNobodyKnowsKeepTheirNames(t *testing.T) {
	p := &Progress{View: ViewVacuum, Other: map[string]json.RawMessage{"b": json.RawMessage("1.5"), "a": json.RawMessage(`"x"`), "c": json.RawMessage("null")}}
	got := ""
	for _, c := range ProgressColumns(p, 990000) {
		if !c.Known {
			got += fmt.Sprintf("%s=%s ", c.Name, c.Value.Or("-"))
		}
	}
	if got != "a=x b=1.5 c=- " {
		t.Errorf("got %q", got)
	}
	if ProgressColumns(nil, 180000) != nil {
		t.Error("a run without a progress row has columns")
	}
}

func TestNoticesBelongToTheRunOfTheirProcess(t *testing.T) {
	var tracker Tracker
	first := beat(1, 0, vacuumer(scanning(10, 1000)))
	first.Events = []Event{{At: at(0), Kind: EventStarted, PID: 100}}
	tracker.Step(first)
	s := beat(2, 1000, vacuumer(scanning(20, 1000)))
	for i := range maxNotices + 5 {
		s.Events = append(s.Events, Event{At: at(500), Kind: EventNotice, PID: 100, Text: Text(fmt.Sprint(i))})
	}
	s.Events = append(s.Events, Event{At: at(500), Kind: EventNotice, PID: 999, Text: "another's"})
	run := onlyRun(t, tracker.Step(s))
	if n := run.Notices; len(n) != maxNotices || n[len(n)-1].Text != Text(fmt.Sprint(maxNotices+4)) {
		t.Errorf("%d notices, the last %+v", len(n), n[len(n)-1])
	}
}
