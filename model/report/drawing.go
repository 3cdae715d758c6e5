package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// drawing is a chart in shapes, for the page. Its texts are those of Display.
type drawing struct {
	Title  string
	W, H   float64
	Rects  []rect
	Lines  []polyline
	Texts  []label
	Legend []legendKey
}

// rect is a filled rectangle; Class gives its colour, Tip is what it says when pointed at.
type rect struct {
	X, Y, W, H float64
	Class, Tip string
}

// polyline is a line through points, as the points attribute of SVG has them.
type polyline struct{ Points, Class string }

// label is a text at a place; Anchor is start, middle or end.
type label struct {
	X, Y         float64
	Anchor, Text string
}

// legendKey says what a colour, or a line, stands for.
type legendKey struct {
	Class, Text string
	Line        bool
}

// The places in a drawing, in its units.
const (
	drawingWidth = 760.0
	plotLeft     = 150.0 // labels stand left of it
	plotRight    = 690.0 // numbers stand right of it
	rowHeight    = 22.0
	axisHeight   = 22.0
	textDrop     = 15.0 // from the top of a row to the foot of its text
)

func (d *drawing) text(x, y float64, anchor, text string) {
	d.Texts = append(d.Texts, label{x, y, anchor, text})
}

func (d *drawing) makeSafe() {
	d.Title = safe(d.Title)
	for i := range d.Rects {
		d.Rects[i].Tip = safe(d.Rects[i].Tip)
	}
	for i := range d.Texts {
		d.Texts[i].Text = safe(d.Texts[i].Text)
	}
	for i := range d.Legend {
		d.Legend[i].Text = safe(d.Legend[i].Text)
	}
}

// line draws from place to place.
func (d *drawing) line(class string, places ...float64) {
	var b strings.Builder
	for i := 0; i+1 < len(places); i += 2 {
		fmt.Fprintf(&b, "%.1f,%.1f ", places[i], places[i+1])
	}
	d.Lines = append(d.Lines, polyline{strings.TrimSpace(b.String()), class})
}

// explain adds to the legend what is not in it yet.
func (d *drawing) explain(k legendKey) {
	if !slices.Contains(d.Legend, k) {
		d.Legend = append(d.Legend, k)
	}
}

// timeAxis is the axis of time at the foot of a plot, and its lines through it.
func (d *drawing) timeAxis(top, bottom float64, end time.Duration) {
	for _, at := range ticksOf(end) {
		x := along(at, end)
		d.line("grid", x, top, x, bottom)
		d.text(x, bottom+textDrop, "middle", axisTime(at))
	}
}

// along is where a time stands on the axis of time.
func along(at, end time.Duration) float64 {
	if end <= 0 {
		return plotLeft
	}
	return plotLeft + (plotRight-plotLeft)*min(1, max(0, float64(at)/float64(end)))
}

// steps are the distances between the marks of an axis of time.
var steps = []time.Duration{
	10 * time.Millisecond, 100 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute,
	time.Hour, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour,
}

// ticksOf are the marks of an axis of time from 0 on, at most nine.
func ticksOf(end time.Duration) []time.Duration {
	const most = 8
	step := end / most
	if i := slices.IndexFunc(steps, func(s time.Duration) bool { return end/s <= most }); i >= 0 {
		step = steps[i]
	}
	var out []time.Duration
	for at := time.Duration(0); at <= end; at += step {
		out = append(out, at)
	}
	return out
}

// axisTime writes a time on an axis.
func axisTime(d time.Duration) string {
	switch {
	case d == 0:
		return "0"
	case d < time.Minute && d%time.Second == 0:
		return fmt.Sprintf("%d s", d/time.Second)
	}
	return model.FormatDuration(d)
}
