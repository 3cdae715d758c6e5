package tui

import "example.com/vacscope/model"

// narrowing is what a person asked the lists to leave out, and their order.
type narrowing struct {
	filter filter
	order  order
}

// runs are the runs that are listed, first those in sight (so many), then those
// that ended.
func (n narrowing) runs(s *model.Snapshot) (runs []*model.Run, active int) {
	for _, r := range n.order.sorted(s) {
		if n.filter.run(s, r) {
			runs = append(runs, r)
		}
	}
	active = len(runs)
	for _, r := range s.Ended {
		if n.filter.run(s, r) {
			runs = append(runs, r)
		}
	}
	return runs, active
}
