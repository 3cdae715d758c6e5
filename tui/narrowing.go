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
