package main

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/poll"
	"example.com/vacscope/poll/act"
	"github.com/charmbracelet/x/ansi"
)

// statementsText is the help topic that lists what is sent to a watched server: the
// newest version's statements, and of those of older ones the lines that differ.
func statementsText() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Every statement that vacscope sends to a server it watches

Listed as for PostgreSQL %d, with the lines that differ for older versions.
None of them writes, takes a lock on a table, or leaves a transaction open. The
start-up parameters limit each to 2 s. For a role that may not call a function
or read a progress view, that function is NULL and that view is left out.
`, poll.NewestMajor)
	older := map[string][]poll.Statement{} // by part and place in the list
	for major := poll.NewestMajor - 1; major >= poll.OldestMajor; major-- {
		for i, s := range poll.Statements(major) {
			older[key(i, s)] = append(older[key(i, s)], s)
		}
	}
	for i, s := range poll.Statements(poll.NewestMajor) {
		b.WriteString("\n" + ansi.Wordwrap(s.Part+": "+s.When, 78, "") + "\n")
		if s.Name != "" {
			fmt.Fprintf(&b, "(prepared as %s)\n", s.Name)
		}
		b.WriteString("\n" + indented(s.SQL))
		before := s.SQL
		for n, old := range older[key(i, s)] {
			if lines := newLines(old.SQL, before); lines != "" {
				fmt.Fprintf(&b, "\nup to %d, lines that differ:\n\n%s", poll.NewestMajor-1-n, indented(lines))
			}
			before = old.SQL
		}
	}
	b.WriteString(`
# What is sent to change a server, when a person asks for it

Shown before it is sent, and listed by L; with --read-only none of it is sent.
For the choices that are offered, pg_class, pg_settings, pg_file_settings,
pg_db_role_setting, pg_locks and pg_stat_activity are read as well.
`)
	for _, f := range act.Forms() {
		b.WriteString("\n" + f.What + "\n\n" + indented(ansi.Wordwrap(f.SQL, 74, "")))
	}
	return b.String()
}

func key(place int, s poll.Statement) string { return fmt.Sprint(place, s.Part) }

// newLines are the lines of a text that another one does not have.
func newLines(text, other string) string {
	have := strings.Split(other, "\n")
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		if !slices.Contains(have, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func indented(text string) string {
	return "    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n"
}
