package tui

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// explaining is what can be explained: a content or a dialog.
type explaining interface {
	title() string
	// explains are the texts on what stands there in w cells, and the one to begin with:
	// that of the row under the cursor.
	explains(w int) (texts []model.Explanation, at int)
}

// explainer shows the texts on what is explained, one at a time.
type explainer struct {
	of    explaining
	texts []model.Explanation
	list  list
	heads map[model.Explanation]bool // of whole subjects: what follows them belongs there
	top   int                        // the first line of the text that is drawn
}

// toggleExplainer explains what has the keys, or closes that.
func (a *App) toggleExplainer() {
	if a.explainer != nil {
		a.explainer = nil
		return
	}
	a.help = false
	if d, ok := a.dialog.(explaining); ok {
		a.explain(d, dialogWidth(a.layout())-frameCells)
		return
	}
	a.explain(a.inFront(), a.widthInFront())
	if a.page == nil {
		a.explainer.texts = append(a.explainer.texts, marksIn(a.panes[a.focus].drawn)...)
	}
}

func (a *App) explain(e explaining, w int) {
	texts, at := e.explains(w)
	heads := map[model.Explanation]bool{}
	for _, s := range model.Explanations() {
		heads[s.About] = true
	}
	a.explainer = &explainer{of: e, texts: texts, heads: heads, list: list{cursor: at}}
}

// widthInFront is that of the content that has the keys.
func (a *App) widthInFront() int {
	l := a.layout()
	if a.page != nil || l.mode != modeFull {
		return l.w
	}
	_, w := l.across(a.focus)
	return w - frameCells
}

// explainingDialog is a dialog that can be explained; while it takes text the key for
// that is a letter.
type explainingDialog interface {
	dialog
	explaining
	takesText() bool
}

// typedInExplainer gives a key to what explains, and tells whether it is for that.
// Over a dialog all are, but those that leave the program.
func (a *App) typedInExplainer(msg tea.KeyMsg) bool {
	e, act := a.explainer, actionOf(msg, false)
	switch {
	case msg.Type == tea.KeyPgUp, msg.Type == tea.KeyPgDown:
		e.scroll(msg.Type == tea.KeyPgDown)
	case act == actBack, act == actExplain:
		a.explainer = nil
	case e.move(act):
	case a.dialog == nil && a.page == nil && (act == actNextPane || act == actPreviousPane):
		a.press(act)
		a.explainer = nil
		a.toggleExplainer()
	default:
		return a.dialog != nil && act != actQuitNow && act != actSuspend
	}
	a.dirty = true
	return true
}

// move goes to another text.
func (e *explainer) move(act action) bool {
	if !e.list.move(act, len(e.texts)) {
		return false
	}
	e.top = 0
	return true
}

const explainStep = 5 // lines that pgup and pgdn go

func (e *explainer) scroll(down bool) {
	if down {
		e.top += explainStep // drawing keeps it in bounds
		return
	}
	e.top = max(0, e.top-explainStep)
}

// explainerHint are the keys that do something now.
func (a *App) explainerHint() string {
	pane := ""
	if a.dialog == nil && a.page == nil {
		pane = "tab next pane  "
	}
	return "↑↓ another  " + pane + "pgup pgdn scroll  esc closes"
}

// The widths of the explanation's box: at most so wide, with a list of names where
// the text has room beside it.
const (
	explainWidth     = 104
	leastNames       = 24 // a longer name is cut before the text gets less than it needs
	leastExplanation = 50
	explainGap       = 2
	explainLabel     = 10 // "versions"
)

