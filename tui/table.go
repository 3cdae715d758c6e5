package tui

import (
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// column is one column of a table of Ts.
type column[T any] struct {
	title   string
	titleOf func(w int) string // the title where it depends on the width
	// min and max are its width. What space is left goes in equal parts to the
	// columns that are first to grow, then to the others.
	min, max int
	first    bool
	// drop says which columns go when space lacks: the highest first; 0 stays.
	drop  int
	right bool // aligned right, as numbers are
	cell  func(v T, w int) line
	below func(v T, w int) line // a second line of the cell; nil for none
}

// table is the columns that fit into a width, with theirs. Values change, widths
// do not.
type table[T any] struct {
	columns []column[T]
	widths  []int
}

const columnGap = 2

// terms are what the columns tell, which belong to a subject; each title once.
func (t table[T]) terms(s model.Subject) []model.Explanation {
	var titles []string
	for _, c := range t.columns {
		if !slices.Contains(titles, c.title) {
			titles = append(titles, c.title)
		}
	}
	return model.Explain(s, titles...)
}

func newTable[T any](columns []column[T], w int) table[T] {
	t := table[T]{columns: columns}
	for t.least() > w && t.dropOne() {
	}
	for _, c := range t.columns {
		t.widths = append(t.widths, c.min)
	}
	spare := t.grow(w-t.least(), true)
	t.grow(spare, false)
	return t
}

// grow shares spare cells among the columns that are first to grow, or the
// others, and returns what is left.
func (t *table[T]) grow(spare int, first bool) int {
	for before := 0; spare > 0 && spare != before; {
		before = spare
		for i, c := range t.columns {
			if spare > 0 && c.first == first && t.widths[i] < c.max {
				t.widths[i]++
				spare--
			}
		}
	}
	return spare
}

// least is the width with every column at its minimum.
func (t *table[T]) least() int {
	n := columnGap * (len(t.columns) - 1)
	for _, c := range t.columns {
		n += c.min
	}
	return n
}

// dropOne leaves out the column that matters least.
func (t *table[T]) dropOne() bool {
	worst := -1
	for i, c := range t.columns {
		if c.drop > 0 && (worst < 0 || c.drop > t.columns[worst].drop) {
			worst = i
		}
	}
	if worst < 0 {
		return false
	}
	rest := append([]column[T]{}, t.columns[:worst]...)
	t.columns = append(rest, t.columns[worst+1:]...)
	return true
}

// has tells whether a column of that title is drawn.
func (t *table[T]) has(title string) bool {
	return slices.ContainsFunc(t.columns, func(c column[T]) bool { return c.title == title })
}

// perRow is how many lines a row takes.
func (t *table[T]) perRow() int {
	for _, c := range t.columns {
		if c.below != nil {
			return 2
		}
	}
	return 1
}

// heading is the columns' titles.
func (t *table[T]) heading() line {
	return t.join(func(c column[T], w int) line {
		if c.titleOf != nil {
			return text(styleDim, c.titleOf(w))
		}
		return text(styleDim, c.title)
	})
}

// row is one value's cells.
func (t *table[T]) row(v T) line {
	return t.join(func(c column[T], w int) line { return c.cell(v, w) })
}

// rowBelow is the second line of a row that takes two.
func (t *table[T]) rowBelow(v T) line {
	return t.join(func(c column[T], w int) line {
		if c.below == nil {
			return nil
		}
		return c.below(v, w)
	})
}

func (t *table[T]) join(cell func(c column[T], w int) line) line {
	var out line
	for i, c := range t.columns {
		if i > 0 {
			out = append(out, seg{strings.Repeat(" ", columnGap), stylePlain})
		}
		l := cell(c, t.widths[i])
		if c.right {
			l = alignRight(l, t.widths[i])
		} else {
			l = fit(l, t.widths[i])
		}
		out = append(out, l...)
	}
	return out
}
