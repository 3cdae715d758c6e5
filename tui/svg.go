package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The cells of a picture, in its pixels.
const (
	svgCellW, svgCellH = 8.4, 18.0
	svgMargin          = 12.0
)

// RenderSVG draws a frame of an App as a picture. The colours are those of a
// frame in the TrueColor profile; dark says which background it was drawn for.
// Lines and blocks become shapes, so that no font breaks them.
func RenderSVG(frame string, dark bool) string {
	background, foreground := "#ffffff", "#24292f"
	if dark {
		background, foreground = "#15181e", "#d8dce3"
	}
	lines := strings.Split(frame, "\n")
	width := 0
	for _, l := range lines {
		width = max(width, ansi.StringWidth(l))
	}
	w, h := float64(width)*svgCellW+2*svgMargin, float64(len(lines))*svgCellH+2*svgMargin
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="14">`+"\n", w, h)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", background)
	for i, l := range lines {
		p := svgRow{out: &b, top: svgMargin + float64(i)*svgCellH, ink: svgInk{foreground, false}, plain: foreground}
		p.draw(l)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// svgInk is how characters are drawn.
type svgInk struct {
	colour string
	bold   bool
}

func (i svgInk) attributes() string {
	s := fmt.Sprintf(` fill="%s"`, i.colour)
	if i.bold {
		s += ` font-weight="bold"`
	}
	return s
}

// svgRow draws one line, runs of one kind at a time.
type svgRow struct {
	out   *strings.Builder
	top   float64
	plain string // the colour without one
	ink   svgInk
	cell  int // of the next character
	run   strings.Builder
	from  int // first cell of the run
	shape bool
}

func (r *svgRow) draw(l string) {
	var state byte
	for len(l) > 0 {
		seq, w, n, next := ansi.DecodeSequence(l, state, nil)
		l, state = l[n:], next
		if w == 0 {
			r.flush()
			r.take(seq)
			continue
		}
		r.put(seq, w)
	}
	r.flush()
}

// put adds a character to the run, or begins a new one.
func (r *svgRow) put(character string, w int) {
	shape := svgShape(character, 0, 0, 1) != ""
	if shape != r.shape || (shape && r.run.Len() > 0 && !strings.HasPrefix(r.run.String(), character)) {
		r.flush()
	}
	r.shape = shape
	r.run.WriteString(character)
	r.cell += w
}

// flush draws the run. What is blank needs no drawing.
func (r *svgRow) flush() {
	run, cells := r.run.String(), r.cell-r.from
	x := svgMargin + float64(r.from)*svgCellW
	r.run.Reset()
	r.from = r.cell
	switch {
	case strings.TrimSpace(run) == "":
	case r.shape:
		first, _ := ansi.FirstGraphemeCluster(run, ansi.GraphemeWidth)
		fmt.Fprintf(r.out, `<path d="%s"%s/>`+"\n", svgShape(first, x, r.top, cells), r.ink.attributes())
	default:
		text := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(run)
		fmt.Fprintf(r.out, `<text x="%.1f" y="%.1f" textLength="%.1f" xml:space="preserve"%s>%s</text>`+"\n",
			x, r.top+13.5, float64(cells)*svgCellW, r.ink.attributes(), text)
	}
}

// take follows an SGR sequence; others do not occur in a frame.
func (r *svgRow) take(seq string) {
	parameters := strings.Split(strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b["), "m"), ";")
	for i := 0; i < len(parameters); i++ {
		switch parameters[i] {
		case "", "0":
			r.ink = svgInk{r.plain, false}
		case "1":
			r.ink.bold = true
		case "38":
			if i+4 < len(parameters) && parameters[i+1] == "2" {
				r.ink.colour = fmt.Sprintf("rgb(%s)", strings.Join(parameters[i+2:i+5], ","))
				i += 4
			}
		}
	}
}
