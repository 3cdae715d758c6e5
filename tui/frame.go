package tui

import "strings"

// frame is the box around a pane or the help.
type frame struct {
	title, note string // on the left and the right of its first line
	focused     bool   // drawn double as well as coloured
	noteStays   bool   // the title is cut where there is no room for both; else the note goes
}

// border is a frame's characters: corners from the top left clockwise, then
// horizontal and vertical.
type border struct{ topLeft, topRight, bottomRight, bottomLeft, horizontal, vertical string }

func (f frame) border() (border, style) {
	if f.focused {
		return border{"╔", "╗", "╝", "╚", "═", "║"}, styleFocus
	}
	return border{"┌", "┐", "┘", "└", "─", "│"}, styleFrame
}

// frameCells is how much wider a frame is than what stands in it.
const frameCells = 4

// around returns the lines, which are w-frameCells cells wide, in a frame of w cells.
func (f frame) around(inner []line, w int) []line {
	b, s := f.border()
	out := make([]line, 0, len(inner)+2)
	out = append(out, f.top(w))
	for _, l := range inner {
		framed := append(line{{b.vertical + " ", s}}, l...)
		out = append(out, append(framed, seg{" " + b.vertical, s}))
	}
	return append(out, text(s, b.bottomLeft+strings.Repeat(b.horizontal, w-2)+b.bottomRight))
}

// top is the first line: the title, and the note where there is room for it.
func (f frame) top(w int) line {
	b, s := f.border()
	title := plain(" " + f.title + " ")
	if f.focused {
		title = title.in(styleFocus)
	}
	var note line
	if f.note != "" {
		note = text(styleDim, " "+f.note+" ")
	}
	space := w - 2
	if title.width()+note.width() > space && !f.noteStays {
		note = nil
	}
	if room := space - note.width(); title.width() > room {
		title = fit(title, room)
	}
	out := append(text(s, b.topLeft), title...)
	out = append(out, seg{strings.Repeat(b.horizontal, space-title.width()-note.width()), s})
	out = append(out, note...)
	return append(out, seg{b.topRight, s})
}
