package tui

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// chart draws durations over time as lines, with ntcharts. It is the only place
// that knows ntcharts, which panics, hangs or takes all memory on values that are
// not finite, on sizes below its labels and on points far outside of the view:
// the chart takes any value at any size. It keeps what it drew until data or size
// change.
type chart struct {
	theme *theme
	data  chartData
	w, h  int
	lines []line // of data at w x h; nil for none yet
}

// chartData is what a chart shows.
type chartData struct {
	series []series
	edges  []edge
	end    time.Duration // of the axis of time, which begins at 0
	top    time.Duration // of the other axis
}

// series is one line of a chart, with a label at its end.
type series struct {
	label  string
	style  style
	mark   string // draws it where there is only ASCII: one character
	points []chartPoint
}

// chartPoint is a point of a series, in seconds. One that is not a finite number
// leaves a gap.
type chartPoint struct{ x, y float64 }

// edge is where something begins on the axis of time, with forms of its name from
// long to short.
type edge struct {
	at      time.Duration
	names   []string
	changed bool // a setting, or who shares a limit, was changed there
}

func (d chartData) equal(o chartData) bool {
	sameSeries := func(a, b series) bool {
		return a.label == b.label && a.style == b.style && slices.Equal(a.points, b.points)
	}
	sameEdge := func(a, b edge) bool { return a.at == b.at && a.changed == b.changed && slices.Equal(a.names, b.names) }
	return d.end == o.end && d.top == o.top &&
		slices.EqualFunc(d.series, o.series, sameSeries) && slices.EqualFunc(d.edges, o.edges, sameEdge)
}

// The least that a chart needs beside its labels: cells of the plot, and lines with
// those of the axis of time.
const (
	leastPlotWidth = 16
	axisLines      = 2
	leastChart     = axisLines + 2
)

// draw returns the chart in exactly h lines of w cells; below its least size, and
// should drawing fail, one line that says so.
func (c *chart) draw(d chartData, w, h int) []line {
	if c.lines != nil && w == c.w && h == c.h && d.equal(c.data) {
		return c.lines
	}
	c.data, c.w, c.h = d, w, h
	c.lines = block(c.drawn(d, w, h), w, h)
	return c.lines
}

func (c *chart) drawn(d chartData, w, h int) (lines []line) {
	defer func() {
		if recover() != nil {
			lines = []line{text(styleDim, "the chart could not be drawn")}
		}
	}()
	p := newPlot(d, w, h)
	if p.w < leastPlotWidth || h < leastChart {
		return []line{text(styleDim, "too small for the chart")}
	}
	return p.lines(c.theme)
}

// plot is a chart at a size: the columns left of it for the labels of the vertical
// axis, its own w x h cells, and those right of it for the series' labels.
type plot struct {
	chartData
	left, w, h int
	scale      []string // labels of the vertical axis: top, middle, 0
}

// newPlot divides w x h cells among plot and labels.
func newPlot(d chartData, w, h int) *plot {
	d.end, d.top = max(d.end, time.Second), max(d.top, time.Second)
	p := &plot{chartData: d, h: h - axisLines}
	p.scale = []string{axisTime(d.top), axisTime(d.top / 2), "0"}
	right := 0
	for _, label := range p.scale {
		p.left = max(p.left, ansi.StringWidth(label))
	}
	for _, s := range d.series {
		right = max(right, ansi.StringWidth(s.label)+1)
	}
	p.w = w - p.left - 1 - right
	return p
}

func (p *plot) lines(t *theme) []line {
	cells, columns, ends := p.cells(t), p.edgeColumns(), p.labels()
	p.markEdges(cells, columns)
	var out []line
	for i, row := range cells {
		out = append(out, slices.Concat(p.scaleAt(i), joined(row), line{ends[i]}))
	}
	return append(out, p.axis(columns), p.times(columns))
}

// markEdges draws a line through the plot at every edge, behind the series, unless
// there are so many that they would hide them.
func (p *plot) markEdges(cells [][]seg, columns []edgeColumn) {
	const apart = 8
	if len(columns) > max(2, p.w/apart) {
		return
	}
	for _, row := range cells {
		for _, e := range columns {
			switch {
			case row[e.column].text != " ":
			case e.changed:
				row[e.column] = seg{glyphChanged, styleNote}
			case e.column > 0:
				row[e.column] = seg{"│", styleFrame}
			}
		}
	}
}

