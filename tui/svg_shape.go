package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// svgShape is the path that fills n cells of a character at x, y; "" for one that
// is drawn as text.
func svgShape(character string, x, y float64, n int) string {
	w := float64(n) * svgCellW
	if i := strings.Index("▁▂▃▄▅▆▇█", character); i >= 0 && character != "" {
		part := float64(i/len("▁")+1) / 8
		return svgRect(x, y+svgCellH*(1-part), w, svgCellH*part)
	}
	if i := strings.Index("▏▎▍▌▋▊▉", character); i >= 0 && character != "" {
		return svgRect(x, y, svgCellW*float64(i/len("▏")+1)/8, svgCellH)
	}
	middle := y + svgCellH/2
	switch character {
	case glyphAsleep:
		return svgLowDots(x, y, n)
	case glyphTrack:
		return svgDots(x, y, n)
	case glyphAccent:
		return svgRect(x+svgCellW/2-1.5, y, 3, svgCellH)
	case "─":
		return svgRect(x, middle-0.5, w, 1)
	case "═":
		return svgRect(x, middle-2, w, 1) + svgRect(x, middle+1, w, 1)
	case "│":
		return svgRect(x+svgCellW/2-0.5, y, 1, svgCellH)
	case "║":
		return svgRect(x+svgCellW/2-2, y, 1, svgCellH) + svgRect(x+svgCellW/2+1, y, 1, svgCellH)
	}
	if r, _ := utf8.DecodeRuneInString(character); runes.IsBraillePattern(r) {
		return svgBraille(r, x, y, n)
	}
	return svgTee(character, x, y) + svgCorner(character, x, y)
}

// svgBraille is a braille pattern, n times: what of a chart's line goes through cells.
func svgBraille(r rune, x, y float64, n int) string {
	var dots runes.PatternDots
	runes.SetPatternDots(r, &dots)
	var b strings.Builder
	for i := range n {
		for dot, set := range dots {
			column, row := dot/3, dot%3
			if dot >= 6 { // the two lowest are numbered last
				column, row = dot-6, 3
			}
			if set {
				b.WriteString(svgRect(x+(float64(2*i+column)+0.5)*svgCellW/2-1, y+(float64(row)+0.5)*svgCellH/4-1, 2, 2))
			}
		}
	}
	return b.String()
}

// svgTee is where lines meet: the whole line that it lies on, and an arm.
func svgTee(character string, x, y float64) string {
	across := svgRect(x, y+svgCellH/2-0.5, svgCellW, 1)
	down := svgRect(x+svgCellW/2-0.5, y, 1, svgCellH)
	switch character {
	case "┼":
		return across + down
	case "┤":
		return down + svgRect(x, y+svgCellH/2-0.5, svgCellW/2, 1)
	case "┬":
		return across + svgRect(x+svgCellW/2-0.5, y+svgCellH/2, 1, svgCellH/2)
	}
	return ""
}

func svgRect(x, y, w, h float64) string {
	return fmt.Sprintf("M%.1f %.1fh%.1fv%.1fh%.1fz", x, y, w, h, -w)
}

// svgLowDots is the dotted line at the bottom of cells.
func svgLowDots(x, y float64, n int) string {
	var b strings.Builder
	for i := range 2 * n {
		b.WriteString(svgRect(x+(float64(i)+0.5)*svgCellW/2-0.8, y+svgCellH-2.2, 1.6, 1.6))
	}
	return b.String()
}

// svgDots is the light pattern of a cell that is not filled.
func svgDots(x, y float64, n int) string {
	var b strings.Builder
	for column := range n * 3 {
		for row := range 6 {
			shift := float64(column%2) * 1.5
			b.WriteString(svgRect(x+float64(column)*svgCellW/3+0.8, y+float64(row)*3+shift+0.3, 1, 1))
		}
	}
	return b.String()
}

// svgCorner is a corner of a frame, single or double: two arms that meet in the
// middle of the cell.
func svgCorner(character string, x, y float64) string {
	corners := map[string][3]float64{ // towards right 1 or left -1, towards down 1 or up -1, distance of the two lines
		"┌": {1, 1, 0}, "┐": {-1, 1, 0}, "└": {1, -1, 0}, "┘": {-1, -1, 0},
		"╔": {1, 1, 1.5}, "╗": {-1, 1, 1.5}, "╚": {1, -1, 1.5}, "╝": {-1, -1, 1.5},
	}
	c, ok := corners[character]
	if !ok {
		return ""
	}
	arms := func(d float64) string {
		cx, cy := x+svgCellW/2+c[0]*d, y+svgCellH/2+c[1]*d
		endX, endY := x+svgCellW*(1+c[0])/2, y+svgCellH*(1+c[1])/2
		return svgRect(min(cx, endX)-0.5, cy-0.5, max(cx, endX)-min(cx, endX)+1, 1) +
			svgRect(cx-0.5, min(cy, endY)-0.5, 1, max(cy, endY)-min(cy, endY)+1)
	}
	if c[2] == 0 {
		return arms(0)
	}
	return arms(c[2]) + arms(-c[2])
}
