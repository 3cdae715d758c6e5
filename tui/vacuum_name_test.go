package tui

import (
	"testing"

	"example.com/vacscope/model"
)

// The list keeps of a name what tells the relation from others, as long as it fits.
func TestNamesInFewCells(t *testing.T) {
	run := func(change func(*model.Run)) *model.Run {
		r := &model.Run{Key: model.RunKey{PID: 7, DatID: 16384, RelID: 16442}, Command: "VACUUM", State: model.StateRunning, Database: "app",
			Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("orders")}
		change(r)
		return r
	}
	unnamed := func(r *model.Run) { r.Schema, r.Table = model.None[model.Text](), model.None[model.Text]() }
	elsewhere := func(r *model.Run) { r.Database = "d2" }
	for _, c := range []struct {
		run   *model.Run
		w     int
		wants string
	}{
		{run(func(*model.Run) {}), 16, "public.orders"},
		{run(func(*model.Run) {}), 11, "…orders"},
		{run(elsewhere), 19, "public.orders in d2"},
		{run(elsewhere), 16, "…orders in d2"},
		{run(elsewhere), 11, "…orders"},
		{run(func(r *model.Run) { unnamed(r); elsewhere(r) }), 20, "relation 16442 in d2"},
		{run(func(r *model.Run) { unnamed(r); elsewhere(r) }), 16, "oid 16442 in d2"},
		{run(func(r *model.Run) { unnamed(r); elsewhere(r) }), 11, "16442 in d2"},
		{run(unnamed), 11, "oid 16442"},
		{run(func(r *model.Run) { r.ToastOf = model.Some(model.RelationName{Schema: "public", Name: "t"}) }), 16, "TOAST of t"},
		{run(func(r *model.Run) { r.Command = "VACUUM FULL"; elsewhere(r) }), 21, "…orders in d2 FULL"},
	} {
		s := emptySnapshot()
		s.Active = []*model.Run{c.run}
		v := &vacuums{snap: s, grouping: groupingOf(s)}
		if got := plainText(v.name(c.run, c.w)); got != c.wants {
			t.Errorf("in %d cells: %q, want %q", c.w, got, c.wants)
		}
	}
}
