package tui

import "example.com/vacscope/model"

// grouping tells which runs of a snapshot stand for a whole command in the list:
// one row a command, however many relations it has been through.
type grouping struct {
	groups map[uint64]*model.Group
	heads  map[uint64]*model.Run // the run that stands for the command
	over   map[uint64]int        // how many of its runs are over
}

// groupingOf finds the head of each command: the run in sight; between two of them
// the last one; of a command that is over the one that took most.
func groupingOf(s *model.Snapshot) grouping {
	g := grouping{map[uint64]*model.Group{}, map[uint64]*model.Run{}, map[uint64]int{}}
	for _, group := range s.Groups {
		g.groups[group.ID] = group
	}
	for _, r := range s.Active {
		if g.groups[r.Group] != nil {
			g.heads[r.Group] = r
		}
	}
	for _, r := range s.Ended {
		group, head := g.groups[r.Group], g.heads[r.Group]
		if group == nil {
			continue
		}
		g.over[r.Group]++
		if head == nil || group.End != nil && r.ProcessTime > head.ProcessTime {
			g.heads[r.Group] = r
		}
	}
	return g
}

// head is the run that stands for r: its command's, unless that is open.
func (g grouping) head(r *model.Run, open map[uint64]bool) *model.Run {
	if r == nil || open[r.Group] {
		return r
	}
	if head := g.heads[r.Group]; head != nil && r.End != nil {
		return head
	}
	return r
}

// of is the command that a run stands for; nil for one that stands for itself.
func (g grouping) of(r *model.Run) *model.Group {
	if r == nil || g.heads[r.Group] != r {
		return nil
	}
	return g.groups[r.Group]
}

// goesOn tells that a run that is over stands for a command that goes on.
func (g grouping) goesOn(r *model.Run) bool {
	group := g.of(r)
	return group != nil && r.End != nil && group.End == nil
}
