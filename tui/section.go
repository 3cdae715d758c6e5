package tui

import (
	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// section is a part of a page: a heading and lines of any width. Those that are wide
// take the whole width of the page, the others stand in two columns where there is
// room for them.
type section struct {
	title string
	wide  bool
	lines func(w int) []line
}

// factLabel is how many cells the label of a fact has.
const factLabel = 16

// fact is one line of a section: what it is, and its value, which wraps.
type fact struct {
	label string
	value string
	style style
}

// factLines sets labels and values under each other; facts without a value are left
// out.
func factLines(facts []fact, w int) []line {
	var out []line
	for _, f := range facts {
		if f.value == "" {
			continue
		}
		label := text(styleDim, f.label)
		for _, part := range wrap(f.value, max(w-factLabel-1, 10)) {
			out = append(out, append(fit(label, factLabel+1), seg{part, f.style}))
			label = nil
		}
	}
	return out
}

// twoColumns is from which width on a page has two columns.
const twoColumns = 150

// pageLines sets sections one below the other, in w cells. Which of two columns a
// section stands in depends on its place among the others, never on its length, so
// that nothing jumps.
func pageLines(sections []section, w int) []line {
	var out []line
	if w < twoColumns {
		for _, s := range sections {
			out = append(out, s.draw(w)...)
		}
		return out
	}
	const gap = 3
	half := (w - gap) / 2
	var columns [2][]line
	flush := func() {
		for i := range max(len(columns[0]), len(columns[1])) {
			var l, r line
			if i < len(columns[0]) {
				l = columns[0][i]
			}
			if i < len(columns[1]) {
				r = columns[1][i]
			}
			out = append(out, append(fit(l, half+gap), r...))
		}
		columns = [2][]line{}
	}
	side := 0
	for _, s := range sections {
		if s.wide {
			flush()
			out, side = append(out, s.draw(w)...), 0
			continue
		}
		columns[side] = append(columns[side], s.draw(half)...)
		side = 1 - side
	}
	flush()
	return out
}

// draw is the heading, the lines and an empty one; nothing where there are no lines.
func (s section) draw(w int) []line {
	lines := s.lines(w)
	if len(lines) == 0 {
		return nil
	}
	out := []line{text(styleStrong, s.title)}
	return append(append(out, lines...), nil)
}

// breakAtBlanks breaks a line of a statement at blanks only, so that what is copied
// from the screen runs; a word that is longer than a line stays whole and is cut.
func breakAtBlanks(t string, w int) []string {
	var out []string
	for ansi.StringWidth(t) > w {
		at := -1
		for i, r := range t {
			if ansi.StringWidth(t[:i]) > w {
				break
			}
			if r == ' ' && i > 0 {
				at = i
			}
		}
		if at < 0 {
			break
		}
		out, t = append(out, t[:at]), t[at+1:]
	}
	return append(out, t)
}

// naOn is what stands where a version does not have something.
func naOn(version int) string { return "n/a on " + model.FormatCount(int64(version/10000)) }
