package report

import (
	"time"

	"example.com/vacscope/model"
)

// Cached is how much of a run's table and of its indexes was in shared buffers when the
// recording began and when it ended.
type Cached struct {
	Part
	// At are the times of the first reading and of the last one, if there are two.
	At []time.Time
	// Relations are the table, and the run's indexes in their order; each by reading.
	Relations []CachedRelation
}

// CachedRelation is what each reading says of one relation; absent where it was not among
// those with most buffers.
type CachedRelation []model.Opt[model.CachedRelation]

func newCached(s *model.Snapshot, r *model.Run) Cached {
	var c Cached
	if len(s.Cached) == 0 {
		c.Missing = "not recorded (vacscope record --buffercache does)"
		return c
	}
	ids := []uint32{r.Key.RelID}
	for _, ix := range r.Indexes {
		ids = append(ids, ix.RelID)
	}
	known := false
	for _, id := range ids {
		var of CachedRelation
		for i := range s.Cached {
			one := s.Cached[i].Of(r.Key.DatID, id)
			of, known = append(of, one), known || one.Known()
		}
		c.Relations = append(c.Relations, of)
	}
	for _, read := range s.Cached {
		c.At = append(c.At, read.At)
	}
	if !known {
		return Cached{Part: Part{"not read of this table: its database is another one, or too many relations have more of them"}}
	}
	return c
}

// grid is a row for the table and each index.
func (c *Cached) grid(table string, indexes []model.Index, block model.Bytes) Grid {
	clock := func(i int) string { return c.At[i].UTC().Format(time.TimeOnly) }
	heads := []string{"relation", "#at " + clock(0), "#dirty"}
	if len(c.At) > 1 {
		heads = append(heads, "#at "+clock(1), "#dirty")
	}
	g := newGrid("In shared buffers when the recording began and ended (UTC)", heads...)
	for i, of := range c.Relations {
		row := []string{table}
		if i > 0 {
			row[0] = indexes[i-1].Name.Display()
		}
		for _, read := range of {
			size := func(of func(model.CachedRelation) model.Blocks) string {
				return text(read, func(r model.CachedRelation) string { return model.FormatBytes(model.Bytes(of(r)) * block) })
			}
			row = append(row, size(func(r model.CachedRelation) model.Blocks { return r.Buffers }), size(func(r model.CachedRelation) model.Blocks { return r.Dirty }))
		}
		g.add(row...)
	}
	return g
}

// cachedObject is one relation in shared buffers.
type cachedObject struct {
	Index      model.Opt[model.Text]  `json:"index"` // null: the table
	Start      model.Opt[model.Bytes] `json:"bytes_at_start"`
	StartDirty model.Opt[model.Bytes] `json:"dirty_bytes_at_start"`
	End        model.Opt[model.Bytes] `json:"bytes_at_end"`
	EndDirty   model.Opt[model.Bytes] `json:"dirty_bytes_at_end"`
}

func newCachedObjects(c *Context) []cachedObject {
	out := []cachedObject{}
	for i, of := range c.Cached.Relations {
		var o cachedObject
		if i > 0 {
			o.Index = model.Some(c.Indexes[i-1].Name)
		}
		for n, to := range [][2]*model.Opt[model.Bytes]{{&o.Start, &o.StartDirty}, {&o.End, &o.EndDirty}} {
			if n >= len(of) {
				break
			}
			*to[0] = mapped(of[n], func(r model.CachedRelation) model.Bytes { return model.Bytes(r.Buffers) * c.Server.BlockSize })
			*to[1] = mapped(of[n], func(r model.CachedRelation) model.Bytes { return model.Bytes(r.Dirty) * c.Server.BlockSize })
		}
		out = append(out, o)
	}
	return out
}
