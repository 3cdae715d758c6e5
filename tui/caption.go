package tui

import "example.com/vacscope/model"

// captionRows is how many lines of text a caption has at a width, always, so that
// nothing below it moves when the text changes; two more are its frame.
func captionRows(w int) int {
	if w < sideWidth {
		return 5
	}
	return 4
}

// captionLines is how many lines a caption takes.
func captionLines(w int) int { return captionRows(w) + 2 }

// captioned tells that what a demonstration shows is told above the panes.
func (a *App) captioned() bool {
	return a.snap != nil && a.snap.Caption != nil && a.w >= fullWidth && a.h >= fullHeight+captionLines(a.w)
}

// caption says what a demonstration shows: what happens, what to look at, and at the end
// of a step what came of it and which key goes on, which stays where the title is long.
func (a *App) caption(w int) []line {
	c := a.snap.Caption
	inner, rows := w-frameCells, captionRows(w)
	lines := captionText(c, inner, rows)
	if len(lines) > rows {
		lines = append(lines[:rows-1:rows-1], cutShort(lines[rows-1], inner))
	}
	f := frame{title: show(c.Scenario) + ", " + c.Place() + ": " + show(c.Title), note: captionKey(c), noteStays: true}
	return f.around(block(lines, inner, rows), w)
}

// captionText is what happens and what to look at. Once the step has ended, what came of
// it stands before what happened, and what to look at only where there is room.
func captionText(c *model.Caption, w, rows int) []line {
	var look []line
	if c.Look != "" {
		look = wrapped("Look: "+show(c.Look), stylePlain, w)
	}
	if !c.Over() {
		return append(wrapped(show(c.Happens), stylePlain, w), look...)
	}
	s := styleGood
	if c.Failed {
		s = styleBad
	}
	lines := append(wrapped(show(c.Seen), s, w), wrapped(show(c.Happens), styleDim, w)...)
	if len(lines)+len(look) > rows {
		return lines
	}
	return append(lines, look...)
}

// captionKey says which key goes on.
func captionKey(c *model.Caption) string {
	switch {
	case c.Stage == 0 || !c.Over():
		return ""
	case c.Last():
		return "the end: " + label(actQuit) + " quits"
	}
	return label(actDemoStep) + " goes on"
}

// stepless says why there is no next step now; "" when there is.
func (a *App) stepless() string {
	switch {
	case a.options.NextStep == nil:
		return "only a scenario has steps (vacscope demo --list)"
	case a.latest == nil || a.latest.Caption == nil || !a.latest.Caption.Over():
		return "this step goes on; it says when it is over"
	case a.latest.Caption.Last():
		return "this was the last step"
	}
	return ""
}
