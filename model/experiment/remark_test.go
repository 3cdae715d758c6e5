package experiment

import (
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// What a run did not exercise is said, of that run or once of all.
func TestRemarks(t *testing.T) {
	ran := func(number int, frozen int64, kinds ...VacuumKind) Run {
		r := Run{Number: number, Duration: time.Minute, Measures: Measures{VacuumsFrom: "the server's log"}}
		r.Pages.Frozen = model.Some(frozen)
		r.Remarks = []string{"fits"}
		for _, kind := range kinds {
			r.Vacuums = append(r.Vacuums, Vacuum{Kind: kind})
		}
		return r
	}
	cut := ran(3, 5, VacuumAggressive)
	cut.Cut, cut.Duration = true, 1500*time.Millisecond
	l := Lab{Expected: Expected{Freezing: true, Aggressive: true}, Sides: []Side{
		{Name: "a", Runs: []Run{ran(1, 0, VacuumAggressive)}},
		{Name: "b", Runs: []Run{ran(2, 7, VacuumNormal), cut}},
	}}
	want := []string{"every run: fits", "run 1, a: vacuum froze 0 pages", "run 2, b: no aggressive vacuum", "run 3, b: cut short after 1.5 s"}
	if got := l.Remarks(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if got := l.Sides[1].Compared(); len(got) != 1 || got[0].Number != 2 {
		t.Errorf("compared are %d runs", len(got))
	}
	if alone := (Side{Runs: []Run{cut}}); len(alone.Compared()) != 1 {
		t.Error("the only run is left out because it was cut short")
	}
	l.Expected = Expected{}
	if got := l.Remarks(); len(got) != 2 {
		t.Errorf("of a workload that brings nothing of it about: %q", got)
	}
}

// What makes timings of sides hard to compare is said before any number.
func TestConditions(t *testing.T) {
	safe := ServerPrograms{Version: "18.4", Configure: model.Some(" '--prefix=/a' '--with-icu' 'CFLAGS=-O2 -g'"), Fsync: true, FullPageWrites: true}
	other := safe
	other.Configure = model.Some("'--prefix=/b' '--bindir=/b/bin' --with-icu 'CFLAGS=-O2 -g'")
	if got := (Lab{Sides: []Side{{Name: "a", Programs: safe}, {Name: "b", Programs: other}, {Name: "not run"}}}).Conditions(); len(got) != 0 {
		t.Errorf("of alike programs: %q", got)
	}
	other.Version, other.DebugAssertions, other.Fsync, other.FullPageWrites = "19devel", true, false, false
	other.Configure = model.Some("'--enable-cassert' '--with-icu'")
	want := []string{
		"b: debug_assertions is on, which slows the server down",
		"b: fsync is off, timings are not those of a server that is safe",
		"b: full_page_writes is off, WAL is less than that of a server that is safe",
		"the versions differ: a is 18.4, b is 19devel",
		"the configure options differ: a has CFLAGS=-O2 -g; b has --enable-cassert",
	}
	if got := (Lab{Sides: []Side{{Name: "a", Programs: safe}, {Name: "b", Programs: other}}}).Conditions(); !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
