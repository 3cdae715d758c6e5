package tui

import (
	"math"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// checkChart draws and fails unless it fills its size, in characters of one cell
// each, with labels whole.
func checkChart(t *testing.T, d chartData, w, h int, ascii bool) []line {
	t.Helper()
	theme := newApp(termenv.TrueColor, ascii).theme
	c := chart{theme: theme}
	lines := c.draw(d, w, h)
	if len(lines) != max(h, 0) {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if got := l.width(); got != max(w, 0) {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, got, theme.render(l))
		}
		s := theme.render(l)
		checkControls(t, s)
		if ascii && !isASCII(ansi.Strip(s)) {
			t.Fatalf("%dx%d: not ASCII: %q", w, h, s)
		}
	}
	return lines
}

func drawn(t *testing.T, d chartData, w, h int) string {
	t.Helper()
	theme := newApp(termenv.Ascii, false).theme
	var b strings.Builder
	for _, l := range checkChart(t, d, w, h, false) {
		b.WriteString(theme.render(l) + "\n")
	}
	return b.String()
}

func rising(n int) []chartPoint {
	points := make([]chartPoint, n)
	for i := range points {
		points[i] = chartPoint{float64(i), float64(i) * 0.9}
	}
	return points
}

func dataOf(points ...chartPoint) chartData {
	return chartData{
		series: []series{{"process-time", styleStrong, "*", points}, {"delayed", styleDelay, ".", points}},
		edges:  []edge{{at: 0, names: []string{"scanning heap"}}, {at: 40 * time.Second, names: []string{"vacuuming indexes", "index"}}},
		end:    100 * time.Second, top: 100 * time.Second,
	}
}

var nan, inf = math.NaN(), math.Inf(1)

// hostileCharts are values on which ntcharts panics, hangs or takes all memory.
func hostileCharts() map[string]chartData {
	far := dataOf(rising(100)...)
	far.end = time.Second
	zero := dataOf(rising(100)...)
	zero.end, zero.top = 0, 0
	negative := dataOf(chartPoint{-1e9, -1e9}, chartPoint{1, -1})
	negative.end, negative.top = -time.Hour, -time.Hour
	most := dataOf(rising(100)...)
	most.end, most.top = math.MaxInt64, math.MaxInt64
	edges := dataOf(rising(100)...)
	edges.edges = []edge{{at: -time.Hour, names: []string{"a"}}, {at: math.MaxInt64, names: []string{"b"}}, {at: time.Second, names: nil}, {at: time.Second, names: []string{""}}, {at: 0, names: []string{"c"}}}
	return map[string]chartData{
		"nothing":            {},
		"no points":          dataOf(),
		"an empty series":    {series: []series{{}, {label: "a", mark: "*", points: rising(10)}}, end: 9 * time.Second, top: 10 * time.Second},
		"not a number":       dataOf(chartPoint{0, nan}, chartPoint{nan, 1}, chartPoint{nan, nan}),
		"infinite":           dataOf(chartPoint{0, inf}, chartPoint{inf, 1}, chartPoint{-inf, -inf}),
		"above the top":      dataOf(chartPoint{0, 1e12}, chartPoint{50, 1e308}, chartPoint{100, -1e308}),
		"outside":            dataOf(chartPoint{-1e308, 5}, chartPoint{1e308, 50}, chartPoint{1e18, 1}),
		"right of the view":  far,
		"no extent":          zero,
		"negative":           negative,
		"the longest time":   most,
		"edges anywhere":     edges,
		"one point":          dataOf(chartPoint{50, 50}),
		"backwards":          dataOf(chartPoint{90, 5}, chartPoint{10, 50}, chartPoint{90, 50}),
		"many points":        dataOf(rising(36_000)...),
		"labels of any text": {series: []series{{label: "漢字", mark: "*", points: rising(3)}}, edges: []edge{{at: time.Second, names: []string{"ää漢字"}}}, end: 2 * time.Second},
	}
}

func TestChartTakesAnyValueAtAnySize(t *testing.T) {
	for name, d := range hostileCharts() {
		t.Run(name, func(t *testing.T) {
			for _, w := range []int{-5, 0, 1, 4, 22, 23, 36, 60, 200} {
				for _, h := range []int{-5, 0, 1, 2, 3, 4, 5, 12, 60} {
					checkChart(t, d, w, h, w%2 == 0)
				}
			}
		})
	}
}

