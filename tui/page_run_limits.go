package tui

import (
	"fmt"
	"slices"
	"strings"

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
