package experiment

import (
	"errors"
	"slices"
)

// sweepStep is which run of which cell a run is.
type sweepStep struct {
	cell SweepCell
	run  int
}

func (r SweepRun) step() sweepStep { return sweepStep{r.SweepCell, r.Run} }

// Left are the runs that are still to be made.
func (s *Sweep) Left() []SweepRun {
	made := map[sweepStep]bool{}
	for _, r := range s.Runs {
		made[r.step()] = true
	}
	return slices.DeleteFunc(s.Plan.Steps(), func(r SweepRun) bool { return made[r.step()] })
}

// CheckRuns returns the first run that cannot be one of the plan, and why: it is none of
// its steps, it was there before, or its numbers cannot be measured.
func (p SweepPlan) CheckRuns(runs []SweepRun) (int, error) {
	steps, made := map[sweepStep]bool{}, map[sweepStep]bool{}
	for _, r := range p.Steps() {
		steps[r.step()] = true
	}
	for i, r := range runs {
		switch {
		case !steps[r.step()]:
			return i, errors.New("its table, indexes, degree or number is not in the plan")
		case made[r.step()]:
			return i, errors.New("it is there twice")
		case !(r.TookMS > 0):
			return i, errors.New("its took_ms is not above 0")
		case min(r.Planned, r.Launched) < 0 || r.IndexBytes < 0:
			return i, errors.New("it has a number below 0")
		}
		made[r.step()] = true
	}
	return 0, nil
}
