package model

import (
	"math"
	"strings"
	"testing"
)

// changedStream is an autovacuum that scans 100 pages a second until autovacuum's limit
// is raised after 12 s, then 1,000; and a manual vacuum beside it that keeps its 100.
func changedStream(t *testing.T, version int) *Snapshot {
	t.Helper()
	var tracker Tracker
	var s *Snapshot
	for i := range 25 {
		scanned := Blocks(100 * i)
		settings := costs()
		if i >= 12 {
			scanned = Blocks(1200 + 1000*(i-12))
			for j := range settings {
				if settings[j].Name == "autovacuum_vacuum_cost_limit" {
					settings[j].Setting = "2000"
				}
			}
		}
		sample := autovacuumBeat(uint64(i+1), 1000*i, scanned, 1)
		manual := vacuumer(scanning(Blocks(100*i), 100_000))
		manual.PID = 300
		sample.Poll.Processes = append(sample.Poll.Processes, manual)
		sample.Poll.Server.VersionNum, sample.Poll.Settings = version, settings
		if i >= 12 {
			sample.Poll.Server.ConfLoadedAt = at(11_900)
		}
		s = tracker.Step(sample)
	}
	return s
}

func TestChangeOfASettingIsSeenWithTheRatesAroundIt(t *testing.T) {
	s := changedStream(t, 180000)
	if len(s.SettingChanges) != 1 || s.SettingChanges[0].String() != "autovacuum_vacuum_cost_limit -1 → 2000" || !s.SettingChanges[0].At.Equal(at(11_900)) {
		t.Fatalf("seen to change: %+v", s.SettingChanges)
	}
	for _, r := range s.Active {
		if len(r.Changes) != 1 {
			t.Fatalf("pid %d has %d changes", r.Key.PID, len(r.Changes))
		}
		c, auto := r.Changes[0], r.Key.PID == 100
		after := map[bool]float64{true: 1000, false: 100}[auto]
		if c.Follow.Follows != Some(auto) || math.Abs(float64(c.Before.Or(0))-100) > 1 || math.Abs(float64(c.After.Or(0))-after) > 1 {
			t.Errorf("pid %d: follows %v, %v before and %v after", r.Key.PID, c.Follow.Follows, c.Before, c.After)
		}
		said := strings.Join(Verdict(s, r), " ")
		if want := map[bool]string{true: "it follows, 100 → 1,000 pages/s", false: "it does not follow, 100 → 100 pages/s"}[auto]; !strings.Contains(said, want) {
			t.Errorf("pid %d: %q is not in %q", r.Key.PID, want, said)
		}
	}
}

func TestBefore16AChangeOfTheLimitIsNotPromised(t *testing.T) {
	for _, r := range changedStream(t, 150000).Active {
		if r.Key.PID == 100 && r.Changes[0].Follow.Follows.Known() {
			t.Errorf("it is said to follow: %+v", r.Changes[0].Follow)
		}
	}
}

// What the watching role, its database or session has set is not the server's.
func TestOtherSessionsValuesAreNoChange(t *testing.T) {
	var tracker Tracker
	for i, source := range []Text{"default", "user", "session", "configuration file"} {
		sample := beat(uint64(i+1), 1000*i)
		sample.Poll.Settings = []Setting{{Name: "vacuum_cost_limit", Setting: Text([]string{"200", "50", "70", "200"}[i]), Source: source}}
		if s := tracker.Step(sample); len(s.SettingChanges) > 0 {
			t.Errorf("after %s: %+v", source, s.SettingChanges)
		}
	}
}

func TestChangesFromHereAreTold(t *testing.T) {
	var tracker Tracker
	for i, limit := range []Text{"200", "300", "400"} {
		sample := beat(uint64(i+1), 40_000*i)
		sample.Poll.Settings = []Setting{{Name: "vacuum_cost_limit", Setting: limit, Source: "configuration file"}}
		if i == 1 {
			sample.Events = []Event{{At: at(39_000), Kind: EventCommand, Text: "ALTER SYSTEM SET vacuum_cost_limit = '300'", Result: &Result{How: EndCompleted}}}
		}
		s := tracker.Step(sample)
		if i > 0 && s.SettingChanges[0].Ours != (i == 1) {
			t.Errorf("%s: from here %v", s.SettingChanges[0], s.SettingChanges[0].Ours)
		}
	}
}

func TestKeptChangesAreBounded(t *testing.T) {
	var tracker Tracker
	var s *Snapshot
	for i := range 3 * maxSettingChanges {
		sample := autovacuumBeat(uint64(i+1), 1000*i, Blocks(i), 1)
		sample.Poll.Settings = []Setting{{Name: "vacuum_cost_limit", Setting: Text([]string{"200", "300"}[i%2]), Source: "default"}}
		s = tracker.Step(sample)
	}
	if len(s.SettingChanges) != maxSettingChanges || len(s.Active[0].Changes) != maxRunChanges {
		t.Errorf("%d changes of the server and %d of the run are kept", len(s.SettingChanges), len(s.Active[0].Changes))
	}
}
