package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// detailLines is the least that the details of a process need.
const detailLines = 2

// details are the waits of one process, in this phase and over the run, in the h
// lines that are left: as a table where there is room, else in two lines.
func (p *processes) details(m model.Member, w, h int) []line {
	if h >= 5 {
		return append([]line{nil}, p.waitTable(m, w, h-1)...)
	}
	lines := []line{
		waitLine(fmt.Sprintf("  %7d, this phase", m.PID), m.PhaseProfile),
		append(waitLine("            whole run", m.Profile), missed(m)...),
	}
	return lines[:max(0, min(len(lines), h))]
}

// missed is how many samples of the process were planned and not taken; nil for none.
func missed(m model.Member) line {
	if m.Samples.Missed == 0 {
		return nil
	}
	return text(styleDim, "  "+model.FormatCounted(m.Samples.Missed, "sample", "samples")+" missed")
}

// waitLine is "whole run  VacuumDelay 83 % (328)  ...": each wait with its share and
// its samples.
func waitLine(head string, profile []model.WaitTime) line {
	out := text(styleDim, head+"  ")
	total := totalWeight(profile)
	for i, wait := range profile {
		if i > 0 {
			out = append(out, seg{"  ", stylePlain})
		}
		out = append(out, seg{waitName(wait), classStyle(wait.Class)},
			seg{fmt.Sprintf(" %s (%s)", model.FormatPercent(model.Ratio(weightOf(wait)/total)), model.FormatCount(int64(wait.Samples))), stylePlain})
	}
	if len(profile) == 0 {
		out = append(out, absent()...)
	}
	return out
}

func totalWeight(profile []model.WaitTime) float64 {
	total := 0.0
	for _, w := range profile {
		total += weightOf(w)
	}
	return total
}

// waitRow is one wait event of a process in both profiles.
type waitRow struct {
	wait              model.WaitTime
	phase, run        int
	phaseShare, share model.Ratio
}

// waitRows joins the profiles of phase and run, in the order of the run's.
func waitRows(m model.Member) []waitRow {
	rows := make([]waitRow, len(m.Profile))
	total, phaseTotal := totalWeight(m.Profile), totalWeight(m.PhaseProfile)
	for i, w := range m.Profile {
		rows[i] = waitRow{wait: w, run: w.Samples, share: model.Ratio(weightOf(w) / total)}
		for _, in := range m.PhaseProfile {
			if in.Wait == w.Wait {
				rows[i].phase, rows[i].phaseShare = in.Samples, model.Ratio(weightOf(in)/phaseTotal)
			}
		}
	}
	return rows
}

func (p *processes) waitTable(m model.Member, w, h int) []line {
	t := newTable(p.waitColumns(fmt.Sprintf("%s %d waits for", role(m), m.PID)), w-2)
	lines := []line{append(plain("  "), t.heading()...)}
	for _, row := range waitRows(m) {
		if len(lines) == h {
			break
		}
		lines = append(lines, append(plain("  "), t.row(row)...))
	}
	return append(lines, missed(m)) // in the list's lines, where there is one left
}

func (p *processes) waitColumns(title string) []column[waitRow] {
	count := func(n int) line {
		if n == 0 {
			return absent()
		}
		return plain(model.FormatCount(int64(n)))
	}
	percent := func(r model.Ratio) line {
		if r == 0 {
			return absent()
		}
		return plain(model.FormatPercent(r))
	}
	return []column[waitRow]{
		{title: title, min: 24, max: 32, cell: func(r waitRow, _ int) line {
			return text(classStyle(r.wait.Class), waitName(r.wait))
		}},
		{title: "class", min: 6, max: 6, drop: 2, cell: func(r waitRow, _ int) line { return plain(r.wait.Class.String()) }},
		{title: "this phase", min: 10, max: 10, right: true, cell: func(r waitRow, _ int) line { return percent(r.phaseShare) }},
		{title: "", min: 10, max: 30, drop: 1, cell: func(r waitRow, w int) line {
			n := int(float64(r.phaseShare)*float64(w) + 0.5)
			return text(classStyle(r.wait.Class), strings.Repeat(classFill(p.theme, r.wait.Class), n))
		}},
		{title: "samples", min: 8, max: 8, right: true, cell: func(r waitRow, _ int) line { return count(r.phase) }},
		{title: "whole run", min: 9, max: 9, right: true, cell: func(r waitRow, _ int) line { return percent(r.share) }},
		{title: "samples", min: 8, max: 8, right: true, cell: func(r waitRow, _ int) line { return count(r.run) }},
	}
}
