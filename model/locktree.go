package model

import "slices"

// LockNode is one line of the tree of those who wait now.
type LockNode struct {
	Wait LockWait
	// Depth is how many waiting sessions stand in front of it in its branch; 0: it is
	// blocked by somebody who does not wait.
	Depth int
	// Last tells that no sibling follows it.
	Last bool
	// Also are blockers beside the one it stands under.
	Also int
}

// LockTree orders waits as a tree: under each session those that wait behind it.
// A session with several blockers stands under the first of them that waits, and a
// circle is cut where it closes. Every wait is in it once.
func LockTree(waits []LockWait) []LockNode {
	children, roots := map[int32][]LockWait{}, []LockWait(nil)
	waiting := make(map[int32]bool, len(waits))
	for _, w := range waits {
		waiting[w.PID] = true
	}
	for _, w := range waits {
		front := slices.IndexFunc(w.BlockedBy, func(pid int32) bool { return waiting[pid] })
		if front < 0 {
			roots = append(roots, w)
			continue
		}
		children[w.BlockedBy[front]] = append(children[w.BlockedBy[front]], w)
	}
	out := make([]LockNode, 0, len(waits))
	placed := map[int32]bool{}
	var place func(level []LockWait, depth int)
	place = func(level []LockWait, depth int) {
		level = slices.DeleteFunc(slices.Clone(level), func(w LockWait) bool { return placed[w.PID] })
		for i, w := range level {
			placed[w.PID] = true
			out = append(out, LockNode{Wait: w, Depth: depth, Last: i == len(level)-1, Also: max(0, len(w.BlockedBy)-1)})
			place(children[w.PID], depth+1)
		}
	}
	place(roots, 0)
	for _, w := range waits { // circles have no root
		if !placed[w.PID] {
			place([]LockWait{w}, 0)
		}
	}
	return out
}
