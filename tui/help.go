package tui

import (
	"strings"

	"example.com/vacscope/model"
)

// helpBox is the help in a frame that fits the screen: the keys of the pane with
// the focus, those of every place, and what the marks mean.
func (a *App) helpBox(l layout) []line {
	w := min(l.w, 104)
	lines := a.helpLines(w - 4)
	h := min(len(lines)+2, l.h-l.header-l.footer)
	scroll := list{top: a.helpTop, shown: h - 2, total: len(lines)}
	scroll.top = max(0, min(scroll.top, scroll.total-scroll.shown))
	a.helpTop = scroll.top
	f := frame{title: "Help: " + a.panes[a.focus].title(), note: scroll.note(), focused: true}
	return f.around(block(lines[scroll.top:], w-4, h-2), w)
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

// helpLines are keys on the left and marks on the right where both fit, else one
// below the other.
func (a *App) helpLines(w int) []line {
	keys, marks := a.helpKeys(), a.helpMarks()
	const side, gap = 42, 3
	if w < 2*side {
		return append(append(keys, nil), marks...)
	}
	lines := make([]line, max(len(keys), len(marks)))
	for i := range lines {
		var left, right line
		if i < len(keys) {
			left = keys[i]
		}
		if i < len(marks) {
			right = marks[i]
		}
		lines[i] = append(append(fit(left, w/2-gap), seg{strings.Repeat(" ", gap), stylePlain}), right...)
	}
	return lines
}

// helpKeys are the pane's keys with what they do there, then the others.
func (a *App) helpKeys() []line {
	var lines []line
	add := func(label, what string) {
		lines = append(lines, append(fit(text(styleStrong, label), 11), seg{what, stylePlain}))
	}
	own := a.panes[a.focus].keys()
	for _, k := range own {
		add(label(k.action), k.what)
	}
	lines = append(lines, nil)
	for _, b := range bindings() {
		if b.Enabled() && !has(own, b.action) {
			add(b.Help().Key, b.Help().Desc)
		}
	}
	return lines
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
	for _, m := range [][2]string{
		{laneSample(a.theme), "one second: height is the share awake"},
		{glyphLeader, "one second waiting for its workers"},
		{glyphNoSample, "one second without a sample"},
		{glyphEstimate, "an estimate"},
		{model.Absent, "not given by the server"},
		{"!", "wraparound autovacuum: never yields"},
		{"ms/s", "server time that watching takes"},
	} {
		lines = append(lines, append(fit(plain(m[0]), 13), seg{m[1], stylePlain}))
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
	return [model.Classes]string{
		model.ClassDelay:  "asleep on purpose (cost delay)",
		model.ClassLock:   "waits for a lock or a page's pin",
		model.ClassWAL:    "writes WAL or waits for it",
		model.ClassIO:     "reads or writes data",
		model.ClassLWLock: "waits for a lightweight lock",
		model.ClassLeader: "the leader waits for its workers",
		model.ClassCPU:    "runs, or code that names no wait",
		model.ClassOther:  "another wait",
	}[c]
}
