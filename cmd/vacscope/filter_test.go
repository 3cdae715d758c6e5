package main

import (
	"os/exec"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// --table and --database leave what they name, and the document says what they
// left out.
func TestSnapshotOfChosenTables(t *testing.T) {
	path, s := program(t), pgtest.Shared(t, 18)
	s.Exec(t, `create schema "Odd Schema"`)
	s.AtEnd(t, `drop schema "Odd Schema" cascade`)
	s.HeldVacuum(t, `"Odd Schema"."a.b"`)
	s.HeldVacuum(t, "orders")
	for _, c := range []struct {
		args   []string
		tables string
		others float64
	}{
		{[]string{"--table", `"Odd Schema"."a.b"`}, "a.b", 1},
		{[]string{"--table", "ORDERS"}, "orders", 1},
		{[]string{"--table", "ord*", "--table", `"Odd Schema".*`}, "a.b orders", 0},
		{[]string{"--table", "none"}, "", 2},
		{[]string{"--database", "postgres", "--table", "*.orders"}, "orders", 1},
		{[]string{"--database", "elsewhere"}, "", 2},
	} {
		d := decode(t, outputOf(t, exec.Command(path, append(append([]string{"snapshot", "--json"}, c.args...), s.ConnString())...)))
		var tables []string
		for _, v := range d.list("vacuums") {
			tables = append(tables, v["table"].(string))
		}
		if got := strings.Join(tables, " "); got != c.tables || d["filter"].(map[string]any)["other_vacuums"] != c.others {
			t.Errorf("%v: tables %q, %v", c.args, got, d["filter"])
		}
	}
	whole := decode(t, outputOf(t, exec.Command(path, "snapshot", "--json", s.ConnString())))
	if filter, there := whole["filter"]; filter != nil || !there {
		t.Errorf("without a filter it is %v", filter)
	}
	out := string(outputOf(t, exec.Command(path, "snapshot", "--table", "none", s.ConnString())))
	if !strings.Contains(out, "only none: 2 other vacuums run\n") || !strings.Contains(out, "none of these is being vacuumed") {
		t.Errorf("the text says\n%s", out)
	}
}
