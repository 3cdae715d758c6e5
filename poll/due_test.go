package poll

import (
	"slices"
	"testing"
	"time"
)

// Where relations come and go by the hundred, a reading is of a bounded number of
// them, and none that is in sight is left out.
func TestRelationsThatComeAndGoByTheHundredAreReadABoundedNumberAtATime(t *testing.T) {
	var w relationWatch
	w.see([]uint32{1, 2, 3})
	w.take()
	read := map[uint32]int{}
	for beat := range 20 {
		first := uint32(100 + 100*beat)
		var ticked []uint32
		for i := range uint32(30) {
			ticked = append(ticked, first+i)
		}
		w.also(ticked)
		oids := w.take()
		if len(oids) > maxRead {
			t.Fatalf("%d relations at once", len(oids))
		}
		for _, oid := range ticked {
			if !slices.Contains(oids, oid) {
				t.Fatalf("%d is in sight and not read", oid)
			}
		}
		for _, oid := range oids {
			read[oid]++
		}
		w.see([]uint32{first + 99})
		if rest := w.takeUnread(); !slices.Equal(rest, []uint32{first + 99}) {
			t.Fatalf("the second reading of a beat: %d", rest)
		}
	}
	if len(w.gone) < 100 {
		t.Errorf("%d are still to be read", len(w.gone))
	}
}

// What went out of sight is read once soon, and again while nothing else is.
func TestWhatWentOutOfSightIsReadUntilItsTimeEnds(t *testing.T) {
	var w relationWatch
	w.see([]uint32{1, 2, 3})
	w.take()
	w.see(nil)
	for range 3 {
		if got := w.take(); !slices.Equal(got, []uint32{1, 2, 3}) {
			t.Fatalf("%d", got)
		}
	}
	for _, g := range w.gone {
		g.until = time.Now().Add(-time.Second)
	}
	if got := w.take(); len(got) > 0 {
		t.Errorf("%d", got)
	}
}
