package main

import (
	"strings"

	"example.com/vacscope/model"
)

// numbersText is the help topic that prints what the screen explains with i.
func numbersText() string {
	var b strings.Builder
	b.WriteString(`# What each number means

The screen has the same texts: i explains the pane with the focus, the page of
a vacuum, the settings and what-if, one thing after the other. Where nothing is
said of versions, it is the same from 13 to 19.
`)
	for _, s := range model.Explanations() {
		b.WriteString("\n")
		s.About.Name = string(s.Subject) // a section of the page tells that it is one
		writeExplanation(&b, s.About, 0)
		for _, e := range s.Of {
			writeExplanation(&b, e, 2)
		}
	}
	return b.String()
}

// writeExplanation writes a text behind its name, and below it what there is beside
// the definition.
func writeExplanation(b *strings.Builder, e model.Explanation, indent int) {
	const column, width = 20, 78 // of the texts
	margin := strings.Repeat(" ", indent)
	hanging(b, margin+e.Name, e.Definition(), column, width)
	for _, f := range e.Fields() {
		hanging(b, "", f[0]+": "+f[1], column, width)
	}
}
