package experiment

import "fmt"

// Remarks are what is to be said of runs: what they did not exercise, and what the
// workload noted. What is to be said of all of them is said once.
func (l Lab) Remarks() []string {
	of := map[string][]string{} // the runs, by what is to be said of them
	var texts []string
	runs := 0
	for _, s := range l.Sides {
		for _, r := range s.Runs {
			runs++
			for _, text := range l.remarks(r) {
				if of[text] == nil {
					texts = append(texts, text)
				}
				of[text] = append(of[text], fmt.Sprintf("run %d, %s", r.Number, s.Name))
			}
		}
	}
	var out []string
	for _, text := range texts {
		if named := of[text]; len(named) == runs && runs > 1 {
			out = append(out, "every run: "+text)
		} else {
			for _, run := range named {
				out = append(out, run+": "+text)
			}
		}
	}
	return out
}

// remarks are those of one run.
func (l Lab) remarks(r Run) []string {
	var out []string
	if r.Cut {
		out = append(out, fmt.Sprintf("cut short after %.1f s", r.Duration.Seconds()))
	}
	out = append(out, r.Remarks...)
	if frozen, known := r.Pages.Frozen.Get(); l.Expected.Freezing && known && frozen == 0 {
		out = append(out, "vacuum froze 0 pages")
	}
	if l.Expected.Aggressive && r.VacuumsFrom != "" && !r.FirstAggressive().Known() {
		out = append(out, "no aggressive vacuum")
	}
	if l.Expected.HOT && r.Rows.Updated > 0 && r.Rows.UpdatedHOT == 0 {
		out = append(out, "no update was HOT")
	}
	return out
}

// Conditions are those that make timings of the sides hard to compare, or slow on
// purpose, or quicker than those of a server that is safe.
func (l Lab) Conditions() []string {
	var out []string
	first := l.Sides[0].Programs
	for _, s := range l.Sides {
		p := s.Programs
		switch {
		case p.Version == "":
			continue // it has not run
		case p.DebugAssertions:
			out = append(out, s.Name+": debug_assertions is on, which slows the server down")
		}
		if !p.Fsync {
			out = append(out, s.Name+": fsync is off, timings are not those of a server that is safe")
		}
		if !p.FullPageWrites {
			out = append(out, s.Name+": full_page_writes is off, WAL is less than that of a server that is safe")
		}
	}
	for _, s := range l.Sides[1:] {
		p := s.Programs
		if p.Version == "" || first.Version == "" {
			continue
		}
		if p.Version != first.Version {
			out = append(out, fmt.Sprintf("the versions differ: %s is %s, %s is %s", l.Sides[0].Name, first.Version, s.Name, p.Version))
		}
		if optionsOnly(first, p) != optionsOnly(p, first) {
			out = append(out, fmt.Sprintf("the configure options differ: %s has %s; %s has %s",
				l.Sides[0].Name, optionsOnly(first, p), s.Name, optionsOnly(p, first)))
		}
	}
	return out
}
