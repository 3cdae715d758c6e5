package tui

import (
	"fmt"
	"time"

	"example.com/vacscope/model"
)

const (
	whatIfCell  = 10 // a time, marked
	whatIfLabel = 10 // a delay
)

func (d *whatIfDialog) draw(w, _ int) []line {
	left, known := d.run.Whole.Left.Get()
	if _, why := d.run.WhatIf(model.CostSettings{}); !known || why != "" {
		out := append(wrapped("It cannot be told: "+show(model.Text(why))+".", styleNote, w), nil)
		return append(out, wrapped(show(model.Text(model.SleptPart(d.run))), stylePlain, w)...)
	}
	out := wrapped(d.stands(left), styleStrong, w)
	out = append(out, wrapped(d.about(), styleDim, w)...)
	out = append(append(out, nil), d.grid(w)...)
	out = append(append(out, nil), wrapped(d.chosen(left), stylePlain, w)...)
	if d.said != "" {
		out = append(out, wrapped(d.said, styleBad, w)...)
	}
	return out
}

// stands says how long the run takes as it is, and with which settings.
func (d *whatIfDialog) stands(left model.Range) string {
	s := "As it is: ≈" + coarseRange(left) + " left"
	if now, ok := d.run.Allows.Settings.Get(); ok {
		return s + fmt.Sprintf(", at %s and limit %s.", model.FormatDelay(now.Delay), model.FormatCount(int64(now.Limit)))
	}
	return s + ". Its settings are not visible: what it slept for its pages tells what others would change, less exactly."
}

// about says what the cells are.
func (d *whatIfDialog) about() string {
	if d.follows() {
		s := "In the cells: time left, most likely, if the server's " + autovacuumDelay + " and " + autovacuumLimit + " were changed. This run follows, and all other autovacuums with it."
		if n := d.shared(); n > 1 {
			s += fmt.Sprintf(" The limit is divided among %d workers.", n)
		}
		return s
	}
	return "This run keeps its settings to its end. In the cells: the time of a new run in its place, from block 0, most likely. Green ends before this one would."
}

// grid is delay by limit.
func (d *whatIfDialog) grid(w int) []line {
	limits := d.limits()
	first := 0
	shown := max(1, min(len(limits), (w-whatIfLabel)/whatIfCell))
	if d.col >= shown {
		first = d.col - shown + 1
	}
	heading := fit(text(styleDim, "  delay"), whatIfLabel)
	for _, limit := range limits[first : first+shown] {
		heading = append(heading, alignRight(text(styleDim, "limit "+shortCount(limit)), whatIfCell)...)
	}
	lines := []line{heading}
	cut := false
	for row, delay := range d.delays() {
		label := "none"
		if delay > 0 {
			label = model.FormatDelay(delay)
		}
		l := fit(append(marker(row == d.row), plain(" "+label)...), whatIfLabel)
		for col := first; col < first+shown; col++ {
			cell, isCut := d.cell(row, col)
			cut = cut || isCut
			l = append(l, alignRight(cell, whatIfCell)...)
		}
		lines = append(lines, l)
	}
	if cut {
		lines = append(lines, wrapped("! One page costs more than four of these limits: naps are cut short, and a still lower limit makes it no slower.", styleNote, w)...)
	}
	return lines
}

// shortCount is a count in few cells.
func shortCount(n int) string {
	if n >= 1000 && n%1000 == 0 {
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}

// cell is the most likely time under its settings.
func (d *whatIfDialog) cell(row, col int) (line, bool) {
	c := d.at(row, col)
	what, _ := d.whatIf(c)
	at, s := what.LeftMiddle, stylePlain
	if !d.follows() {
		at = what.AgainMiddle
		if at < d.run.Whole.Middle.Or(0) {
			s = styleGood
		}
	}
	value := coarse(at)
	if at >= time.Second {
		value = glyphEstimate + value
	}
	if what.Cut {
		value += "!"
	}
	l := text(s, value)
	switch now, known := d.now().Get(); {
	case row == d.row && col == d.col:
		l = append(line{{glyphSelected, styleStrong}}, l.strengthen()...)
	case known && now == c:
		l = append(line{{"(", styleDim}}, append(l, seg{")", styleDim})...)
	}
	return l, what.Cut
}

// chosen says what comes of the cell under the cursor.
func (d *whatIfDialog) chosen(left model.Range) string {
	c := d.at(d.row, d.col)
	if !d.follows() {
		return show(model.Text(model.WhatIfSentence(d.run, c)))
	}
	what, _ := d.whatIf(c)
	return fmt.Sprintf("%s ≈%s left instead of ≈%s.", c.Sentence(), coarseRange(what.Left), coarseRange(left))
}
