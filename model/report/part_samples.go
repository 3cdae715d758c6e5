package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Samples is what the processes of a run were seen to wait for.
type Samples struct {
	Part
	// Phases are those in which samples were taken, in order, all passes of each
	// together.
	Phases []PhaseSamples
	// Taken is how many there are, Missed how many were planned and gave none.
	Taken, Missed int
}

// PhaseSamples are the samples of one phase.
type PhaseSamples struct {
	Phase model.Text
	// Waits are per process and wait event, most samples first.
	Waits []WaitSamples
	// Processes are the sums for each process, leader first.
	Processes []ProcessSamples
}

// WaitSamples counts the samples of one process in one wait event.
type WaitSamples struct {
	LeaderPID model.Opt[int32] // absent for the leader
	PID       model.Opt[int32] // absent for workers of earlier passes that were merged
	// Wait is absent for samples on CPU, or in code that is not instrumented.
	Wait model.Opt[model.Wait]
	// Name is the event's name, with its type where the name alone is ambiguous in the
	// server's version; CPU without one.
	Name    string
	Class   model.Class
	Samples int
	Weight  time.Duration // the time that they stand for: an estimate

	backend time.Time // when the process began: pids are used again
}

// ProcessSamples is how often one process was looked at in a phase.
type ProcessSamples struct {
	LeaderPID, PID model.Opt[int32] // as in WaitSamples
	Samples        int
	Asleep         int // of them, in VacuumDelay

	backend time.Time
}

// has tells whether samples are of this process.
func (p ProcessSamples) has(w WaitSamples) bool {
	return p.PID == w.PID && p.backend.Equal(w.backend)
}

func newSamples(s *model.Snapshot, r *model.Run) Samples {
	out := Samples{Part: Part{unseen(r)}, Taken: r.Samples.Taken, Missed: r.Samples.Missed}
	for i := range r.Phases {
		span := &r.Phases[i]
		if len(span.Waits) == 0 {
			continue
		}
		n := slices.IndexFunc(out.Phases, func(p PhaseSamples) bool { return p.Phase == span.Phase })
		if n < 0 {
			n = len(out.Phases)
			out.Phases = append(out.Phases, PhaseSamples{Phase: span.Phase})
		}
		for _, w := range span.Waits {
			out.Phases[n].add(waitSamples(s, r, w))
		}
	}
	for i := range out.Phases {
		out.Phases[i].sort()
	}
	if out.Missing == "" && len(out.Phases) == 0 {
		out.Missing = "no sample of it was taken"
	}
	return out
}

func waitSamples(s *model.Snapshot, r *model.Run, w model.WaitTime) WaitSamples {
	row := WaitSamples{PID: unlessZero(w.PID), Wait: w.Wait, Name: "CPU", Class: w.Class, Samples: w.Samples, Weight: w.Weight, backend: w.BackendStart}
	if w.PID != r.Key.PID {
		row.LeaderPID = model.Some(r.Key.PID)
	}
	if wait, waits := w.Wait.Get(); waits {
		row.Name = wait.Name(s.Server.VersionNum)
	}
	return row
}

// add counts samples of one process in one wait event.
func (p *PhaseSamples) add(w WaitSamples) {
	same := func(o WaitSamples) bool { return o.PID == w.PID && o.backend.Equal(w.backend) && o.Wait == w.Wait }
	if i := slices.IndexFunc(p.Waits, same); i >= 0 {
		p.Waits[i].Samples += w.Samples
		p.Waits[i].Weight += w.Weight
	} else {
		p.Waits = append(p.Waits, w)
	}
	p.count(w)
}

// sort puts most samples first, and the leader before its workers.
func (p *PhaseSamples) sort() {
	slices.SortStableFunc(p.Waits, func(a, b WaitSamples) int {
		return cmp.Or(cmp.Compare(b.Samples, a.Samples), cmp.Compare(a.PID.Or(0), b.PID.Or(0)), cmp.Compare(a.Name, b.Name))
	})
	slices.SortStableFunc(p.Processes, func(a, b ProcessSamples) int {
		return cmp.Or(cmp.Compare(a.LeaderPID.Or(0), b.LeaderPID.Or(0)), cmp.Compare(a.PID.Or(0), b.PID.Or(0)))
	})
}

// count adds samples to those of their process.
func (p *PhaseSamples) count(w WaitSamples) {
	i := slices.IndexFunc(p.Processes, func(o ProcessSamples) bool { return o.has(w) })
	if i < 0 {
		i = len(p.Processes)
		p.Processes = append(p.Processes, ProcessSamples{LeaderPID: w.LeaderPID, PID: w.PID, backend: w.backend})
	}
	p.Processes[i].Samples += w.Samples
	if w.Class == model.ClassDelay {
		p.Processes[i].Asleep += w.Samples
	}
}

// section is the samples as people read them, a table for each phase.
func (s *Samples) section() Section {
	out := Section{Name: "samples", Title: "Samples", Missing: s.Missing}
	for i := range s.Phases {
		p := &s.Phases[i]
		waits := newGrid(p.Phase.Display(), "#leader_pid", "#pid", "wait_event", "#count")
		for _, w := range p.Waits {
			waits.add(pidCell(w.LeaderPID), processCell(w.PID), w.Name, fmt.Sprint(w.Samples))
		}
		sums := newGrid(p.Phase.Display()+", all wait events", "#leader_pid", "#pid", "#count", "#VacuumDelay")
		for _, w := range p.Processes {
			sums.add(pidCell(w.LeaderPID), processCell(w.PID), fmt.Sprint(w.Samples), fmt.Sprint(w.Asleep))
		}
		out.Grids = append(out.Grids, waits, sums)
	}
	out.Notes = append(out.Notes, fmt.Sprintf("%s of processes taken, %d missed. CPU: running, or in code that is not instrumented. "+
		"A count is not a duration: short waits are seen by chance.", model.FormatCounted(s.Taken, "sample", "samples"), s.Missed))
	return out
}

// pidCell is empty for a leader's leader_pid, as in pg_stat_activity.
func pidCell(pid model.Opt[int32]) string {
	if v, known := pid.Get(); known {
		return fmt.Sprint(v)
	}
	return ""
}

// processCell names a process; those of earlier passes that were merged have no pid.
func processCell(pid model.Opt[int32]) string {
	if !pid.Known() {
		return "earlier"
	}
	return pidCell(pid)
}
