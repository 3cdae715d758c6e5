package model

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// agedSnapshot has a table and two databases of these ages, on a server with the
// settings that a server has by default.
func agedSnapshot(version int, table, own, oldest int64) (*Snapshot, *Run) {
	s := &Snapshot{
		Server: Server{VersionNum: version, DatID: 5},
		Databases: []Database{
			{DatID: 5, Name: "app", XIDAge: own, MXIDAge: 7},
			{DatID: 4, Name: "old", XIDAge: oldest, MXIDAge: 9},
		},
		Settings: []Setting{
			{Name: "autovacuum_freeze_max_age", Setting: "200000000"},
			{Name: "autovacuum_multixact_freeze_max_age", Setting: "400000000"},
		},
	}
	if version >= 140000 {
		s.Settings = append(s.Settings, Setting{Name: "vacuum_failsafe_age", Setting: "1600000000"}, Setting{Name: "vacuum_multixact_failsafe_age", Setting: "1600000000"})
	}
	return s, &Run{Key: RunKey{DatID: 5, RelID: 16400}, Relation: &Relation{XIDAge: Some(table), MXIDAge: Some[int64](3)}}
}

// edgeOf finds the edge of transaction ids.
func edgeOf(t *testing.T, edges []Edge, of EdgeOf) Edge {
	t.Helper()
	for _, e := range edges {
		if e.Of == of && !e.Multixacts {
			return e
		}
	}
	t.Fatalf("no edge of the %s in %+v", of, edges)
	return Edge{}
}

func TestEdgeOfEachVersion(t *testing.T) {
	for version, want := range map[int]map[string]int64{
		130023: {LimitAutovacuum: 200_000_000, LimitWarning: 2_136_483_647, LimitStop: 2_146_483_647},
		140023: {LimitAutovacuum: 200_000_000, LimitFailsafe: 1_600_000_000, LimitWarning: 2_107_483_647, LimitStop: 2_144_483_647},
		180004: {LimitAutovacuum: 200_000_000, LimitFailsafe: 1_600_000_000, LimitWarning: 2_107_483_647, LimitStop: 2_144_483_647},
		190000: {LimitAutovacuum: 200_000_000, LimitFailsafe: 1_600_000_000, LimitWarning: 2_047_483_647, LimitStop: 2_144_483_647},
	} {
		s, r := agedSnapshot(version, 150_000_000, 180_000_000, 180_000_000)
		e := edgeOf(t, s.Edges(r), EdgeTable)
		if len(e.Limits) != len(want) {
			t.Errorf("%d: %d limits, want %d", version, len(e.Limits), len(want))
		}
		for name, at := range want {
			if l := e.LimitOf(name).Or(EdgeLimit{}); l.At != at || l.Left != at-150_000_000 || l.In.Known() || l.Far {
				t.Errorf("%d: %s %+v, want at %d", version, name, l, at)
			}
		}
	}
}

func TestFailsafeIsNeverBelowItsFloor(t *testing.T) {
	s, r := agedSnapshot(180000, 1, 1, 1)
	s.Settings[0].Setting, s.Settings[2].Setting = "1000000000", "0"
	if l := edgeOf(t, s.Edges(r), EdgeTable).LimitOf(LimitFailsafe).Or(EdgeLimit{}); l.At != 1_050_000_000 {
		t.Errorf("failsafe at %d", l.At)
	}
}

func TestATablesOwnFreezeMaxAgeCountsOnlyWhereItIsSmaller(t *testing.T) {
	for option, want := range map[Text]int64{"autovacuum_freeze_max_age=100000": 100_000, "autovacuum_freeze_max_age=900000000": 200_000_000, "fillfactor=70": 200_000_000} {
		s, r := agedSnapshot(180000, 1, 1, 1)
		r.Relation.RelOptions = []Text{option}
		edges := s.Edges(r)
		if l := edgeOf(t, edges, EdgeTable).LimitOf(LimitAutovacuum).Or(EdgeLimit{}); l.At != want {
			t.Errorf("%s: at %d, want %d", option, l.At, want)
		}
		if l := edgeOf(t, edges, EdgeDatabase).LimitOf(LimitAutovacuum).Or(EdgeLimit{}); l.At != 200_000_000 {
			t.Errorf("%s: the database's at %d", option, l.At)
		}
	}
}

func TestAToastRelationWithoutOptionsHasThoseOfItsTable(t *testing.T) {
	s, r := agedSnapshot(180000, 1, 1, 1)
	r.Relation.OwnerOptions = []Text{"autovacuum_freeze_max_age=100000"}
	if l := edgeOf(t, s.Edges(r), EdgeTable).LimitOf(LimitAutovacuum).Or(EdgeLimit{}); l.At != 100_000 {
		t.Errorf("at %d", l.At)
	}
	r.Relation.RelOptions = []Text{"autovacuum_vacuum_threshold=1"}
	if l := edgeOf(t, s.Edges(r), EdgeTable).LimitOf(LimitAutovacuum).Or(EdgeLimit{}); l.At != 200_000_000 {
		t.Errorf("with options of its own, at %d", l.At)
	}
}

