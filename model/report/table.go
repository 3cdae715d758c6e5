package report

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// width is how many columns a report fits where the names in it do.
const width = 79

// table lays cells out in columns as wide as their widest cell.
type table struct {
	heads []string
	align string // one letter per column: l, or r for numbers
	rows  [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// lines are the heading and the rows, each after indent, without trailing spaces.
// The first column gives way where a line would be wider than the report.
func (t *table) lines(indent string) []string {
	widths := make([]int, len(t.heads))
	all := append([][]string{t.heads}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	const gap, narrowest = 2, 12
	sum := len(indent) + gap*(len(widths)-1)
	for _, w := range widths {
		sum += w
	}
	if over := sum - width; over > 0 {
		widths[0] = min(widths[0], max(narrowest, widths[0]-over))
	}
	lines := make([]string, 0, len(all))
	for _, row := range all {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = pad(ansi.Truncate(cell, widths[i], "..."), widths[i], t.align[i] == 'l')
		}
		lines = append(lines, strings.TrimRight(indent+strings.Join(cells, strings.Repeat(" ", gap)), " "))
	}
	return lines
}

// pad fills a cell up to w columns.
func pad(cell string, w int, left bool) string {
	fill := strings.Repeat(" ", max(0, w-ansi.StringWidth(cell)))
	if left {
		return cell + fill
	}
	return fill + cell
}

// field is "label  text" with the text broken between words and hung under its
// beginning.
func field(indent, label, text string) []string {
	const labelWidth = 12
	return hang(indent+pad(label, labelWidth, true), text)
}

// hang is a text after its head, broken between words and hung under its beginning.
func hang(head, text string) []string {
	indent := strings.Repeat(" ", ansi.StringWidth(head))
	line, empty := head, true
	var lines []string
	for word := range strings.FieldsSeq(text) { // ansi.Wordwrap would break at the minus of a number too
		switch {
		case empty:
			line, empty = line+word, false
		case ansi.StringWidth(line)+1+ansi.StringWidth(word) <= width:
			line += " " + word
		default:
			lines, line = append(lines, line), indent+word
		}
	}
	return append(lines, strings.TrimRight(line, " "))
}

// ascii turns the signs that the model's formats use into ASCII.
var ascii = strings.NewReplacer("–", "-", "≈", "~", "±", "+-").Replace

// text is a format of a value that may be absent.
func text[T any](o model.Opt[T], format func(T) string) string {
	v, known := o.Get()
	if !known {
		return ascii(model.Absent)
	}
	return ascii(format(v))
}

// name is a relation as a person names it, or what is known of it.
func name(schema, table model.Opt[model.Text], relid uint32) string {
	if full, known := relationName(schema, table).Get(); known {
		return full.Display()
	}
	if relid == 0 {
		return "(relation not visible)"
	}
	return fmt.Sprintf("(relation %d)", relid)
}
