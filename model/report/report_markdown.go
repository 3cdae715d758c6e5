package report

import (
	"io"
	"slices"
	"strings"
)

// WriteDocumentsMarkdown writes documents as Markdown with tables (GitHub's). section
// chooses one part; "" is all of them.
func WriteDocumentsMarkdown(w io.Writer, documents []Document, section string) error {
	var lines []string
	for _, d := range toWrite(documents, section) {
		lines = append(lines, d.markdownLines()...)
	}
	return writeLines(w, lines)
}

func (d *Document) markdownLines() []string {
	lines := []string{"# " + markdown(d.Title), ""}
	for _, s := range d.Sections {
		lines = append(lines, s.markdownLines()...)
	}
	return lines
}

func (s *Section) markdownLines() []string {
	lines := []string{"## " + markdown(s.Title), ""}
	if s.Missing != "" {
		return append(lines, "Left out: "+markdown(s.Missing)+".", "")
	}
	for _, f := range s.Facts {
		lines = append(lines, "- "+markdown(f.What)+": "+markdown(f.Value))
	}
	if len(s.Facts) > 0 {
		lines = append(lines, "")
	}
	if len(s.Lines) > 0 {
		fence := fenceAround(s.Lines)
		lines = append(lines, slices.Concat([]string{fence}, s.Lines, []string{fence, ""})...)
	}
	for _, item := range s.Items {
		lines = append(lines, "- "+markdown(item))
	}
	if len(s.Items) > 0 {
		lines = append(lines, "")
	}
	for _, g := range s.Grids {
		lines = append(lines, g.markdownLines()...)
	}
	for _, note := range s.Notes {
		lines = append(lines, markdown(note), "")
	}
	return lines
}

// fenceAround begins and ends a block of code: it is longer than any in the lines.
func fenceAround(lines []string) string {
	fence := "```"
	for slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, fence) }) {
		fence += "`"
	}
	return fence
}

func (g *Grid) markdownLines() []string {
	var lines []string
	if g.Title != "" {
		lines = append(lines, markdown(g.Title)+":", "")
	}
	heads, rule := make([]string, len(g.Columns)), make([]string, len(g.Columns))
	for i, c := range g.Columns {
		heads[i], rule[i] = strings.ReplaceAll(c.Head, "\n", " "), "---"
		if c.Number {
			rule[i] = "---:"
		}
	}
	lines = append(lines, markdownRow(heads), "| "+strings.Join(rule, " | ")+" |")
	for _, row := range g.Rows {
		lines = append(lines, markdownRow(row))
	}
	return append(lines, "")
}

func markdownRow(cells []string) string {
	escaped := make([]string, len(cells))
	for i, cell := range cells {
		escaped[i] = markdown(cell)
	}
	return "| " + strings.Join(escaped, " | ") + " |"
}

// markdown is text in which nothing is read as Markdown or HTML.
func markdown(s string) string { return markdownSigns.Replace(s) }

var markdownSigns = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "|", `\|`, "~", `\~`, "#", `\#`,
)
