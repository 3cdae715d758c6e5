package experiment

import (
	"testing"
	"time"

	"example.com/vacscope/model"
)

// values are those of one run of a lab, by the names of the quantities.
func values(l Lab, r Run) map[string]model.Opt[float64] {
	out := map[string]model.Opt[float64]{}
	for _, q := range l.Quantities() {
		out[q.Name] = q.Of(r)
	}
	return out
}

// What is not known of a run is absent, and not 0: kinds of vacuums while there is one
// whose kind is not known, and what its version does not tell.
func TestWhatIsNotKnownIsAbsent(t *testing.T) {
	run := Run{At: began, Duration: 10 * time.Second, Measures: Measures{
		VacuumsFrom: "the server's log", Vacuums: []Vacuum{vacuumed(1, 2, VacuumNormal), vacuumed(3, 4, "")},
		IO: IO{From: "pg_stat_bgwriter", CheckpointerWriter: model.Some(int64(7))},
	}}
	v := values(Lab{Sides: []Side{{Runs: []Run{run}}}}, run)
	for name, want := range map[string]float64{
		"normal vacuums": 1, "vacuums of a kind that is not known": 1, "time vacuuming, sum": 2, "share of the run vacuuming": 0.2,
		"writes by checkpointer and background writer (pg_stat_bgwriter)": 7,
	} {
		if got, known := v[name].Get(); !known || got != want {
			t.Errorf("%s is %v, want %v", name, v[name], want)
		}
	}
	for _, name := range []string{"aggressive vacuums", "failsafe vacuums", "length of the first aggressive vacuum", "WAL", "P50", "I/O time of autovacuum", "rows inserted"} {
		if v[name].Known() {
			t.Errorf("%s is %v, and is not known", name, v[name])
		}
	}
}

// A type of backend that wrote no WAL in one run wrote 0 bytes, where the server tells who
// wrote.
func TestWALOfABackendThatWroteNone(t *testing.T) {
	wrote := func(backend string) Run {
		return Run{Measures: Measures{WALBackends: []WALBackend{{backend, model.Some[model.Bytes](0), model.Some[model.Bytes](8)}}}}
	}
	a, b, older := wrote("client backend"), wrote("walwriter"), Run{}
	l := Lab{Sides: []Side{{Runs: []Run{a, b, older}}}}
	if got, known := values(l, b)["written by client backend"].Get(); !known || got != 0 {
		t.Error("what it wrote in the other run is not known to be 0")
	}
	if values(l, older)["written by client backend"].Known() {
		t.Error("it is known where the server does not tell")
	}
}
