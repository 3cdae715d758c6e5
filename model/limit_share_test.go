package model

import (
	"slices"
	"strings"
	"testing"
)

// Measured: a limit of 300 is 150 each for two, 100 for three, and the whole of it for
// a worker whose table has cost options of its own.
func TestLimitIsDividedAmongWorkersWithoutOptionsOfTheirTable(t *testing.T) {
	for _, c := range []struct {
		workers, each int
		options       []Text
	}{{1, 300, nil}, {2, 150, nil}, {3, 100, nil}, {3, 150, []Text{"autovacuum_vacuum_cost_delay=20"}}, {4, 100, []Text{"autovacuum_vacuum_cost_limit=300"}}} {
		for _, version := range []int{150000, 160000} {
			var tracker Tracker
			var s *Snapshot
			for i := range 2 {
				sample := autovacuumBeat(uint64(i+1), 1000*i, Blocks(i), c.workers, c.options...)
				sample.Poll.Server.VersionNum = version
				for j := range sample.Poll.Settings {
					if sample.Poll.Settings[j].Name == "autovacuum_vacuum_cost_limit" {
						sample.Poll.Settings[j].Setting = "300"
					}
				}
				s = tracker.Step(sample)
			}
			b := s.Active[len(s.Active)-1].Allows.Share
			if b == nil || b.Each() != c.each || b.StartedWith != (version < 160000) {
				t.Fatalf("%+v on %d: %+v", c, version, b)
			}
			if own := len(c.options) > 0; own != slices.Contains(b.Exempt, 100) || own == slices.Contains(b.Sharing, 100) {
				t.Errorf("%+v: exempt are %v", c, b.Exempt)
			}
			if c.options != nil && s.Active[0].Allows.Share != nil {
				t.Errorf("%+v: a table with options takes part", c)
			}
			if said := strings.Join(b.Sentences(), "; "); strings.Contains(said, "%!") || !strings.Contains(said, "autovacuum_vacuum_cost_limit 300 / ") {
				t.Errorf("it is said as %q", said)
			}
		}
	}
}

func TestLimitOfAWorkerIsNeverBelowOne(t *testing.T) {
	if got := (LimitShare{Base: 2, Sharing: []int32{1, 2, 3}}).Each(); got != 1 {
		t.Errorf("2 among 3 are %d", got)
	}
}
