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
	writer.write(map[relation]model.Prior{{5, 16384}: known})

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
