package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/tui"
)

// readme is the text of the README.
func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tableAfter is the rows of the Markdown table under a heading row.
func tableAfter(t *testing.T, text, heading string) [][]string {
	t.Helper()
	_, rest, found := strings.Cut(text, heading+"\n")
	if !found {
		t.Fatalf("README has no table with the heading %s", heading)
	}
	var rows [][]string
	for i, line := range strings.Split(rest, "\n") {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if i == 0 {
			continue // the rule under the heading
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		rows = append(rows, cells)
	}
	return rows
}

// README has the main keys, as the key table has them; help keys has all.
func TestReadmeHasKeysThatWork(t *testing.T) {
	all := tui.KeyTable()
	for _, row := range tableAfter(t, readme(t), "| key | what it does |") {
		if !slices.Contains(all, [2]string{row[0], row[1]}) {
			t.Errorf("README has the key %v, and the screen has not", row)
		}
	}
	text := keysText()
	for _, key := range all {
		if !strings.Contains(text, "\n  "+key[0]+" ") {
			t.Errorf("help keys lacks %s", key[0])
		}
	}
}

// Every module that the code imports has its reason in README, and no other has.
func TestReadmeHasEveryDependency(t *testing.T) {
	var told []string
	for _, row := range tableAfter(t, readme(t), "| module | why |") {
		told = append(told, row[0])
	}
	used := map[string]bool{}
	for _, p := range listPackages(t) {
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") || strings.HasPrefix(imported, module) {
				continue
			}
			i := slices.IndexFunc(told, func(m string) bool { return imported == m || strings.HasPrefix(imported, m+"/") })
			if i < 0 {
				t.Errorf("%s imports %s, which README does not list", p.ImportPath, imported)
				continue
			}
			used[told[i]] = true
		}
	}
	for _, m := range told {
		if !used[m] {
			t.Errorf("README lists %s, which nothing imports", m)
		}
	}
}

func TestReadmeIsShort(t *testing.T) {
	const most = 250
	if lines := strings.Count(readme(t), "\n"); lines >= most {
		t.Errorf("README has %d lines; what is longer becomes a help topic", lines)
	}
}

// Help is read in a terminal of 80 columns.
func TestTopicsFitATerminal(t *testing.T) {
	for _, name := range topicNames() {
		text, _ := topic(name)
		if !strings.HasPrefix(text, "# ") {
			t.Errorf("topic %s does not begin with its title", name)
		}
		for line := range strings.Lines(text) {
			if name == "statements" && strings.HasPrefix(line, "    ") {
				continue // SQL is shown as it is sent
			}
			if len([]rune(line)) > 80 {
				t.Errorf("topic %s has a long line: %s", name, line)
			}
		}
	}
}
