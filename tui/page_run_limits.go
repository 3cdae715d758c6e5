package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// allowance is what the cost settings allow the run.
func (p *runPage) allowance(w int) []line {
	if p.hidden() || p.run.Command != "VACUUM" {
		return nil
	}
	a := p.run.Allows
	facts := []fact{{label: "settings", value: p.costSettings()}}
	if b := a.Share; b != nil {
		facts = append(facts, fact{label: "its part", value: strings.Join(b.Sentences(), "; ")})
	}
	facts = append(facts, p.limitChanges()...)
	c, known := a.Settings.Get()
	switch {
	case a.Free != "":
		return factLines(append(facts, fact{label: "no limit", value: show(model.Text(a.Free))}), w)
	case known:
		nap := model.FormatUnits(float64(c.Limit)) + " units of work, then a nap of " + model.FormatDelay(c.Delay)
		facts = append(facts, fact{label: "that is", value: nap + "; more work at once, longer naps, at most four times that"})
	}
	facts = append(facts, fact{label: "here", value: p.allowedHere()})
	if known {
		facts = append(facts, fact{label: "if all pages are", value: corners(a)})
	}
	if rate, ok := a.PerProcess.Get(); ok && a.Processes > 1 {
		facts = append(facts, fact{label: "all together", value: fmt.Sprintf("%s%s/s for %d processes", glyphEstimate, model.FormatBytes(a.Of(rate)), a.Processes)})
	} else if a.Processes > 1 {
		facts = append(facts, fact{label: "processes", value: fmt.Sprintf("%d, each of which naps for its own work only", a.Processes)})
	}
	return factLines(facts, w)
}

// limitChanges are the last changes of how many share the limit, the last one first.
func (p *runPage) limitChanges() []fact {
	const most = 4
	var out []fact
	label := "joined, left"
	for _, c := range slices.Backward(p.run.LimitChanges) {
		if len(out) == most {
			break
		}
		out = append(out, fact{label: label, value: p.clock(c.At) + "  " + c.String()})
		label = ""
	}
	return out
}

// costSettings are the settings in force and where they come from.
func (p *runPage) costSettings() string {
	a := p.run.Allows
	if !a.Settings.Known() {
		return model.Absent + " (" + show(model.Text(a.WhyNot)) + ")"
	}
	from := func(name string, ofTable bool) string {
		name = show(model.Text(name))
		if ofTable {
			return name + " of the table"
		}
		return name
	}
	return a.FormatCost() + " (" + from(a.LimitFrom, a.LimitOfTable) + ", " + from(a.DelayFrom, a.DelayOfTable) + ")"
}

// allowedHere is what was observed in this phase.
func (p *runPage) allowedHere() string {
	a := p.run.Allows
	rate, ok := a.PerProcess.Get()
	if !ok {
		return model.Absent + " (seen only in phases that count pages, once a second was slept)"
	}
	out := fmt.Sprintf("%s%s/s per process, %s%s pages/s", glyphEstimate, model.FormatBytes(rate), glyphEstimate, model.FormatRate(a.Observed.Or(0)))
	if cost, known := a.Cost.Get(); known {
		out += fmt.Sprintf(", at %s%s units a page, skipped ones included", glyphEstimate, model.FormatUnits(cost))
	}
	return out
}

func corners(a model.Allowance) string {
	rate := func(b model.Bytes) string { return model.FormatBytes(b) + "/s" }
	return fmt.Sprintf("cached %s, read %s, made dirty %s per process", opts(a.Cached, rate), opts(a.Read, rate), opts(a.Dirtied, rate))
}

// edges is how far the ages are from where the server acts.
func (p *runPage) edges(w int) []line {
	rows := p.snap.Edges(p.run)
	if len(rows) == 0 {
		return nil
	}
	t := newTable(p.edgeColumns(), w-1)
	lines := []line{text(styleDim, " "+p.idRate()), append(plain(" "), t.heading()...)}
	for _, e := range rows {
		lines = append(lines, append(plain(" "), t.row(e)...))
		if p.rateOf(e).Or(model.IDRate{}).PerSecond > 0 {
			lines = append(lines, append(plain(" "), t.rowBelow(e)...))
		}
	}
	return lines
}

func (p *runPage) rateOf(e model.Edge) model.Opt[model.IDRate] {
	if e.Multixacts {
		return p.snap.MXIDRate
	}
	return p.snap.XIDRate
}

// idRate says at what rate ids are used up, and over which time that was seen.
func (p *runPage) idRate() string {
	r, ok := p.snap.XIDRate.Get()
	if !ok {
		return "ids left until …; the time to it follows once half a minute was watched"
	}
	return fmt.Sprintf("ids left until …, and %s the time: %s%s transaction ids/s over the last %s",
		glyphEstimate, glyphEstimate, model.FormatRate(r.PerSecond), model.FormatDuration(r.Window))
}

func (p *runPage) edgeColumns() []column[model.Edge] {
	limit := func(title, name string, s style, drop int) column[model.Edge] {
		return column[model.Edge]{
			title: title, min: 13, max: 16, right: true, drop: drop,
			cell:  func(e model.Edge, _ int) line { return p.left(e, name, s) },
			below: func(e model.Edge, _ int) line { return timeLeft(e, name) },
		}
	}
	return []column[model.Edge]{
		{title: "", min: 16, max: 40, first: true, cell: func(e model.Edge, _ int) line { return plain(edgeName(e)) },
			below: func(model.Edge, int) line { return nil }},
		{title: "age", min: 13, max: 14, right: true, cell: func(e model.Edge, _ int) line { return plain(model.FormatCount(e.Age)) },
			below: func(model.Edge, int) line { return nil }},
		limit("autovacuum", model.LimitAutovacuum, styleNote, 0),
		limit("failsafe", model.LimitFailsafe, styleBad, 0),
		limit("warnings", model.LimitWarning, styleBad, 1),
		limit("stop", model.LimitStop, styleBad, 0),
	}
}

func edgeName(e model.Edge) string {
	name := "table"
	switch e.Of {
	case model.EdgeDatabase:
		name = "database " + show(e.Name.QuoteIdent())
	case model.EdgeOldest:
		name = "oldest: " + show(e.Name.QuoteIdent())
	}
	if e.Multixacts {
		return "  multixacts"
	}
	return name
}

// left is how many ids are left until a limit.
func (p *runPage) left(e model.Edge, name string, s style) line {
	l, ok := e.LimitOf(name).Get()
	switch {
	case !ok && name == model.LimitFailsafe && p.snap.Server.VersionNum < 140000:
		return text(styleDim, naOn(p.snap.Server.VersionNum))
	case !ok:
		return absent()
	case l.Left == 0:
		return text(s, "passed")
	}
	return plain(model.FormatCount(l.Left))
}

// timeLeft is the estimate of when that will be.
func timeLeft(e model.Edge, name string) line {
	l, ok := e.LimitOf(name).Get()
	in, known := l.In.Get()
	switch {
	case l.Far:
		return text(styleDim, "over 10 years")
	case !ok || l.Left == 0 || !known:
		return nil
	}
	return text(styleDim, glyphEstimate+roughly(in))
}

// roughly is a long time with what matters of it.
func roughly(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 100*day:
		return model.FormatCounted(int(d/day), "day", "days")
	case d >= 2*time.Hour && d < 2*day:
		return fmt.Sprintf("%.0f hours", d.Hours())
	}
	return model.FormatDuration(d)
}
