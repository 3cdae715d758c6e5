package report

import (
	"io"
	"strings"
)

// WriteReportText writes a report for a person to read, and to post as it is: ASCII
// but for the server's names, at most 79 columns, tables as psql aligns them. section
// chooses one part; "" is all of them.
func WriteReportText(w io.Writer, r Report, section string) error {
	var lines []string
	for i := range r.Runs {
		if i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, r.Runs[i].textLines(section)...)
	}
	return writeLines(w, lines)
}

func (r *RunReport) textLines(section string) []string {
	lines := []string{r.title(), strings.Repeat("=", min(width, len(r.title())))}
	for _, s := range r.Sections() {
		if section != "" && section != s.Name {
			continue
		}
		lines = append(lines, "", s.Title, strings.Repeat("-", len(s.Title)))
		if s.Missing != "" {
			lines = append(lines, hang("", "left out: "+s.Missing)...)
			continue
		}
		for _, f := range s.Facts {
			lines = append(lines, field("", f.What, f.Value)...)
		}
		lines = append(lines, s.Lines...)
		for i, g := range s.Grids {
			if i > 0 || len(s.Facts)+len(s.Lines) > 0 {
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
