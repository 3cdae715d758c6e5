package tui

import "example.com/vacscope/model"

// narrowing is what a person asked the lists to leave out, and their order.
type narrowing struct {
	filter filter
	order  order
	open   map[uint64]bool // commands whose runs that are over are listed, by Group.ID
}

// runs are the runs that are listed, first those in sight (so many), then those
// that ended. Of a command over several relations one stands for all that are
// over, until it is opened or a filter looks for one of them.
func (n narrowing) runs(s *model.Snapshot) (runs []*model.Run, active int) {
	g := groupingOf(s)
	for _, r := range n.order.sorted(s) {
		if n.filter.run(s, r) {
			runs = append(runs, r)
		}
	}
	for _, r := range s.Ended {
		if g.goesOn(r) && n.filter.run(s, r) {
			runs = append(runs, r)
		}
	}
	active = len(runs)
	for _, r := range s.Ended {
		closed := !n.filter.set() && g.head(r, n.open) != r
		if !closed && !g.goesOn(r) && n.filter.run(s, r) {
			runs = append(runs, r)
		}
	}
	return runs, active
}

// counts are how many rows the list of vacuums has, and without the filter: runs and,
// while none is in sight, the last vacuums of the database.
func (n narrowing) counts(s *model.Snapshot) (shown, all int) {
	runs, _ := n.runs(s)
	shown, all = len(runs), len(s.Active)+len(s.Ended)
	if len(s.Active) == 0 {
		shown, all = shown+len(n.history(s)), all+len(s.Unseen())
	}
	return shown, all
}

// history are the last vacuums that no run stands for and the filter lets through.
func (n narrowing) history(s *model.Snapshot) []model.LastVacuum {
	var out []model.LastVacuum
	for _, last := range s.Unseen() {
		if !n.filter.set() || n.filter.has(last.Display()) {
			out = append(out, last)
		}
	}
	return out
}
