package tui

import (
	"strings"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// seg is text of one style: plain, without controls and escape sequences.
type seg struct {
	text  string
	style style
}

// line is one row of cells.
type line []seg

// text makes a line of one segment.
func text(s style, t string) line { return line{{t, s}} }

// plain makes a line of one segment in the text's own colour.
func plain(t string) line { return text(stylePlain, t) }

func (l line) width() int {
	w := 0
	for _, s := range l {
		w += ansi.StringWidth(s.text)
	}
	return w
}

// in returns the line in one style.
func (l line) in(s style) line {
	out := make(line, len(l))
	for i, part := range l {
		out[i] = seg{part.text, s}
	}
	return out
}

// strengthen returns the line with its plain parts strong.
func (l line) strengthen() line {
	out := make(line, len(l))
	for i, part := range l {
		if part.style == stylePlain {
			part.style = styleStrong
		}
		out[i] = part
	}
	return out
}

const ellipsis = "…"

// fit returns exactly w cells: cut with an ellipsis, or filled with spaces on the
// right.
func fit(l line, w int) line {
	w = max(w, 0)
	if missing := w - l.width(); missing >= 0 {
		return append(l[:len(l):len(l)], seg{strings.Repeat(" ", missing), stylePlain})
	}
	out := make(line, 0, len(l))
	for _, s := range l {
		n := ansi.StringWidth(s.text)
		if n < w || (n == w && w == 0) {
			out, w = append(out, s), w-n
			continue
		}
		cut := ansi.Truncate(s.text+ellipsis, w, ellipsis)
		return append(out, seg{cut + strings.Repeat(" ", max(0, w-ansi.StringWidth(cut))), s.style})
	}
	return out
}

// cutWords is fit that ends what does not fit after a whole word.
func cutWords(l line, w int) line {
	if l.width() <= w {
		return fit(l, w)
	}
	all := plainText(l)
	kept := ansi.Truncate(all, max(0, w-1), "")
	if i := strings.LastIndexByte(kept, ' '); i > 0 && !strings.HasPrefix(all[len(kept):], " ") {
		kept = kept[:i]
	}
	kept = strings.TrimRight(kept, " ")
	return fit(fit(l, min(w, ansi.StringWidth(kept)+1)), w)
}

// alignRight is fit with the spaces on the left.
func alignRight(l line, w int) line {
	if missing := w - l.width(); missing > 0 {
		return append(line{{strings.Repeat(" ", missing), stylePlain}}, l...)
	}
	return fit(l, w)
}

// block returns exactly h lines of w cells.
func block(lines []line, w, h int) []line {
	out := make([]line, max(h, 0))
	for i := range out {
		if i < len(lines) {
			out[i] = fit(lines[i], w)
		} else {
			out[i] = fit(nil, w)
		}
	}
	return out
}

// show returns server text in a form whose width is the sum of its characters'
// widths, whatever stands beside it: Display, with characters that would join
// their neighbours replaced.
func show(t model.Text) string {
	s := t.Display()
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		s = s[len(cluster):]
		if ansi.StringWidth("x"+cluster+"x") != w+2 || w > 2 {
			cluster = "?"
		}
		b.WriteString(cluster)
	}
	return b.String()
}

// oneLine is show for statements, with white space as single spaces.
func oneLine(t model.Text) string {
	return show(model.Text(strings.Join(strings.Fields(string(t)), " ")))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// wrap breaks text into lines of at most w cells, at spaces; only a word that is
// longer than a line is broken itself.
func wrap(t string, w int) []string {
	if w <= 0 {
		return nil
	}
	var lines []string
	current := ""
	for _, word := range unbroken(t, w) {
		if current != "" && ansi.StringWidth(current)+1+ansi.StringWidth(word) <= w {
			current += " " + word
			continue
		}
		if current != "" {
			lines = append(lines, current)
		}
		parts := strings.Split(ansi.Hardwrap(word, w, true), "\n")
		lines = append(lines, parts[:len(parts)-1]...)
		current = parts[len(parts)-1]
	}
	if current != "" {
		lines = append(lines, current)
	}
	return lines
}

// unbroken are the words of a text, a number and what it counts ("12.4 s.") being
// one where both fit into a line.
func unbroken(t string, w int) []string {
	var out []string
	number := false // the last one can be joined
	for word := range strings.FieldsSeq(t) {
		if n := len(out) - 1; number && ansi.StringWidth(out[n])+1+ansi.StringWidth(word) <= w {
			out[n] += " " + word
			number = false
			continue
		}
		out = append(out, word)
		last := word[len(word)-1]
		number = last >= '0' && last <= '9'
	}
	return out
}
