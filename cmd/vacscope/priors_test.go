package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// seen is a sample in which a relation of a server is vacuumed.
func seen(seq uint64, system string, relid uint32) model.Sample {
	return model.Sample{Seq: seq, At: time.Unix(int64(seq), 0).UTC(), Poll: &model.Poll{
		Server:    model.Server{SystemIdentifier: system},
		Processes: []model.Process{{PID: 1, DatID: model.Some[uint32](5), Progress: &model.Progress{View: model.ViewVacuum, RelID: relid}}},
	}}
}

func priorsIn(s model.Sample) (out []model.Prior) {
	for _, e := range s.Events {
		if e.Kind == model.EventPrior {
			out = append(out, *e.Prior)
		}
	}
	return out
}

func TestAPriorIsGivenOnceWhenItsTableComesIntoSight(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "history")
	writer := newPriors(folder)
	writer.give(seen(1, "77", 1))
	known := model.Prior{DatID: 5, RelID: 16384, Rates: []model.PhaseRate{{Phase: "scanning heap", Rate: 100}}, Source: "the vacuum of yesterday"}
	writer.write([]model.Prior{known})

	p := newPriors(folder)
	for i, want := range []struct {
		sample model.Sample
		priors int
	}{{seen(1, "77", 1), 0}, {seen(2, "77", 16384), 1}, {seen(3, "77", 16384), 0}, {seen(4, "88", 16384), 0}, {seen(5, "77", 16384), 1}, {model.Sample{Seq: 6}, 0}} {
		got := priorsIn(p.give(want.sample))
		if len(got) != want.priors || len(got) > 0 && got[0].Source != known.Source {
			t.Errorf("sample %d has the priors %+v", i+1, got)
		}
	}
}

func TestPriorsThatCannotBeReadAreNone(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "77.priors.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := priorsIn(newPriors(folder).give(seen(1, "77", 16384))); got != nil {
		t.Errorf("%+v", got)
	}
	var none *priors
	if got := none.give(seen(1, "77", 1)); len(got.Events) > 0 {
		t.Errorf("%+v", got)
	}
	none.learn(&model.Snapshot{})
}

// Of more tables than are remembered those that were vacuumed last are.
func TestTheNewestPriorsAreKept(t *testing.T) {
	p := newPriors(filepath.Join(t.TempDir(), "history"))
	p.give(seen(1, "77", 1))
	prior := func(relid int, source model.Text) model.Prior {
		return model.Prior{DatID: 5, RelID: uint32(relid), Source: source}
	}
	var first []model.Prior
	for relid := maxPriorsKept - 1; relid >= 0; relid-- {
		first = append(first, prior(relid, "first"))
	}
	p.write(first)
	for relid := maxPriorsKept; relid < maxPriorsKept+10; relid++ {
		p.write([]model.Prior{prior(relid, "first")})
	}
	p.write([]model.Prior{prior(50, "again"), prior(7, "back"), prior(50, "older")})
	known := byRelation(p.read())
	for relid, want := range map[int]model.Text{
		50: "again", 7: "back", maxPriorsKept + 9: "first", 11: "first", 10: "", 9: "", 0: "",
	} {
		if got := known[relation{5, uint32(relid)}]; got.Source != want {
			t.Errorf("of table %d is known %q, want %q", relid, got.Source, want)
		}
	}
	if len(known) != maxPriorsKept || len(p.known) != len(known) {
		t.Errorf("%d tables are known, and %d here", len(known), len(p.known))
	}
}
