package model

import (
	"testing"
	"time"
)

func TestMeanOfVacuumsIsAbsentWhereItIsNotKnown(t *testing.T) {
	minute := Some(time.Minute)
	for name, c := range map[string]struct {
		h    VacuumHistory
		want Opt[time.Duration]
	}{
		"three in a minute": {VacuumHistory{Count: 3, Total: minute}, Some(20 * time.Second)},
		"before 18":         {VacuumHistory{Count: 3}, None[time.Duration]()},
		"none":              {VacuumHistory{Total: Some(time.Duration(0))}, None[time.Duration]()},
	} {
		if got := c.h.Mean(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestLatestVacuumIsManualOrAuto(t *testing.T) {
	at := func(minute int) Opt[time.Time] { return Some(time.Unix(int64(minute)*60, 0)) }
	for want, v := range map[string]LastVacuum{
		ByAutovacuum: {Manual: VacuumHistory{Last: at(1), Count: 1}, Auto: VacuumHistory{Last: at(2), Count: 2}},
		ByManual:     {Manual: VacuumHistory{Last: at(1), Count: 1}},
	} {
		by, h := v.Latest()
		if by != want || !h.Last.Known() {
			t.Errorf("%s: latest is %s, %+v", want, by, h)
		}
	}
}

// A vacuum that was watched stands in the list as its run, not twice.
func TestUnseenVacuumsAreThoseThatNoRunStandsFor(t *testing.T) {
	end := time.Unix(1000, 0)
	run := &Run{Key: RunKey{RelID: 1, DatID: 5}, End: &End{At: end, How: EndCompleted}}
	s := &Snapshot{Server: Server{DatID: 5}, Ended: []*Run{run}}
	last := func(relid uint32, at time.Time) LastVacuum {
		return LastVacuum{RelID: relid, Manual: VacuumHistory{Last: Some(at), Count: 1}}
	}
	s.LastVacuums = []LastVacuum{last(1, end.Add(-time.Second)), last(2, end), last(1, end.Add(time.Hour))}
	if got := s.Unseen(); len(got) != 2 || got[0].RelID != 2 || got[1].RelID != 1 {
		t.Errorf("unseen: %+v", got)
	}
	run.Key.DatID = 6 // the same number in another database
	if got := s.Unseen(); len(got) != 3 {
		t.Errorf("with a run of another database: %+v", got)
	}
}

func TestChosenTablesAreTheOnlyOnesInTheHistory(t *testing.T) {
	pattern, err := ParseTablePattern("public.b*")
	if err != nil {
		t.Fatal(err)
	}
	s := &Snapshot{Server: Server{Database: "app"}, LastVacuums: []LastVacuum{{RelID: 1, Schema: "public", Name: "a"}, {RelID: 2, Schema: "public", Name: "b"}}}
	if got := (Filter{Tables: []TablePattern{pattern}}).View(s).LastVacuums; len(got) != 1 || got[0].RelID != 2 {
		t.Errorf("of one table: %+v", got)
	}
	if got := (Filter{Databases: []string{"other"}}).View(s).LastVacuums; len(got) != 0 {
		t.Errorf("of another database: %+v", got)
	}
}
