package model

import (
	"strings"
	"testing"
	"time"
)

var pinWaits = map[string]Opt[Wait]{
	"up to 18": Some(Wait{"BufferPin", "BufferPin"}),
	"19":       Some(Wait{"Buffer", "BufferCleanup"}),
}

// pinned is a poll of a vacuum that waits for a page at a position.
func pinned(seq uint64, ms int, wait Opt[Wait], block Blocks, holders ...Holder) Sample {
	proc := vacuumer(scanning(block, 863))
	proc.Wait = wait
	s := beat(seq, ms, proc)
	s.Poll.Holders = holders
	return s
}

func holder(pid int32, state Text, since int) Holder {
	return Holder{DatID: 5, RelID: 16384, PID: pid, Mode: "AccessShareLock", State: Some(state), XactStart: Some(at(since))}
}

// A vacuum stands still for as long as every sample saw it wait at one position.
func TestAVacuumThatWaitsForAPageStandsStill(t *testing.T) {
	for name, wait := range pinWaits {
		t.Run(name, func(t *testing.T) {
			second := pinned(3, 2000, wait, 0)
			second.Ticks = []Tick{tickAt(1050, "scanning heap", 0, onCPU), tickAt(1100, "scanning heap", 0, wait), tickAt(1150, "scanning heap", 0, wait)}
			third := pinned(4, 3000, wait, 0, holder(1, "active", -5000), holder(2, "idle in transaction", -100), holder(3, "idle in transaction (aborted)", -900), holder(100, "active", -9000),
				Holder{DatID: 5, RelID: 16384, GID: Some[Text]("g")}, Holder{DatID: 9, RelID: 16384, PID: 7})
			third.Ticks = []Tick{tickAt(2500, "scanning heap", 0, wait)}
			snaps := fold([]Sample{beat(1, -5), pinned(2, 1000, wait, 0), second, third, pinned(5, 4000, wait, 9), pinned(6, 5000, None[Wait](), 9)})
			run := snaps[3].Active[0]
			if h := run.HeldUp; h.Since != at(1100) || h.At != Some[Blocks](0) || h.Of != Some[Blocks](863) {
				t.Fatalf("%+v", run.HeldUp)
			}
			var order []int32
			for _, b := range run.HeldUp.Holders {
				order = append(order, b.PID)
				if !b.Suspect {
					t.Errorf("%+v is no more than a suspect", b)
				}
			}
			if len(order) != 3 || order[0] != 3 || order[1] != 2 || order[2] != 1 {
				t.Errorf("suspects %v: idle first, then the oldest; not itself, nobody of another table, and no prepared transaction", order)
			}
			if said := Verdict(snaps[3], run)[0]; !strings.Contains(said, "is stuck at block 0 of 863 for 1.9 s") {
				t.Errorf("said: %s", said)
			}
			if w := snaps[3].LockWaits; len(w) != 1 || w[0].Kind != HeldCleanup || w[0].PID != 100 || !w[0].Around || w[0].Exact || w[0].Waited.Known() {
				t.Errorf("the waits: %+v", w)
			}
			if h := snaps[4].Active[0].HeldUp; h.Since != at(4000) || len(snaps[4].LockWaits) != 0 {
				t.Errorf("it moved, and waits for another page: %+v", h)
			}
			if after := snaps[5]; after.Active[0].HeldUp != nil || len(after.PastWaits) != 1 || after.PastWaits[0].SeenFor != 1900*time.Millisecond {
				t.Errorf("over: %+v, past %+v", after.Active[0].HeldUp, after.PastWaits)
			}
		})
	}
}

// Up to 14 the wait to truncate has no name: only others on the table tell it from work.
func TestAVacuumThatCannotTruncateSaysWhoIsInItsWay(t *testing.T) {
	for name, c := range map[string]struct {
		wait    Opt[Wait]
		holders []Holder
		held    bool
	}{
		"named":                    {Some(Wait{"Timeout", "VacuumTruncate"}), nil, true},
		"named, somebody there":    {Some(Wait{"Timeout", "VacuumTruncate"}), []Holder{holder(1, "active", 0)}, true},
		"without a name":           {None[Wait](), []Holder{holder(1, "active", 0)}, true},
		"without a name, it works": {None[Wait](), []Holder{}, false},
		"it writes":                {Some(Wait{"IO", "DataFileTruncate"}), []Holder{holder(1, "active", 0)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			proc := vacuumer(inPhase("truncating heap"))
			proc.Wait = c.wait
			second := beat(3, 2000, proc)
			second.Poll.Holders = c.holders
			snap := last(fold([]Sample{beat(1, -5), beat(2, 1000, proc), second}))
			h := onlyRun(t, snap).HeldUp
			if (h != nil) != c.held {
				t.Fatalf("%+v", h)
			}
			if !c.held {
				return
			}
			if h.Kind != HeldTruncate || len(h.Holders) != len(c.holders) || len(h.Holders) > 0 && h.Holders[0].Suspect || h.GivesUp() != Some(h.Since.Add(5*time.Second)) {
				t.Errorf("%+v", h)
			}
			if said := strings.Join(Verdict(snap, onlyRun(t, snap)), " "); !strings.Contains(said, "gives up in ≈") || strings.Contains(said, "pid 1") != (len(c.holders) > 0) {
				t.Errorf("said: %s", said)
			}
		})
	}
}