func TestTheOldestDatabaseIsNamedWhereItIsAnother(t *testing.T) {
	s, r := agedSnapshot(180000, 10, 20, 30)
	if e := edgeOf(t, s.Edges(r), EdgeOldest); e.Name != "old" || e.Age != 30 {
		t.Errorf("%+v", e)
	}
	s, r = agedSnapshot(180000, 10, 30, 30)
	for _, e := range s.Edges(r) {
		if e.Of == EdgeOldest {
			t.Errorf("the run's own database is the oldest, and so is %s", e.Name)
		}
	}
}

func TestAnEdgeOfAnotherDatabasesTableHasNoTable(t *testing.T) {
	s, r := agedSnapshot(180000, 10, 20, 30)
	r.Relation = nil
	for _, e := range s.Edges(r) {
		if e.Of == EdgeTable {
			t.Errorf("%+v", e)
		}
	}
}

// Whatever the server says, what is left is never below zero, no time is negative,
// and none is longer than a duration can be.
func TestEdgesStayInBounds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ages := []int64{0, 1, 199_999_999, 200_000_000, 2_144_483_647, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MinInt64}
	rates := []float64{0, 1e-12, 1, 1e6, 1e18, math.Inf(1)}
	for range 2000 {
		pick := func() int64 { return ages[random.IntN(len(ages))] }
		s, r := agedSnapshot([]int{130000, 160000, 190000}[random.IntN(3)], pick(), pick(), pick())
		s.Settings[0].Setting = Text([]string{"100000", "2000000000", "", "x"}[random.IntN(4)])
		s.XIDsSince, s.MXIDsSince = max(0, pick()), max(0, pick())
		s.XIDRate = Some(IDRate{PerSecond(rates[random.IntN(len(rates))]), time.Minute})
		for _, e := range s.Edges(r) {
			if e.Age < 0 {
				t.Fatalf("age %d", e.Age)
			}
			for _, l := range e.Limits {
				if in, ok := l.In.Get(); l.Left < 0 || ok && (in < 0 || in > maxEdge) || ok && l.Far {
					t.Fatalf("age %d: %+v at a rate of %v", e.Age, l, s.XIDRate)
				}
			}
		}
	}
}

// idSamples are readings every 5 s of ids that are used at a steady rate.
func idSamples(n int, xid uint64, mxid uint32, perReading uint64) []Sample {
	var out []Sample
	for i := range n {
		s := beat(uint64(i+1), i*5000)
		s.Poll.NextXID, s.Poll.NextMXID = Some(xid), Some(mxid)
		xid, mxid = xid+perReading, mxid+uint32(perReading)
		out = append(out, s)
	}
	return out
}

func TestRateOfIDs(t *testing.T) {
	if s := last(fold(idSamples(6, 1, 1, 50))); s.XIDRate.Known() {
		t.Errorf("after 25 s a rate of %v", s.XIDRate)
	}
	want := Some(IDRate{10, 30 * time.Second})
	if s := last(fold(idSamples(7, 1, 1, 50))); s.XIDRate != want || s.MXIDRate != want {
		t.Errorf("rates %v and %v", s.XIDRate, s.MXIDRate)
	}
}

func TestRateOfMultixactsAcrossTheirWrap(t *testing.T) {
	s := last(fold(idSamples(7, math.MaxUint32-100, math.MaxUint32-100, 50)))
	if want := Some(IDRate{10, 30 * time.Second}); s.MXIDRate != want || s.XIDRate != want {
		t.Errorf("rates %v and %v", s.XIDRate, s.MXIDRate)
	}
}

func TestRateOfIDsForgetsWhatIsOld(t *testing.T) {
	samples := idSamples(400, 1000, 1, 0)
	for i := 200; i < 400; i++ {
		samples[i].Poll.NextXID = Some(uint64(1000 + 50*(i-199)))
	}
	var tracker Tracker
	var s *Snapshot
	for _, sample := range samples {
		s = tracker.Step(sample)
		if len(tracker.ids) > maxIDReadings {
			t.Fatalf("%d readings kept", len(tracker.ids))
		}
	}
	if want := Some(IDRate{10, maxIDWindow}); s.XIDRate != want {
		t.Errorf("rate %v, want %v", s.XIDRate, want)
	}
}

func TestIDsThatGoBackAreAnotherServers(t *testing.T) {
	samples := append(idSamples(20, 1_000_000, 1, 50), idSamples(27, 10, 1, 50)[20:]...)
	if s := last(fold(samples)); s.XIDRate != Some(IDRate{10, 30 * time.Second}) {
		t.Errorf("rate %v", s.XIDRate)
	}
	if s := last(fold(samples[:23])); s.XIDRate.Known() {
		t.Errorf("rate across two servers: %v", s.XIDRate)
	}
}

// Databases are read once a minute; in between their ages grow by the ids used.
func TestAgesGrowBetweenReadings(t *testing.T) {
	samples := idSamples(4, 1000, 10, 50)
	samples[0].Poll.Databases = []Database{{DatID: 5, Name: "app", XIDAge: 100, MXIDAge: 7}}
	samples[0].Poll.Processes = []Process{vacuumer(scanning(1, 10))}
	samples[3].Poll.Processes = samples[0].Poll.Processes
	s := last(fold(samples))
	if e := edgeOf(t, s.Edges(s.Active[0]), EdgeDatabase); e.Age != 250 {
		t.Errorf("age %d, want 250: 100 when read, 150 ids since", e.Age)
	}
}
