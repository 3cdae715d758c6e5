package tui

import (
	"fmt"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// options are those of the statement, the defaults of this version, and those that
// the table has.
func (p *runPage) options(w int) []line {
	if p.hidden() {
		return nil
	}
	var facts []fact
	stated, defaults := model.VacuumOptions(p.run.Statement.Or(""), p.snap.Server.VersionNum)
	if defaults != nil {
		given := optionList(stated)
		if given == "" {
			given = "none"
		}
		facts = append(facts, fact{label: "stated", value: given},
			fact{label: fmt.Sprintf("defaults of %d", p.snap.Server.VersionNum/10000), value: optionList(defaults), style: styleDim})
	}
	if rel := p.run.Relation; rel != nil {
		facts = append(facts, fact{label: "of the table", value: relOptions(rel.RelOptions)})
		if len(rel.OwnerOptions) > 0 {
			facts = append(facts, fact{label: "of its owner", value: relOptions(rel.OwnerOptions)})
		}
	}
	return factLines(facts, w)
}

func optionList(options []model.StatementOption) string {
	parts := make([]string, len(options))
	for i, o := range options {
		parts[i] = show(model.Text(strings.TrimSpace(o.Name + " " + o.Value)))
	}
	return strings.Join(parts, ", ")
}

func relOptions(options []model.Text) string {
	parts := make([]string, len(options))
	for i, o := range options {
		parts[i] = show(o)
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// before is what the statistics keep of the table's earlier vacuums.
func (p *runPage) before(w int) []line {
	rel := p.run.Relation
	if rel == nil || p.hidden() {
		return nil
	}
	row := func(label string, count int64, last model.Opt[time.Time], total model.Opt[time.Duration]) fact {
		if count == 0 && !last.Known() {
			return fact{label: label, value: "none since the statistics began"}
		}
		value := model.FormatCounted(int(count), "time", "times")
		if at, ok := last.Get(); ok {
			value += ", last " + p.ago(at)
		}
		if sum, ok := total.Get(); ok && count > 0 {
			value += "; mean " + model.FormatDuration(sum/time.Duration(count))
		}
		return fact{label: label, value: value}
	}
	facts := []fact{
		row("by sessions", rel.VacuumCount, rel.LastVacuum, rel.TotalVacuumTime),
		row("by autovacuum", rel.AutovacuumCount, rel.LastAutovacuum, rel.TotalAutovacuumTime),
	}
	if !rel.TotalVacuumTime.Known() {
		facts = append(facts, fact{label: "mean time", value: naOn(p.snap.Server.VersionNum) + " (18 brings it)", style: styleDim})
	}
	return factLines(facts, w)
}

func (p *runPage) notices(w int) []line {
	var out []line
	for _, e := range p.run.Notices {
		for i, part := range wrap(oneLine(e.Text), max(w-10, 10)) {
			at := ""
			if i == 0 {
				at = e.At.In(p.location).Format(time.TimeOnly)
			}
			out = append(out, append(fit(text(styleDim, at), 10), seg{part, stylePlain}))
		}
	}
	return out
}

// columns is the progress row under the server's names: what the program does not
// know first, and what this version does not have.
func (p *runPage) columns(w int) []line {
	columns := model.ProgressColumns(p.run.Progress, p.snap.Server.VersionNum)
	if len(columns) == 0 {
		return nil
	}
	known, unknown := []line{}, []line{}
	for _, c := range columns {
		l := append(fit(text(styleDim, show(model.Text(c.Name))), 26), p.columnValue(c)...)
		if c.Known {
			known = append(known, l)
		} else {
			unknown = append(unknown, l)
		}
	}
	if len(unknown) > 0 && p.run.Progress.View == model.ViewVacuum {
		unknown = append([]line{text(styleNote, "not known to this program:")}, unknown...)
	}
	lines := append(unknown, known...)
	if w < twoColumns {
		return lines
	}
	half := (len(lines) + 1) / 2
	for i := range half { // side by side where there is room
		left := fit(lines[i], (w-3)/2+3)
		if i+half < len(lines) {
			left = append(left, lines[i+half]...)
		}
		lines[i] = left
	}
	return lines[:half]
}

func (p *runPage) columnValue(c model.ProgressColumn) line {
	switch {
	case c.Missing() && c.Until > 0:
		return text(styleDim, fmt.Sprintf("%s (up to %d)", naOn(p.snap.Server.VersionNum), c.Until))
	case c.Missing():
		return text(styleDim, fmt.Sprintf("%s (%d brings it)", naOn(p.snap.Server.VersionNum), c.Since))
	}
	return opt(c.Value, show)
}
