package tui

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// delays shows how the selected run's process-time and delay grew, and how the
// delay that the server reported compares with the one that samples tell.
type delays struct {
	location *time.Location
	chart    chart
	snap     *model.Snapshot
	run      *model.Run
}

func (d *delays) title() string { return "Delay and process-time, cumulative" }

// note says since when, for a run that was not seen from its start.
func (d *delays) note() string {
	if d.run == nil || d.run.FromStart || d.run.State == model.StateHidden {
		return ""
	}
	return "since " + d.run.FirstSeen.In(d.location).Format(time.TimeOnly)
}

func (d *delays) setData(s *model.Snapshot, r *model.Run) { d.snap, d.run = s, r }

func (d *delays) handle(action) bool { return false }

func (d *delays) keys() []paneKey { return nil }

func (d *delays) terms(int) []model.Explanation {
	return append(model.ExplainSubject(model.SubjectDelay).Of, model.Explain(model.SubjectMarks, glyphChanged)...)
}

func (d *delays) explains(int) ([]model.Explanation, int) {
	return paneTexts(nil, model.SubjectDelay, model.ExplainSubject(model.SubjectDelay).Of), 0
}

func (d *delays) draw(w, h int, _ bool) []line {
	if d.run == nil || h <= 0 {
		return nil
	}
	if why, s := d.nothing(); why != "" {
		return wrapped(why, s, w)
	}
	// What stands below the chart takes from it, the more telling first, while the
	// chart keeps lines enough to be read.
	const readable = leastChart + 2
	var below []line
	for i, part := range d.below(w) {
		if i > 0 && len(below)+len(part) > h-readable {
			break
		}
		below = append(below, part...)
	}
	if h < leastChart+len(below) {
		return below
	}
	return append(slices.Clone(d.chart.draw(d.data(), w, h-len(below))), below...)
}

// nothing says why there is nothing to draw; "" when there is.
func (d *delays) nothing() (string, style) {
	switch {
	case d.run.State == model.StateHidden:
		return "this role may not see how the vacuum spends its time", styleDim
	case d.run.State == model.StateWaiting:
		return "nothing yet: it waits for its lock", styleDim
	case d.run.ProcessTime == 0:
		return "nothing yet", styleDim
	}
	return "", stylePlain
}

// data is the run's history up to its last sight.
func (d *delays) data() chartData {
	estimate := !d.run.Delay.Reported.Known()
	points := append(slices.Clone(d.run.History), d.run.Now())
	spent := make([]chartPoint, 1, len(points)+1) // both begin at 0
	slept := make([]chartPoint, 1, len(points)+1)
	for _, p := range points {
		x := p.Since.Seconds()
		spent = append(spent, chartPoint{x, p.ProcessTime.Seconds()})
		slept = append(slept, chartPoint{x, seconds(sleptBy(p, estimate))})
	}
	label := "delayed"
	if estimate {
		label = glyphEstimate + label
	}
	return chartData{
		series: []series{
			{"process-time", styleStrong, "*", spent},
			{label, styleDelay, classLetter(model.ClassDelay), slept},
		},
		edges: d.edges(),
		end:   d.run.Now().Since,
		top:   roundTop(d.run.ProcessTime),
	}
}

func sleptBy(p model.DelayPoint, sampled bool) model.Opt[time.Duration] {
	if sampled {
		return p.Sampled
	}
	return p.Reported
}

// seconds is a chart's value; what is absent leaves a gap.
func seconds(d model.Opt[time.Duration]) float64 {
	if v, ok := d.Get(); ok {
		return v.Seconds()
	}
	return math.NaN()
}

// edges are where phases begin. Spans that were merged out of many have no place.
func (d *delays) edges() []edge {
	var out []edge
	for _, s := range d.run.Phases {
		if s.To.Sub(s.From)-s.Wall > time.Millisecond {
			continue
		}
		out = append(out, edge{at: s.From.Sub(d.run.WatchedFrom()), names: phaseForms(show(s.Phase))})
	}
	for _, c := range d.run.Changes {
		short := strings.TrimPrefix(strings.TrimPrefix(c.New.Name, "autovacuum_"), "vacuum_")
		value := show(model.Text(c.New.Written()))
		out = append(out, edge{at: c.At.Sub(d.run.WatchedFrom()), names: []string{short + " " + value, value}, changed: true})
	}
	for _, c := range d.run.LimitChanges {
		among := fmt.Sprintf("/%d", len(c.New.Sharing))
		out = append(out, edge{at: c.At.Sub(d.run.WatchedFrom()), names: []string{"limit " + among, among}, changed: true})
	}
	slices.SortStableFunc(out, func(a, b edge) int { return int(a.at - b.at) })
	return out
}

// phaseForms are a phase's name and a shorter one, where there is one to be had.
func phaseForms(name string) []string {
	short := map[string]string{
		"initializing": "init", "scanning heap": "scan", "vacuuming indexes": "index", "vacuuming heap": "heap",
		"cleaning up indexes": "clean-up", "truncating heap": "truncate", "performing final cleanup": "final",
	}[name]
	if short == "" {
		short, _, _ = strings.Cut(name, " ")
	}
	return []string{name, short}
}

// below are the numbers under the chart, then what is to be said of them: each part
// in lines of w cells.
func (d *delays) below(w int) [][]line {
	parts := [][]line{d.numbers(w)}
	add := func(s string, st style) {
		if s != "" {
			parts = append(parts, wrapped(s, st, w))
		}
	}
	if d.run.Delay.Differ() {
		add("Reported and sampled differ by more than three sampling errors.", styleNote)
	}
	if hint := model.HintOnDelay(d.snap, d.run); hint != nil {
		add(hint.Why, styleNote)
		add(hint.SQL, styleStrong)
		add(hint.Who, stylePlain)
	}
	return parts
}

// numbers are the delay by server and by samples, and its share.
func (d *delays) numbers(w int) []line {
	delay := d.run.Delay
	sampled := "sampled " + model.Absent
	if v, ok := delay.Sampled.Get(); ok {
		sampled = fmt.Sprintf("sampled %s%s %s %s", glyphEstimate, model.FormatDuration(v), d.plusMinus(), model.FormatDuration(delay.SampledError))
	}
	share, estimate := delay.Share(d.run.ProcessTime, d.run.Watched())
	ratio := "share " + model.Absent
	if v, ok := share.Get(); ok {
		ratio = "share " + model.FormatPercent(v)
		if estimate {
			ratio = "share " + glyphEstimate + model.FormatPercent(v)
		}
	}
	reported := "reported " + model.Absent
	if v, ok := delay.Reported.Get(); ok {
		reported = "reported " + model.FormatDuration(v)
	}
	return flow([]string{reported, sampled, ratio}, w)
}

// plusMinus stands before an interval.
func (d *delays) plusMinus() string {
	if d.chart.theme.ascii {
		return "+-"
	}
	return "±"
}
