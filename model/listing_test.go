package model

import "testing"

// A look that falls on a TOAST relation finds the command at its table, whose own
// pages are done by then.
func TestATOASTRelationStandsWhereItsTableDoes(t *testing.T) {
	listing := Listing{Relations: 10, RelPages: 100, Places: []Place{{RelID: 7, Number: 4, PagesBefore: 30, RelPages: 5}}}
	g := groupState{group: Group{Kind: GroupDatabase, Number: Some(2), AtLeast: true}}
	g.locate(&runState{run: Run{Key: RunKey{RelID: 7}, Progress: &Progress{}, ToastOf: Some(RelationName{"public", "t"})}}, []Listing{listing})
	if g.group.Number.Or(0) != 4 || g.group.AtLeast || g.group.PagesDone.Or(0) != 35 {
		t.Errorf("%+v", g.group)
	}
}
