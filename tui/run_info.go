package tui

import (
	"fmt"
	"strings"

	"example.com/vacscope/model"
)

// info is what holds for the whole run, most telling first.
func (p *phases) info(w int) []line {
	r := p.run
	facts := []string{deadItems(r.Memory), memory(r), p.seen()}
	if size, ok := r.HeapBytes.Get(); ok {
		table := "table " + model.FormatBytes(size)
		if n := len(r.Indexes); n > 0 {
			table += ", " + model.FormatCounted(n, "index", "indexes")
		}
		facts = append(facts, table)
	}
	if r.Samples.Taken > 0 {
		facts = append(facts, samples(r.Samples))
	}
	return flow(facts, w)
}

// flow sets facts one after the other, as many to a line as fit.
func flow(facts []string, w int) []line {
	var lines []line
	current := ""
	for _, fact := range facts {
		switch {
		case fact == "":
		case current == "":
			current = fact
		case len([]rune(current))+3+len([]rune(fact)) <= w:
			current += "   " + fact
		default:
			lines, current = append(lines, plain(current)), fact
		}
	}
	if current != "" {
		lines = append(lines, plain(current))
	}
	return lines
}

func deadItems(m model.Memory) string {
	items, ok := m.Items.Get()
	if !ok {
		return ""
	}
	return "dead rows " + model.FormatCount(items)
}

// memory is the fill of the dead-item memory, and what it will come to.
func memory(r *model.Run) string {
	m := r.Memory
	if !m.Known() {
		return ""
	}
	estimate := glyphEstimate
	if wholeHeapScanned(r) {
		estimate = "" // no further pass can come
	}
	var b strings.Builder
	if m.Bytes {
		fmt.Fprintf(&b, "memory %s of %s", model.FormatBytes(model.Bytes(m.Used)), model.FormatBytes(model.Bytes(m.Max)))
	} else {
		fmt.Fprintf(&b, "memory %s of %s row pointers", model.FormatCount(m.Used), model.FormatCount(m.Max))
	}
	if phase := r.Phase(); m.Fill() >= 1 && r.End == nil && phase != nil && phase.Phase == "scanning heap" {
		b.WriteString(", full, index pass due")
	}
	if projected, ok := m.Projected.Get(); ok {
		fmt.Fprintf(&b, ", %s%s full at the scan's end", glyphEstimate, model.FormatPercent(projected))
	}
	if passes, ok := m.Passes.Get(); ok {
		fmt.Fprintf(&b, ", %s%s", estimate, model.FormatCounted(passes, "pass", "passes"))
	}
	if needed, ok := m.Needed.Get(); ok {
		fmt.Fprintf(&b, " (%s%s would make one)", glyphEstimate, model.FormatBytes(needed))
	}
	return b.String()
}

// wholeHeapScanned tells whether the heap scan is known to have reached its end.
func wholeHeapScanned(r *model.Run) bool {
	if r.Progress == nil {
		return false
	}
	total, scanned := r.Progress.HeapBlksTotal.Or(0), r.Progress.HeapBlksScanned.Or(0)
	return total > 0 && scanned >= total
}

// seen says how much of the run was watched, where that is not all of it.
func (p *phases) seen() string {
	if p.run.FromStart {
		return ""
	}
	seen := model.FormatDuration(p.run.LastSeen.Sub(p.run.FirstSeen))
	if age, ok := p.run.Elapsed().Get(); ok {
		return fmt.Sprintf("seen for %s of %s", seen, model.FormatDuration(age))
	}
	return "seen for " + seen
}

func samples(c model.Count) string {
	s := model.FormatCounted(c.Taken, "sample", "samples")
	if c.Missed > 0 {
		s += fmt.Sprintf(", %s missed", model.FormatCount(int64(c.Missed)))
	}
	return s
}
