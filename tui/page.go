package tui

import (
	"strings"

	"example.com/vacscope/model"
)

// A page covers the panes below the verdict and is left with esc. Its content is as
// that of a pane; it has no frame at its sides, so that what stands on it can be
// selected with the terminal's own means.
type page struct {
	content content
	theme   *theme
}

// pageList is a content of lines that scrolls: what a page shows.
type pageList struct {
	top   int
	shown int // lines drawn last time
	total int
}

// handle scrolls.
func (p *pageList) handle(a action) bool {
	switch a {
	case actUp:
		p.top--
	case actDown:
		p.top++
	case actFirst:
		p.top = 0
	case actLast:
		p.top = 1 << 16 // drawing keeps it in bounds
	default:
		return false
	}
	p.top = max(0, p.top)
	return true
}

// window returns the lines in sight.
func (p *pageList) window(lines []line, h int) []line {
	p.total, p.shown = len(lines), min(max(h, 0), len(lines))
	p.top = max(0, min(p.top, p.total-p.shown))
	return lines[p.top : p.top+p.shown]
}

// note says which lines are in sight; "" when all are.
func (p *pageList) note() string {
	l := list{top: p.top, shown: p.shown, total: p.total}
	return l.note()
}

func (p *pageList) keys() []paneKey {
	return []paneKey{
		{actUp, "scroll up"}, {actDown, "scroll down"}, {actFirst, "to the top"}, {actLast, "to the end"},
		{actBack, "back to the panes"},
	}
}

func newPage(c content, t *theme) *page { return &page{content: c, theme: t} }

// SetData gives the page what it shows.
func (p *page) SetData(s *model.Snapshot, r *model.Run) { p.content.setData(s, r) }

// View returns exactly h lines of w cells: a rule with the title, and the content.
func (p *page) View(w, h int) []string {
	lines := block(p.content.draw(w, h-1, true), w, max(0, h-1)) // before the note, which tells what it drew
	if h > 0 {
		lines = append([]line{rule(p.content.title(), p.content.note(), w)}, lines...)
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = p.theme.render(l)
	}
	return out
}

// rule is a line with a title on the left and a note on the right.
func rule(title, note string, w int) line {
	left := append(text(styleFocus, "══ "), seg{title + " ", styleFocus})
	var right line
	if note != "" {
		right = line{{" " + note + " ", styleDim}, {"═", styleFocus}}
	}
	if left.width()+right.width() > w {
		right = nil
	}
	left = fit(left, min(left.width(), w))
	return append(append(left, seg{strings.Repeat("═", max(0, w-left.width()-right.width())), styleFocus}), right...)
}

// open covers the panes with a page.
func (a *App) open(c content) {
	a.page, a.helpTop = newPage(c, a.theme), 0
	if a.snap != nil {
		a.page.SetData(a.snap, a.run)
	}
}

// inFront is the content that has the keys: the page's, else that of the pane with
// the focus.
func (a *App) inFront() content {
	if a.page != nil {
		return a.page.content
	}
	return a.panes[a.focus].content
}
