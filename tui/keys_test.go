package tui

import "testing"

// A key has one meaning in each mode.
func TestKeysAreUnique(t *testing.T) {
	for _, paused := range []bool{false, true} {
		meaning := map[string]string{}
		for _, b := range bindings() {
			if b.paused && !paused {
				continue
			}
			for _, k := range b.Keys() {
				if other, taken := meaning[k]; taken {
					t.Errorf("paused %v: %q means %q and %q", paused, k, other, b.Help().Desc)
				}
				meaning[k] = b.Help().Desc
			}
		}
	}
}

// Every action is in the table once, and says what it does.
func TestEveryActionHasItsKey(t *testing.T) {
	seen := map[action]int{}
	for _, b := range bindings() {
		seen[b.action]++
		if b.Help().Key == "" || b.Help().Desc == "" || len(b.Keys()) == 0 {
			t.Errorf("incomplete: %+v", b)
		}
	}
	for a := actNone + 1; a <= actSuspend; a++ {
		if seen[a] != 1 {
			t.Errorf("action %d is in the table %d times", a, seen[a])
		}
	}
}

func TestKeyTableShowsOnlyWhatIsBuilt(t *testing.T) {
	built := 0
	for _, b := range bindings() {
		if b.Enabled() {
			built++
		}
	}
	table := KeyTable()
	if len(table) != built {
		t.Errorf("%d lines, %d actions are built", len(table), built)
	}
	if first := table[0]; first != [2]string{"tab", "next pane"} {
		t.Errorf("the table begins with %q", first)
	}
}
