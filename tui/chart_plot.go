package tui

import (
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
	"github.com/NimbleMarkets/ntcharts/canvas"
	"github.com/NimbleMarkets/ntcharts/canvas/graph"
	"github.com/NimbleMarkets/ntcharts/canvas/runes"
)

// emptyBraille is a cell without dots.
const emptyBraille = '\u2800'

// cells draws the series into the plot's cells. Where two pass through a cell both
// are seen, in the colour of the later one.
func (p *plot) cells(t *theme) [][]seg {
	out := make([][]seg, p.h)
	for i := range out {
		out[i] = slices.Repeat([]seg{{" ", stylePlain}}, p.w)
	}
	dots := make([]rune, p.w*p.h)
	for _, s := range p.series {
		for y, row := range p.braille(s.points) {
			for x, r := range row {
				if r == emptyBraille || y >= p.h || x >= p.w {
					continue
				}
				if before := dots[y*p.w+x]; before != 0 {
					r = runes.CombineBraillePatterns(before, r)
				}
				dots[y*p.w+x] = r
				out[y][x] = seg{string(r), s.style}
				if t.ascii {
					out[y][x].text = s.mark
				}
			}
		}
	}
	return out
}

// braille draws the line through the points, rows of one character per cell.
func (p *plot) braille(points []chartPoint) [][]rune {
	end, top := p.end.Seconds(), p.top.Seconds()
	grid := graph.NewBrailleGrid(p.w, p.h, 0, end, 0, top)
	set := func(from, to chartPoint) {
		a := grid.GridPoint(canvas.Float64Point{X: from.x, Y: from.y})
		b := grid.GridPoint(canvas.Float64Point{X: to.x, Y: to.y})
		for _, dot := range graph.GetLinePoints(a, b) {
			grid.Set(dot)
		}
	}
	var before chartPoint
	joins := false // the point before and this one are joined by a line
	for _, point := range thinned(points, 2*p.w) {
		if !finite(point) {
			joins = false
			continue
		}
		if from, to, ok := inView(before, point, end, top); joins && ok {
			set(from, to)
		} else if from, to, ok := inView(point, point, end, top); ok {
			set(from, to)
		}
		before, joins = point, true
	}
	return grid.BraillePatterns()
}

// thinned keeps at most about n points, evenly, and the last one.
func thinned(points []chartPoint, n int) []chartPoint {
	if len(points) <= n {
		return points
	}
	step := (len(points) + n - 1) / n
	out := make([]chartPoint, 0, n+1)
	for i := 0; i < len(points)-1; i += step {
		out = append(out, points[i])
	}
	return append(out, points[len(points)-1])
}

// inView cuts the line between two points to the view; false when none of it is
// inside. Values beyond the top are drawn at the top.
func inView(a, b chartPoint, end, top float64) (chartPoint, chartPoint, bool) {
	if a.x > b.x {
		a, b = b, a
	}
	if b.x < 0 || a.x > end {
		return a, b, false
	}
	from, to := cutAt(a, b, 0, a), cutAt(a, b, end, b)
	from.y, to.y = max(0, min(top, from.y)), max(0, min(top, to.y))
	return from, to, finite(from) && finite(to)
}

// cutAt is the point of the line between a and b at x, for the one of them that lies
// beyond x; else that one itself.
func cutAt(a, b chartPoint, x float64, side chartPoint) chartPoint {
	outside := side == a && a.x < x || side == b && b.x > x
	if !outside || a.x == b.x {
		return side
	}
	share := (x - a.x) / (b.x - a.x)
	return chartPoint{x, a.y*(1-share) + b.y*share}
}

// axisTime is a duration on an axis: whole seconds below a minute.
func axisTime(d time.Duration) string {
	if d < time.Minute-time.Second/2 {
		return fmt.Sprintf("%.0f s", d.Seconds())
	}
	return model.FormatDuration(d)
}

// roundTop is the end of an axis that holds d: a round duration, so that the scale
// changes seldom while d grows.
func roundTop(d time.Duration) time.Duration {
	const minute, hour, day = time.Minute, time.Hour, 24 * time.Hour
	for _, top := range []time.Duration{
		10 * time.Second, 20 * time.Second, 30 * time.Second, minute, 2 * minute, 3 * minute, 4 * minute, 6 * minute, 8 * minute,
		10 * minute, 15 * minute, 20 * minute, 30 * minute, 40 * minute, hour, 90 * minute, 2 * hour, 3 * hour, 4 * hour,
		6 * hour, 8 * hour, 12 * hour, 16 * hour, day, 36 * hour, 2 * day,
	} {
		if d <= top {
			return top
		}
	}
	top := 3 * day
	for top < d && top < 1<<61 {
		top *= 2
	}
	return top
}
