package report

import (
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// WriteDocumentsText writes documents for a person to read, and to post as they are:
// ASCII but for the server's names, at most 79 columns, tables as psql aligns them.
// section chooses one part; "" is all of them.
func WriteDocumentsText(w io.Writer, documents []Document, section string) error {
	var lines []string
	for i, d := range toWrite(documents, section) {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, d.textLines()...)
	}
	return writeLines(w, lines)
}

func (d *Document) textLines() []string {
	lines := append(hang("", d.Title), strings.Repeat("=", min(width, ansi.StringWidth(d.Title))))
	for _, s := range d.Sections {
		lines = append(lines, "", s.Title, strings.Repeat("-", len(s.Title)))
		if s.Missing != "" {
			lines = append(lines, hang("", "left out: "+s.Missing)...)
			continue
		}
		for _, f := range s.Facts {
			lines = append(lines, field("", f.What, f.Value)...)
		}
		if len(s.Facts) > 0 && len(s.Lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, s.Lines...)
		for _, item := range s.Items {
			lines = append(lines, hang("- ", item)...)
		}
		for i, g := range s.Grids {
			if i > 0 || len(s.Facts)+len(s.Lines)+len(s.Items) > 0 {
				lines = append(lines, "")
			}
			if g.Title != "" {
				lines = append(lines, hang("", g.Title)...)
			}
			lines = append(lines, g.psqlLines()...)
		}
		for _, note := range s.Notes {
			lines = append(lines, "")
			lines = append(lines, hang("", note)...)
		}
	}
	return lines
}
