package experiment

import (
	"testing"
	"time"
)

var began = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }

func vacuumed(from, to float64, kind VacuumKind) Vacuum {
	return Vacuum{Table: "t", Start: at(from), End: at(to), Kind: kind}
}

// Vacuums that overlap count twice in the sum and once in the union; what lies outside of
// the run counts in neither.
func TestTimeVacuuming(t *testing.T) {
	run := Run{At: began, Duration: 100 * time.Second, Measures: Measures{Vacuums: []Vacuum{
		vacuumed(50, 60, VacuumAggressive), vacuumed(-5, 10, VacuumNormal), vacuumed(5, 20, VacuumNormal), vacuumed(6, 8, VacuumNormal),
		vacuumed(95, 130, VacuumFailsafe), vacuumed(101, 110, VacuumNormal),
	}}}
	got := run.Vacuuming()
	if want := 42 * time.Second; got.Sum != want {
		t.Errorf("the sum is %s, want %s", got.Sum, want)
	}
	if want := 35 * time.Second; got.Union != want {
		t.Errorf("the union is %s, want %s", got.Union, want)
	}
	if share := got.Share(run.Duration).Or(0); share != 0.35 {
		t.Errorf("the share is %v, want 0.35", share)
	}
	if got.Count[VacuumNormal] != 4 || got.Count[VacuumAggressive] != 1 || got.Count[VacuumFailsafe] != 1 {
		t.Errorf("counted %v", got.Count)
	}
	if first := run.FirstAggressive().Or(Vacuum{}); first.Start != at(50) {
		t.Errorf("the first aggressive vacuum began at %s", first.Start)
	}
	if (Run{}).Vacuuming().Share(0).Known() || (Run{}).FirstAggressive().Known() {
		t.Error("a run of no length has a share, or an aggressive vacuum")
	}
}
