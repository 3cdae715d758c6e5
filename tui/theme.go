package tui

import (
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// style names what a text is; the theme says how that looks.
type style uint8

// The styles.
const (
	stylePlain  style = iota // the terminal's own colour
	styleStrong              // what the eye should meet first
	styleDim                 // headings, units, what is stale
	styleFrame
	styleFocus // the frame and title of the pane that has the keys
	styleGood
	styleNote   // worth knowing, nothing to do
	styleBad    // for a person to act on
	styleAsleep // a second slept through, in a lane
	styleDelay  // from here on the classes of model.Class, in its order
	styleLock
	styleWAL
	styleIO
	styleLWLock
	styleLeader
	styleCPU
	styleOther
	styles
)

func classStyle(c model.Class) style { return styleDelay + style(c) }

// theme turns lines into text for the terminal. It is built once.
type theme struct {
	ascii   bool // only ASCII may be drawn
	few     bool // no colours, or 16, too few for the classes: letters tell them
	before  [styles]string
	after   [styles]string
	toASCII map[string]string
}

// newTheme takes the colour profile from r, never from the environment.
func newTheme(r *lipgloss.Renderer, dark, ascii bool) *theme {
	t := &theme{ascii: ascii, few: r.ColorProfile() == termenv.Ascii || r.ColorProfile() == termenv.ANSI, toASCII: asciiGlyphs()}
	for s, look := range looks(dark) {
		rendered := look.style(r).Render("x")
		t.before[s], t.after[s], _ = strings.Cut(rendered, "x")
	}
	return t
}

// letters tells whether classes are drawn as letters.
func (t *theme) letters() bool { return t.ascii || t.few }

// render returns the line with its escape sequences.
func (t *theme) render(l line) string {
	var b strings.Builder
	for i := 0; i < len(l); {
		s := l[i].style
		b.WriteString(t.before[s])
		for ; i < len(l) && l[i].style == s; i++ {
			b.WriteString(t.chars(l[i].text))
		}
		b.WriteString(t.after[s])
	}
	return b.String()
}

// chars returns the text with the characters that this terminal can draw.
func (t *theme) chars(s string) string {
	if !t.ascii || isASCII(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		b.WriteString(t.inASCII(cluster, w))
	}
	return b.String()
}

// inASCII returns what stands for a character of w cells.
func (t *theme) inASCII(character string, w int) string {
	if isASCII(character) {
		return character
	}
	if known, ok := t.toASCII[character]; ok {
		return known
	}
	return strings.Repeat("?", w)
}
