package tui

import (
	"strings"

	"example.com/vacscope/model"
)

// helpBox is the help in a frame that fits the screen: the keys of the pane with
// the focus, those of every place, what the marks mean and what stands in the pane.
func (a *App) helpBox(l layout) []line {
	w := min(l.w, 116)
	lines := a.helpLines(w - frameCells)
	h := min(len(lines)+2, l.h-l.header-l.footer)
	scroll := list{top: a.helpTop, shown: h - 2, total: len(lines)}
	scroll.top = max(0, min(scroll.top, scroll.total-scroll.shown))
	a.helpTop = scroll.top
	f := frame{title: "Help: " + a.inFront().title(), note: scroll.note(), focused: true}
	return f.around(block(lines[scroll.top:], w-frameCells, h-2), w)
}

func (a *App) scrollHelp(act action) {
	switch act {
	case actUp:
		a.helpTop = max(0, a.helpTop-1)
	case actDown:
		a.helpTop++ // drawing keeps it in bounds
	case actFirst:
		a.helpTop = 0
	case actLast:
		a.helpTop = 1 << 16
	}
}

// helpLines are keys on the left and marks on the right where both fit, and what
// stands in the pane below them; else one below the other, the pane's first.
func (a *App) helpLines(w int) []line {
	own, others := a.helpKeys()
	terms, marks := a.helpTerms(), a.helpMarks()
	const marksWidth, gap = 51, 3
	if w < 2*marksWidth {
		return stacked(own, terms, others, marks)
	}
	keys := stacked(own, others)
	lines := make([]line, max(len(keys), len(marks)))
	for i := range lines {
		var left, right line
		if i < len(keys) {
			left = keys[i]
		}
		if i < len(marks) {
			right = marks[i]
		}
		lines[i] = append(append(fit(left, w-marksWidth-gap), seg{strings.Repeat(" ", gap), stylePlain}), right...)
	}
	return stacked(lines, terms)
}

// stacked are blocks with an empty line between.
func stacked(blocks ...[]line) []line {
	var lines []line
	for _, b := range blocks {
		if len(lines) > 0 && len(b) > 0 {
			lines = append(lines, nil)
		}
		lines = append(lines, b...)
	}
	return lines
}

// helpKeys are the pane's keys with what they do there, and the others.
func (a *App) helpKeys() (own, others []line) {
	key := func(label, what string) line {
		return append(fit(text(styleStrong, label), 11), seg{what, stylePlain})
	}
	keys := a.inFront().keys()
	for _, k := range keys {
		own = append(own, key(label(k.action), k.what))
	}
	for _, b := range bindings() {
		if b.Enabled() && (a.seeks() || !b.paused) && !has(keys, b.action) {
			others = append(others, key(b.Help().Key, b.Help().Desc))
		}
	}
	return own, others
}

// helpTerms are what stands in the pane with the focus, with what it tells.
func (a *App) helpTerms() []line {
	lines := []line{text(styleDim, "what stands in the pane")}
	terms := a.inFront().terms(a.widthInFront())
	for _, t := range terms {
		lines = append(lines, append(fit(text(styleStrong, t.Name), termWidth(terms)), seg{" " + t.What, stylePlain}))
	}
	return lines
}

// termWidth is the width of the column of terms: that of the panes, or as wide as
// the longest takes.
func termWidth(terms []model.Explanation) int {
	w := 15
	for _, t := range terms {
		w = max(w, len([]rune(t.Name)))
	}
	return w
}

func label(a action) string {
	for _, b := range bindings() {
		if b.action == a {
			return b.Help().Key
		}
	}
	return ""
}

func has(keys []paneKey, a action) bool {
	for _, k := range keys {
		if k.action == a {
			return true
		}
	}
	return false
}

// helpMarks is the legend: classes with colour and letter, then other marks.
func (a *App) helpMarks() []line {
	lines := []line{text(styleDim, "what a process does, by samples")}
	for c := range model.Classes {
		mark := append(text(classStyle(c), strings.Repeat(classFill(a.theme, c), 2)), seg{" ", stylePlain})
		mark = append(mark, seg{classLetter(c) + " ", styleDim}, seg{c.String(), classStyle(c)})
		lines = append(lines, append(fit(mark, 13), seg{classMeaning(c), stylePlain}))
	}
	lines = append(lines, nil)
	what := func(s model.Subject, names ...string) string {
		var parts []string
		for _, e := range model.Explain(s, names...) {
			parts = append(parts, e.What)
		}
		return strings.Join(parts, "; ")
	}
	const interval, cost = "1 s " + glyphSeparator + " 20 Hz", "costs"
	for _, m := range []struct {
		mark seg
		what string
	}{
		{seg{laneSample(a.theme), stylePlain}, what(model.SubjectMarks, height(1)+" to "+height(8))},
		{seg{glyphAsleep, styleAsleep}, what(model.SubjectMarks, glyphAsleep)},
		{seg{glyphLeader, styleLeader}, what(model.SubjectMarks, glyphLeader)},
		{seg{glyphNoSample, styleDim}, what(model.SubjectMarks, glyphNoSample)},
		{seg{"blank", stylePlain}, what(model.SubjectMarks, "blank")},
		{seg{glyphEstimate + " " + glyphAtLeast, styleDim}, what(model.SubjectMarks, glyphEstimate, glyphAtLeast)},
		{seg{model.Absent, styleDim}, what(model.SubjectMarks, model.Absent)},
		{seg{interval, styleDim}, what(model.SubjectHeader, interval)},
		{seg{cost, styleDim}, what(model.SubjectHeader, cost)},
	} {
		lines = append(lines, append(fit(line{m.mark}, 13), seg{m.what, stylePlain}))
	}
	return lines
}

// laneSample is a lane as the theme draws heights.
func laneSample(t *theme) string {
	if t.ascii {
		return "1 to 9"
	}
	return height(1) + " to " + height(8)
}

// classMeaning says in a few words what a class is.
func classMeaning(c model.Class) string {
	return model.Explain(model.SubjectClasses, c.String())[0].What
}
