package main

import (
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// verdictsText is the help topic that prints the table by which verdicts are given.
func verdictsText() string {
	var b strings.Builder
	b.WriteString(`# What makes a vacuum slow, and from when on it is said

The sentences below the list of vacuums name what takes the time of the
selected one, and what would help. The process-time is divided by samples into
delay, lock and pin waits, WAL, I/O, lightweight locks, the leader waiting for
its workers, CPU and others; the shares add up to 1, and enter shows them. Of
what was seen for less than 5 s none of it is said, but for standing still.
`)
	for _, rule := range model.Rules() {
		b.WriteString("\n" + rule.Name + "\n")
		for _, part := range [][2]string{{"when", rule.When}, {"helps", rule.Helps}, {"source", rule.Source}} {
			hanging(&b, "  "+part[0], part[1], 10, 76)
		}
	}
	return b.String()
}

// hanging writes a text from a column on, so that no line is wider than width, behind
// a label; one that reaches into the text has a line of its own.
func hanging(b *strings.Builder, label, text string, column, width int) {
	if ansi.StringWidth(label) >= column {
		b.WriteString(label + "\n")
		label = ""
	}
	for _, l := range strings.Split(ansi.Wordwrap(text, width-column, ""), "\n") {
		b.WriteString(label + strings.Repeat(" ", column-ansi.StringWidth(label)) + l + "\n")
		label = ""
	}
}
