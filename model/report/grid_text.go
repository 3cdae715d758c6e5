package report

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// psqlLines are the lines of a grid as psql aligns them: heads in the middle, numbers
// to the right. Where they would be wider than the report, cells of text are broken as
// in psql's wrapped format, with a dot on both sides of the break; no row is cut.
func (g *Grid) psqlLines() []string {
	widths := g.widths()
	head, rule := make([]string, len(widths)), make([]string, len(widths))
	for i, c := range g.Columns {
		head[i], rule[i] = c.Head, strings.Repeat("-", widths[i]+2)
	}
	lines := psqlRow(head, widths, func(i int, cell string) string { return centre(cell, widths[i]) }, " ")
	lines = append(lines, strings.Join(rule, "+"))
	for _, row := range g.Rows {
		lines = append(lines, psqlRow(row, widths, func(i int, cell string) string {
			return pad(cell, widths[i], !g.Columns[i].Number)
		}, ".")...)
	}
	return lines
}

// psqlRow are the lines of one row, its cells broken at the widths and marked there.
func psqlRow(cells []string, widths []int, fill func(i int, cell string) string, mark string) []string {
	broken := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		broken[i] = strings.Split(ansi.Wrap(cell, widths[i], ""), "\n")
		height = max(height, len(broken[i]))
	}
	lines := make([]string, height)
	for n := range lines {
		parts := make([]string, len(cells))
		for i, cell := range broken {
			before, after, part := " ", " ", ""
			if n < len(cell) {
				part = cell[n]
			}
			if n > 0 && n < len(cell) {
				before = mark
			}
			if n < len(cell)-1 {
				after = mark
			}
			parts[i] = before + fill(i, part) + after
		}
		lines[n] = strings.TrimRight(strings.Join(parts, "|"), " ")
	}
	return lines
}

// narrowest is how narrow a column of text becomes at most.
const narrowest = 10

// widths are those of the columns. While the lines would be too wide the widest
// column of text gives way.
func (g *Grid) widths() []int {
	widths := make([]int, len(g.Columns))
	sum := 3*len(widths) - 1 // the margins, and the lines in between
	for i, c := range g.Columns {
		widths[i] = c.Width
		for part := range strings.SplitSeq(c.Head, "\n") {
			widths[i] = max(widths[i], ansi.StringWidth(part))
		}
		for _, row := range g.Rows {
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
		sum += widths[i]
	}
	for ; sum > width; sum-- {
		widest := -1
		for i, c := range g.Columns {
			if !c.Number && widths[i] > narrowest && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
	}
	return widths
}

// centre puts a cell in the middle of w columns.
func centre(cell string, w int) string {
	left := max(0, w-ansi.StringWidth(cell)) / 2
	return pad(strings.Repeat(" ", left)+cell, w, true)
}
