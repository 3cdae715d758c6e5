package tui

import (
	"fmt"
	"slices"
	"strings"
)

// list is a cursor in a list that scrolls. The cursor is found again by its
// owner when the list changes.
type list struct {
	cursor, top int
	shown       int // rows drawn last time
	total       int
	line, each  int // the line on which the first of them was drawn, and the lines of each
}

// drawn notes where the rows of the window are drawn.
func (l *list) drawn(line, each int) { l.line, l.each = line, each }

// rowAt is the row drawn on a line, and the row under the cursor.
func (l *list) rowAt(line int) (row, cursor int, ok bool) {
	if line < l.line || l.each == 0 || (line-l.line)/l.each >= l.shown {
		return 0, 0, false
	}
	return l.top + (line-l.line)/l.each, l.cursor, true
}

// move does what a key asks for in a list of n rows.
func (l *list) move(a action, n int) bool {
	switch a {
	case actUp:
		l.cursor--
	case actDown:
		l.cursor++
	case actFirst:
		l.cursor = 0
	case actLast:
		l.cursor = n - 1
	default:
		return false
	}
	l.cursor = max(0, min(l.cursor, n-1))
	return true
}

// window returns which of n rows are drawn in h lines, the cursor among them.
func (l *list) window(n, h int) (from, to int) {
	h = max(0, min(h, n))
	l.cursor = max(0, min(l.cursor, n-1))
	l.top = min(l.top, l.cursor)
	l.top = max(l.top, l.cursor-h+1, 0)
	l.top = max(0, min(l.top, n-h))
	l.shown, l.total = h, n
	return l.top, l.top + h
}

// note says which rows are in sight; "" when all are.
func (l *list) note() string {
	switch {
	case l.shown >= l.total:
		return ""
	case l.shown == 0:
		return fmt.Sprintf("none of %d", l.total)
	case l.shown == 1:
		return fmt.Sprintf("%d of %d", l.top+1, l.total)
	}
	return fmt.Sprintf("%d–%d of %d", l.top+1, l.top+l.shown, l.total)
}

// notes joins what there is to note.
func notes(parts ...string) string {
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(parts, " "+glyphSeparator+" ")
}

// marker stands in front of a row.
func marker(selected bool) line {
	if selected {
		return text(styleStrong, glyphSelected)
	}
	return plain(" ")
}

// moveKeys are the keys of every list.
func moveKeys(row string) []paneKey {
	return []paneKey{
		{actUp, row + " above"}, {actDown, row + " below"},
		{actFirst, "first " + row}, {actLast, "last " + row},
	}
}