// scaleAt is the vertical axis beside a row.
func (p *plot) scaleAt(row int) line {
	label, tick := "", "│"
	switch {
	case row == 0:
		label, tick = p.scale[0], "┤"
	case row == p.h/2 && p.h >= 4:
		label, tick = p.scale[1], "┤"
	}
	return append(alignRight(text(styleDim, label), p.left), seg{tick, styleFrame})
}

// labels are the series' labels, each in the row where its line ends. Of lines that
// end in one row the higher one's label stands above.
func (p *plot) labels() map[int]seg {
	type end struct {
		row int
		seg seg
		y   float64
	}
	var ends []end
	for _, s := range p.series {
		if y, ok := lastOf(s.points); ok {
			ends = append(ends, end{p.rowOf(y), seg{" " + s.label, s.style}, y})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return a.row - b.row })
	out := map[int]seg{}
	next := 0
	for i, e := range ends {
		row := min(max(e.row, next), p.h-len(ends)+i)
		out[max(row, 0)] = e.seg
		next = row + 1
	}
	return out
}

func (p *plot) rowOf(y float64) int {
	share := max(0, min(1, y/p.top.Seconds()))
	return min(p.h-1, int((1-share)*float64(p.h)))
}

func lastOf(points []chartPoint) (float64, bool) {
	for _, point := range slices.Backward(points) {
		if finite(point) {
			return point.y, true
		}
	}
	return 0, false
}

func finite(p chartPoint) bool {
	return !math.IsNaN(p.x) && !math.IsInf(p.x, 0) && !math.IsNaN(p.y) && !math.IsInf(p.y, 0)
}

// edgeColumn is an edge at its column; to is the column of the next.
type edgeColumn struct {
	edge
	column, to int
}

// edgeColumns are the edges in the view, in their order. Of those in one column the
// last has the name.
func (p *plot) edgeColumns() []edgeColumn {
	var out []edgeColumn
	for _, e := range p.edges {
		if e.at < 0 || e.at > p.end {
			continue
		}
		column := min(p.w-1, int(float64(p.w-1)*float64(e.at)/float64(p.end)+0.5))
		n := len(out)
		switch {
		case n > 0 && column < out[n-1].column:
			continue
		case n > 0 && column == out[n-1].column:
			out = out[:n-1]
		case n > 0:
			out[n-1].to = column
		}
		out = append(out, edgeColumn{e, column, p.w})
	}
	return out
}

// axis is the axis of time, with the names of what begins at its edges.
func (p *plot) axis(columns []edgeColumn) line {
	out := append(alignRight(text(styleDim, "0"), p.left), seg{"┼", styleFrame})
	drawn := 0
	fill := func(to int) {
		out = append(out, seg{strings.Repeat("─", max(0, to-drawn)), styleFrame})
		drawn = max(drawn, to)
	}
	for _, e := range columns {
		fill(e.column)
		switch {
		case e.changed:
			out = append(out, seg{glyphChanged, styleNote})
			drawn++
		case e.column > 0:
			out = append(out, seg{"┬", styleFrame})
			drawn++
		}
		for _, name := range e.names {
			if n := ansi.StringWidth(name) + 2; n <= e.to-drawn {
				out = append(out, seg{" " + name + " ", styleDim})
				drawn += n
				break
			}
		}
	}
	fill(p.w)
	return out
}

// times are those of the edges, as far as they have room, and the end of the axis.
func (p *plot) times(columns []edgeColumn) line {
	end := axisTime(p.end)
	last := p.w - ansi.StringWidth(end)
	out, drawn := text(stylePlain, strings.Repeat(" ", p.left+1)), 0
	for _, e := range columns {
		at := axisTime(e.at)
		if e.column == 0 || e.column < drawn || e.column+ansi.StringWidth(at)+1 > last {
			continue
		}
		out = append(out, seg{strings.Repeat(" ", e.column-drawn), stylePlain}, seg{at + " ", styleDim})
		drawn = e.column + ansi.StringWidth(at) + 1
	}
	return append(out, seg{strings.Repeat(" ", max(0, last-drawn)), stylePlain}, seg{end, styleDim})
}

// joined makes a line of cells, neighbours of one style being one segment.
func joined(row []seg) line {
	var out line
	for _, cell := range row {
		if n := len(out); n > 0 && out[n-1].style == cell.style {
			out[n-1].text += cell.text
			continue
		}
		out = append(out, cell)
	}
	return out
}