// explainerBox is the names on the left and the text on the one under the cursor, in a
// frame that is as high as the longest text needs, so that nothing jumps.
func (a *App) explainerBox(l layout) []line {
	e := a.explainer
	w := min(l.w, explainWidth)
	inner := max(0, w-frameCells)
	names := e.namesWidth(inner)
	if inner < names+explainGap+leastExplanation {
		names = 0
	}
	body := inner
	if names > 0 {
		body -= names + explainGap
	}
	h := len(e.texts)
	for _, t := range e.texts {
		h = max(h, len(explanationLines(t, body)))
	}
	h = max(0, min(h, l.h-l.header-l.footer-2))
	from, to := e.list.window(len(e.texts), h)
	text := explanationLines(e.texts[e.list.cursor], body)
	e.top = max(0, min(e.top, len(text)-h))
	note := ""
	if over := len(text) - h - e.top; over > 0 {
		note = model.FormatCounted(over, "line", "lines") + " more: pgdn"
	}
	text = text[e.top:min(len(text), e.top+h)]
	lines := make([]line, h)
	for i := range lines {
		var left, right line
		if i < to-from && names > 0 {
			left = e.name(from+i, names)
		}
		if i < len(text) {
			right = text[i]
		}
		if names > 0 {
			right = append(fit(left, names+explainGap), right...)
		}
		lines[i] = right
	}
	f := frame{title: fmt.Sprintf("Explain: %s, %d of %d", e.of.title(), e.list.cursor+1, len(e.texts)), note: note, focused: true}
	return f.around(block(lines, inner, h), w)
}

// namesWidth is that of the list of names, with its marker, in a box of inner cells.
func (e *explainer) namesWidth(inner int) int {
	w := 0
	for _, t := range e.texts {
		w = max(w, plain(t.Name).width()+4)
	}
	return min(w, max(leastNames, inner-explainGap-leastExplanation))
}

// name is a line of the list; what belongs to a subject stands under it, further in.
func (e *explainer) name(i, w int) line {
	selected := i == e.list.cursor
	s, indent := stylePlain, " "
	if selected {
		s = styleStrong
	}
	if !e.heads[e.texts[i]] && slices.ContainsFunc(e.texts[:i], func(t model.Explanation) bool { return e.heads[t] }) {
		indent = "   "
	}
	return fit(append(marker(selected), seg{indent + e.texts[i].Name, s}), w)
}

// explanationLines are a text in w cells.
func explanationLines(t model.Explanation, w int) []line {
	lines := []line{text(styleStrong, t.Name)}
	lines = append(lines, wrapped(asSentence(t.Definition()), stylePlain, w)...)
	fields := t.Fields()
	if len(fields) > 0 {
		lines = append(lines, nil)
	}
	for _, f := range fields {
		label := text(styleDim, f[0])
		for _, part := range wrap(f[1], w-explainLabel) {
			lines = append(lines, append(fit(label, explainLabel), seg{part, stylePlain}))
			label = nil
		}
	}
	return lines
}

// asSentence begins with a capital letter and ends with a full stop.
func asSentence(t string) string {
	if t == "" {
		return ""
	}
	return strings.ToUpper(t[:1]) + strings.TrimSuffix(t[1:], ".") + "."
}

// paneTexts are the texts of a pane: of the row under the cursor, of the pane as a
// whole, of what stands in it.
func paneTexts(row []model.Explanation, s model.Subject, terms []model.Explanation) []model.Explanation {
	return append(append(slices.Clone(row), model.ExplainSubject(s).About), terms...)
}

// rulesOf are the rules by which something was found of a run.
func rulesOf(s *model.Snapshot, r *model.Run) []model.Explanation {
	var out []model.Explanation
	found := model.Findings(s, r)
	for _, rule := range model.Rules() {
		if slices.ContainsFunc(found, func(f model.Finding) bool { return f.Rule == rule.Name }) {
			out = append(out, rule.Explain())
		}
	}
	return out
}

// marksIn are the texts on the marks that stand in lines.
func marksIn(lines []line) []model.Explanation {
	marks := model.ExplainSubject(model.SubjectMarks)
	out := []model.Explanation{marks.About}
	for _, e := range marks.Of {
		if mark := e.Name; !isASCII(mark) && drawnIn(lines, mark) {
			out = append(out, e)
		}
	}
	return out
}

// drawnIn tells whether a text stands in lines.
func drawnIn(lines []line, t string) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return strings.Contains(plainText(l), t) })
}
