package report

import (
	"slices"

	"example.com/vacscope/model"
)

// Change is what the vacuum did to its table, by the catalog.
type Change struct {
	Part
	Before, After *model.Relation // both, or none
}

func newChange(r *model.Run) Change {
	c := Change{Part: Part{unseen(r)}}
	switch {
	case c.Missing != "":
	case !r.FromStart:
		c.Missing = "it was not seen from its start"
	case r.End == nil:
		c.Missing = "it goes on"
	case r.Before == nil || r.After == nil:
		c.Missing = "the catalog was not read both before and after it"
	default:
		c.Before, c.After = r.Before, r.After
	}
	return c
}

// Values are what the catalog and the statistics said before and after, in their order.
func (c *Change) Values() []Changed {
	if c.Before == nil {
		return nil
	}
	b, a := c.Before, c.After
	out := []Changed{
		{"relpages", certain(b.RelPages), certain(a.RelPages)},
		{"reltuples", b.RelTuples, a.RelTuples},
		{"relallvisible", certain(b.RelAllVisible), certain(a.RelAllVisible)},
		{"relallfrozen", number(b.RelAllFrozen), number(a.RelAllFrozen)},
		{"age(relfrozenxid)", number(b.XIDAge), number(a.XIDAge)},
		{"mxid_age(relminmxid)", number(b.MXIDAge), number(a.MXIDAge)},
		{"n_live_tup", certain(b.LiveTuples), certain(a.LiveTuples)},
		{"n_dead_tup", certain(b.DeadTuples), certain(a.DeadTuples)},
	}
	for _, ix := range b.Indexes {
		if i := slices.IndexFunc(a.Indexes, func(o model.Index) bool { return o.RelID == ix.RelID }); i >= 0 {
			out = append(out, Changed{"relpages of " + string(ix.Name), certain(ix.RelPages), certain(a.Indexes[i].RelPages)})
		}
	}
	return slices.DeleteFunc(out, func(c Changed) bool { return !c.Before.Known() && !c.After.Known() })
}

// certain is a number that is always there.
func certain[N ~int64](n N) model.Opt[float64] { return model.Some(float64(n)) }

// Changed is one value before and after.
type Changed struct {
	Name          string // the catalog's; an index's name is in it as it is
	Before, After model.Opt[float64]
}

// section is the change as people read it.
func (c *Change) section() Section {
	s := Section{Name: "change", Title: "Before and after", Missing: c.Missing}
	if c.Missing != "" {
		return s
	}
	g := newGrid("", "value", "#before", "#after", "#difference")
	whole := func(v float64) string { return model.FormatCount(int64(v)) }
	for _, v := range c.Values() {
		difference := ascii(model.Absent)
		if v.Before.Known() && v.After.Known() {
			difference = signed(int64(v.After.Or(0)) - int64(v.Before.Or(0)))
		}
		g.add(model.Text(v.Name).Display(), text(v.Before, whole), text(v.After, whole), difference)
	}
	s.Grids = append(s.Grids, g)
	s.Notes = []string{"By the catalog and the statistics, which are estimates but for relpages and ages."}
	return s
}
