package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// View returns the screen, exactly as many lines and cells as the terminal has.
// It is kept until something changes.
func (a *App) View() string {
	if a.dirty {
		a.frame, a.dirty = strings.Join(a.draw(), "\n"), false
	}
	return a.frame
}

func (a *App) draw() []string {
	l := a.layout()
	if l.mode == modeTiny {
		return a.rendered(a.tooSmall(l))
	}
	var out []string
	add := func(lines ...line) { out = append(out, a.rendered(lines)...) }
	add(a.header(l.w))
	if a.position != nil && l.header > 1 {
		add(a.positionLine(l.w))
	}
	if a.captioned() {
		add(a.caption(l.w)...)
	}
	if l.page > 0 {
		add(a.verdict(l.w, l.verdict)...)
		out = append(out, a.pageView(l)...)
	} else if l.mode == modeCompact {
		add(a.verdict(l.w, l.verdict)...)
		out = append(out, a.paneView(paneVacuums, l, len(out))...)
	} else {
		out = append(out, a.paneView(paneVacuums, l, len(out))...)
		add(a.verdict(l.w, l.verdict)...)
		for id := paneVacuums + 1; id < panes; id++ {
			y := len(out)
			lines := a.paneView(id, l, y)
			if id == panePhases && l.left > 0 {
				id++
				lines = beside(lines, a.paneView(id, l, y))
			}
			out = append(out, lines...)
		}
	}
	if l.status > 0 {
		add(fit(append(plain(" "), a.status()...), l.w))
	}
	if l.footer > 0 {
		add(a.footer(l))
	}
	if a.explainer != nil {
		out[len(out)-1] = a.theme.render(fit(text(styleDim, " "+a.explainerHint()), l.w))
	} else if a.dialog != nil {
		out[len(out)-1] = a.theme.render(fit(text(styleDim, " "+a.dialog.hint()), l.w))
	}
	if a.prompt != nil { // in place of the footer, or where there is none of the last line
		out[len(out)-1] = a.theme.render(a.prompt.line(a.prompt.hint(), l.w))
	}
	return a.covered(out, l)
}

// covered dims what is not now, and lays the help over the screen.
func (a *App) covered(screen []string, l layout) []string {
	stale := a.err != nil || (a.latest != nil && (a.latest.Link.Lost || a.latest.Blind || a.latest.Overdue().Known()))
	over := a.help || a.chooser() != nil || a.dialog != nil || a.explainer != nil
	if !stale && !over {
		return screen
	}
	first, last := l.header+l.pane[paneVacuums], l.header+l.pane[paneVacuums]+l.verdict
	for i, s := range screen {
		isVerdict := i >= first && i < last || i == 0 || i == len(screen)-1
		if i == len(screen)-1 && (a.prompt != nil || a.dialog != nil || a.explainer != nil) {
			continue
		}
		if over || !isVerdict {
			screen[i] = a.theme.render(text(styleDim, ansi.Strip(s)))
		}
	}
	switch {
	case a.explainer != nil:
		return a.overlay(screen, a.explainerBox(l), l)
	case a.dialog != nil:
		return a.overlay(screen, a.dialogBox(l), l)
	case a.chooser() != nil:
		return a.overlay(screen, a.chooserBox(l), l)
	case a.help:
		return a.overlay(screen, a.helpBox(l), l)
	}
	return screen
}

// paneView draws a pane from line y on.
func (a *App) paneView(id paneID, l layout, y int) []string {
	x, w := l.across(id)
	a.places[id] = place{x, y, w, l.pane[id]}
	if l.pane[id] == 0 {
		return nil
	}
	p := a.panes[id]
	p.SetSize(w, l.pane[id])
	p.SetLook(id == a.focus, l.mode == modeCompact)
	return p.View()
}

// beside joins the lines of two panes of one height.
func beside(left, right []string) []string {
	out := make([]string, len(left))
	for i := range left {
		out[i] = left[i] + right[i]
	}
	return out
}

// pageView draws the page; no pane can be pointed at behind it.
func (a *App) pageView(l layout) []string {
	a.places = [panes]place{}
	return a.page.View(l.w, l.page)
}

func (a *App) rendered(lines []line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = a.theme.render(l)
	}
	return out
}

func (a *App) tooSmall(l layout) []line {
	need := fmt.Sprintf("need %dx%d, has %dx%d", tinyWidth, tinyHeight, l.w, l.h)
	return block([]line{plain(need)}, l.w, l.h)
}

// overlay lays a box over the middle of a screen of plain lines.
func (a *App) overlay(screen []string, box []line, l layout) []string {
	if len(box) == 0 {
		return screen
	}
	w := box[0].width()
	x, y := (l.w-w)/2, max(l.header, (l.h-len(box))/2)
	for i, b := range box {
		under := ansi.Strip(screen[y+i])
		left := fit(text(styleDim, ansi.Cut(under, 0, x)), x)
		right := alignRight(text(styleDim, ansi.Cut(under, x+w, l.w)), l.w-x-w)
		screen[y+i] = a.theme.render(append(append(left, b...), right...))
	}
	return screen
}
