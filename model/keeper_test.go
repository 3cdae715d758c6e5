package model

import (
	"strings"
	"testing"
	"time"
)

// keeperSince is a prepared transaction of an hour before t0.
func keeperSince() XminHolder {
	return XminHolder{
		Kind: HolderPrepared, GID: "forgotten", DatID: 5, Age: 20_001, Since: Some(at(-3600_000)),
		Role: Some[Text]("dba"), Database: Some[Text]("app"),
	}
}

// keeperBeat is a beat at which the horizon is read too where holders are given.
func keeperBeat(ms int, holders []XminHolder, processes ...Process) Sample {
	s := beat(uint64(ms+100_000), ms, processes...)
	if holders != nil {
		s.Poll.Horizon = &HorizonRead{Sessions: []XminHolder{}, Prepared: holders, Slots: []XminHolder{}}
	}
	return s
}

// keptRun tells what is said of a run of t0 in its last beat and after its end, four
// seconds and a half later: the horizon was read with a holder before it, then as given
// at the run's second beat and at its end, and at last with nobody.
func keptRun(t *testing.T, during, after []XminHolder) (running, ended string) {
	t.Helper()
	nobody := []XminHolder{}
	table := func(vacuums int64) []Relation {
		return []Relation{{DatID: 5, RelID: 16384, Schema: "public", Name: "t", VacuumCount: vacuums, DeadTuples: 100}}
	}
	entered := keeperBeat(500, nil, vacuumer(scanning(1, 1000)))
	entered.Poll.Relations = table(0)
	gone := keeperBeat(4500, after)
	gone.Poll.Relations = table(1)
	var tracker Tracker
	tracker.Step(keeperBeat(-5500, []XminHolder{keeperSince()}))
	tracker.Step(keeperBeat(-500, nil))
	tracker.Step(entered)
	tracker.Step(keeperBeat(1500, during, vacuumer(scanning(300, 1000))))
	s := tracker.Step(keeperBeat(2500, nil, vacuumer(scanning(600, 1000))))
	running = strings.Join(Verdict(s, onlyRun(t, s)), " ")
	tracker.Step(gone)
	s = tracker.Step(keeperBeat(60_000, nobody))
	if len(s.Ended) != 1 || s.Ended[0].End.How != EndCompleted {
		t.Fatalf("ended: %+v", s.Ended)
	}
	return running, strings.Join(Verdict(s, s.Ended[0]), " ")
}

// Who had ended before a vacuum began kept none of its rows, however lately it was read.
func TestOnlyWhoWasThereInTheVacuumKeptItsRows(t *testing.T) {
	nobody, holder := []XminHolder{}, []XminHolder{keeperSince()}
	for name, c := range map[string]struct {
		during, after  []XminHolder
		running, ended bool
	}{
		"ended before it, read in it":             {during: nobody},
		"ended before it, read after it":          {after: nobody},
		"ended before it, not read again":         {},
		"there in it":                             {during: holder, after: nobody, running: true, ended: true},
		"not read in it, still there after it":    {after: holder, ended: true},
		"a reading in it shows nobody, one after": {during: nobody, after: holder},
	} {
		running, ended := keptRun(t, c.during, c.after)
		if strings.Contains(running, "transactions stay: prepared") != c.running {
			t.Errorf("%s: running: %s", name, running)
		}
		if strings.Contains(ended, "transactions stayed: prepared") != c.ended {
			t.Errorf("%s: ended: %s", name, ended)
		}
	}
}

// Of a holder that has ended the age is the one at its last sight, a second and a half
// after the run began.
func TestTheAgeOfAnEndedHolderStandsStill(t *testing.T) {
	_, ended := keptRun(t, []XminHolder{keeperSince()}, []XminHolder{})
	if want := "in database app for 1:00:02) could still see them. It has ended since"; !strings.Contains(ended, want) {
		t.Errorf("%q is not in %q", want, ended)
	}
}

// A run seen from its middle is held by who is there at its first sight.
func TestARunSeenFromItsMiddleIsHeldByWhoIsThere(t *testing.T) {
	var tracker Tracker
	s := tracker.Step(keeperBeat(30_000, []XminHolder{keeperSince()}, vacuumer(scanning(600, 1000))))
	if said := strings.Join(Verdict(s, onlyRun(t, s)), " "); !strings.Contains(said, "transactions stay: prepared") {
		t.Error(said)
	}
}

// The statistics' word that no dead row is left goes before what a reading shows.
func TestNobodyIsNamedWhereNoRowStayed(t *testing.T) {
	holder := keeperSince()
	r := &Run{Command: "VACUUM", Keeper: &holder, KeeperSeen: t0, End: &End{At: t0.Add(time.Second), How: EndCompleted}, After: &Relation{}}
	if said := keptSentences(&Snapshot{At: t0}, r); said != nil {
		t.Error(said)
	}
}
