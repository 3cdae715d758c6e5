package lab

import (
	"slices"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// The log tells of autovacuums that have ended; what was seen adds those that had not, and
// those by hand.
func TestVacuumsAreThoseOfTheLogAndOnesThatWereSeen(t *testing.T) {
	at := func(seconds int) time.Time { return time.Unix(int64(seconds), 0) }
	vacuum := func(from, to int) experiment.Vacuum {
		return experiment.Vacuum{Table: "public.t", Start: at(from), End: at(to)}
	}
	logged := []experiment.LoggedVacuum{{Vacuum: vacuum(1, 3)}, {Vacuum: vacuum(20, 31)}}
	for _, c := range []struct {
		name string
		seen seenVacuum
		want []int // starts
	}{
		{"an autovacuum that ended", seenVacuum{vacuum(1, 2), true, false}, []int{1, 20}},
		{"one that ended after the last look", seenVacuum{vacuum(20, 30), true, true}, []int{1, 20}},
		{"one that had not ended", seenVacuum{vacuum(32, 33), true, true}, []int{1, 20, 32}},
		{"one by hand", seenVacuum{vacuum(5, 6), false, false}, []int{1, 5, 20}},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, from := allVacuums(logged, []seenVacuum{c.seen})
			var starts []int
			for _, v := range all {
				if v.Table != "t" {
					t.Errorf("the table is called %s", v.Table)
				}
				starts = append(starts, int(v.Start.Unix()))
			}
			if !slices.Equal(starts, c.want) {
				t.Errorf("vacuums started at %v, not %v", starts, c.want)
			}
			if (from == "the server's log") != (len(all) == len(logged)) {
				t.Errorf("read in %s", from)
			}
		})
	}
}

func TestTuplesPrunedOnAccessAreWhatVacuumsDidNotRemove(t *testing.T) {
	logged := []experiment.LoggedVacuum{
		{Vacuum: experiment.Vacuum{PagesFrozen: model.Some[int64](3), TuplesFrozen: model.Some[int64](30)}, TuplesRemoved: 100},
		{Vacuum: experiment.Vacuum{PagesFrozen: model.Some[int64](4), TuplesFrozen: model.Some[int64](40)}, TuplesRemoved: 200},
	}
	rows := experiment.Rows{Updated: 1000, Deleted: 500}
	counted := time.Unix(100, 0)
	running := experiment.LoggedVacuum{Vacuum: experiment.Vacuum{End: counted.Add(time.Second)}, TuplesRemoved: 999}
	got := pagesOf(append(logged, running), nil, counted, rows, 50)
	want := experiment.Pages{Frozen: model.Some[int64](7), TuplesFrozen: model.Some[int64](70), TuplesPrunedOnAccess: model.Some[int64](1150)}
	if got != want {
		t.Errorf("%+v, not %+v", got, want)
	}
	if pruned := pagesOf(logged, []seenVacuum{{}}, counted, rows, 50).TuplesPrunedOnAccess; pruned.Known() {
		t.Errorf("with a vacuum by hand, which does not say what it removed, they are %v", pruned)
	}
}

// What is due does not wait for what was due before, and the clients take turns.
func TestPaceIsThatOfTheRate(t *testing.T) {
	began := time.Now().Add(-time.Minute)
	first, second := newPace(began, 10, 0, 2), newPace(began, 10, 1, 2)
	var due []time.Duration
	for range 2 {
		for _, p := range []*pace{&first, &second} {
			at, err := p.wait(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			due = append(due, at.Sub(began))
		}
	}
	if !slices.Equal(due, []time.Duration{0, 100 * time.Millisecond, 200 * time.Millisecond, 300 * time.Millisecond}) {
		t.Errorf("due at %v", due)
	}
}
