package report

import (
	"errors"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// Comparison is what differs between two sides, B against A: each of them one vacuum of a
// relation, or several that were made alike.
type Comparison struct {
	A, B Side
	// Conditions are those under which the sides did not go alike.
	Conditions []Condition
	// Quantities are what was measured: of whole runs and of phases, in their order.
	Quantities []Quantity
	// Observations are what the quantities say, the largest difference first.
	Observations []Observation
}

// Side is the vacuums of one side.
type Side struct {
	Label string // A or B
	// Runs are those that are compared.
	Runs []RunReport
	// LeftOut are those of this relation that are not, because they were not seen whole
	// and others were.
	LeftOut []RunReport
}

// Compare lays two sides beside each other: one comparison for each relation that has
// vacuums on both, in A's order. Where no relation has, and each side has one only, these
// two are compared.
func Compare(a, b Report) ([]Comparison, error) {
	inA, inB := relationsIn(a), relationsIn(b)
	if len(inA) == 0 || len(inB) == 0 {
		return nil, errors.New("compare: a side has no vacuum")
	}
	var out []Comparison
	for _, r := range inA {
		if slices.Contains(inB, r) {
			out = append(out, newComparison(newSide("A", a, r), newSide("B", b, r)))
		}
	}
	switch {
	case len(out) > 0:
		return out, nil
	case len(inA) == 1 && len(inB) == 1:
		return []Comparison{newComparison(newSide("A", a, inA[0]), newSide("B", b, inB[0]))}, nil
	}
	return nil, errors.New("compare: no table was vacuumed on both sides: A has " + strings.Join(inA, ", ") + "; B has " + strings.Join(inB, ", "))
}

// relationsIn are the relations of a report, each once, in order; that of an ANALYZE half
// by itself.
func relationsIn(r Report) []string {
	var out []string
	for i := range r.Runs {
		if name := r.Runs[i].compared(); !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// compared is what a run is compared by: its relation. A TOAST relation is called after
// its table, as its own name differs from database to database.
func (r *RunReport) compared() string {
	out := name(r.Schema, r.Table, r.RelID)
	if owner, toast := r.ToastOf.Get(); toast {
		out = "TOAST of " + owner.Display()
	}
	if r.Command == "ANALYZE" {
		out = "ANALYZE of " + out
	}
	return out
}

func newSide(label string, r Report, relation string) Side {
	s := Side{Label: label}
	for _, run := range r.Runs {
		switch {
		case run.compared() != relation:
		case run.whole():
			s.Runs = append(s.Runs, run)
		default:
			s.LeftOut = append(s.LeftOut, run)
		}
	}
	if len(s.Runs) == 0 {
		s.Runs, s.LeftOut = s.LeftOut, nil
	}
	return s
}

// whole tells whether a run was seen from its start to an end that can have been its own.
func (r *RunReport) whole() bool {
	how, ended := r.Result.Get()
	return r.FromStart && ended && (how == model.EndCompleted || how == model.EndNotVisible)
}

func newComparison(a, b Side) Comparison {
	c := Comparison{A: a, B: b, Conditions: conditions(a, b), Quantities: quantities(a, b)}
	c.Observations = c.observe()
	return c
}

// single tells whether each side is one run.
func (c *Comparison) single() bool { return len(c.A.Runs) == 1 && len(c.B.Runs) == 1 }