func FuzzChart(f *testing.F) {
	for _, v := range []float64{0, 1, -1, nan, inf, -inf, 1e12, 1e308, math.SmallestNonzeroFloat64} {
		f.Add(v, -v, v/3, 50.0, int64(time.Minute), int64(time.Hour), int64(time.Second), 60, 10, "delayed")
	}
	f.Add(0.0, 0.0, 0.0, 0.0, int64(0), int64(math.MinInt64), int64(math.MaxInt64), 0, 0, "\x1b[2J漢字")
	f.Fuzz(func(t *testing.T, x1, y1, x2, y2 float64, end, top, at int64, w, h int, label string) {
		label = show(model.Text(label))
		points := []chartPoint{{x1, y1}, {x2, y2}, {y1, x2}, {x1 + x2, y1 + y2}}
		d := chartData{
			series: []series{{label, styleStrong, "*", points}, {"delayed", styleDelay, ".", points[1:]}},
			edges:  []edge{{at: 0, names: []string{label}}, {at: time.Duration(at), names: []string{label + label, label}}},
			end:    time.Duration(end), top: time.Duration(top),
		}
		checkChart(t, d, w%220, h%70, false)
	})
}

func TestChartSaysWhenItHasNoRoom(t *testing.T) {
	for _, size := range [][2]int{{30, 10}, {60, 3}} {
		if s := drawn(t, dataOf(rising(100)...), size[0], size[1]); !strings.Contains(s, "too small for the") {
			t.Errorf("%v:\n%s", size, s)
		}
	}
}

// A panic in drawing stays in the chart.
func TestChartOutlivesAPanic(t *testing.T) {
	c := chart{} // without a theme
	lines := c.draw(dataOf(rising(100)...), 60, 10)
	if len(lines) != 10 || !strings.Contains(lines[0][0].text, "could not be drawn") {
		t.Errorf("%v", lines)
	}
}

func TestChartLabelsEachLineWhereItEnds(t *testing.T) {
	d := dataOf()
	d.series[0].points = []chartPoint{{0, 0}, {100, 99}}
	d.series[1].points = []chartPoint{{0, 0}, {100, 52}}
	lines := strings.Split(drawn(t, d, 60, 12), "\n")
	if !strings.Contains(lines[0], " process-time") || !strings.Contains(lines[4], " delayed") {
		t.Errorf("labels are not at the ends of their lines:\n%s", strings.Join(lines, "\n"))
	}
	// Lines that end in one row have their labels one above the other, in order.
	d.series[0].points = []chartPoint{{0, 0}, {100, 1}}
	d.series[1].points = []chartPoint{{0, 0}, {100, 0.5}}
	lines = strings.Split(drawn(t, d, 60, 12), "\n")
	if !strings.Contains(lines[8], "process-time") || !strings.Contains(lines[9], "delayed") {
		t.Errorf("labels of two low lines:\n%s", strings.Join(lines, "\n"))
	}
}

// What is not known is a gap, never a line at zero.
func TestChartLeavesGaps(t *testing.T) {
	d := dataOf(chartPoint{0, 50}, chartPoint{20, nan}, chartPoint{80, nan}, chartPoint{100, 50})
	d.edges = nil
	for i, l := range strings.Split(drawn(t, d, 60, 12), "\n")[:10] {
		runes := []rune(l)
		if middle := strings.Trim(string(runes[12:40]), " "); middle != "" {
			t.Errorf("line %d has %q where nothing is known", i, middle)
		}
	}
}

func TestChartMarksPhasesWithNamesAndTimes(t *testing.T) {
	s := drawn(t, dataOf(rising(100)...), 90, 12)
	for _, want := range []string{" scanning heap ─", "┬ vacuuming indexes ─", "40 s", "1:40"} {
		if !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
	}
	if s := drawn(t, dataOf(rising(100)...), 40, 12); strings.Contains(s, "vacuuming") || !strings.Contains(s, "┬ index ") {
		t.Errorf("without room for the name the short one is drawn:\n%s", s)
	}
}

func TestChartIsDrawnOncePerDataAndSize(t *testing.T) {
	c := chart{theme: newApp(termenv.TrueColor, false).theme}
	same := func(a, b []line) bool { return &a[0] == &b[0] }
	first := c.draw(dataOf(rising(100)...), 60, 12)
	if !same(first, c.draw(dataOf(rising(100)...), 60, 12)) {
		t.Error("drawn again though nothing changed")
	}
	if same(first, c.draw(dataOf(rising(99)...), 60, 12)) || same(first, c.draw(dataOf(rising(100)...), 61, 12)) {
		t.Error("not drawn again though data or size changed")
	}
}

func TestRoundTopHoldsWhatItIsFor(t *testing.T) {
	for d := time.Duration(1); d > 0 && d < 1<<61; d = d*5/4 + 1 {
		if top := roundTop(d); top < d || top > 2*d && d > 10*time.Second {
			t.Errorf("%v is drawn up to %v", d, top)
		}
	}
}

// BenchmarkChart draws a new chart of a full history in most of a screen of 200x60.
func BenchmarkChart(b *testing.B) {
	c := chart{theme: newApp(termenv.TrueColor, false).theme}
	charts := []chartData{dataOf(rising(600)...), dataOf(rising(599)...)}
	for i := range charts {
		charts[i].end, charts[i].top = 600*time.Second, 600*time.Second
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for _, l := range c.draw(charts[i%2], 196, 54) {
			c.theme.render(l)
		}
	}
}
