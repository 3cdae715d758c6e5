package report

import (
	"strings"
	"time"

	"example.com/vacscope/model"
)

// values are those that a side's runs have of a quantity.
func (s *Side) values(k Key) []float64 {
	return present(s.Runs, func(r *RunReport) model.Opt[float64] { return r.measured(k) })
}

// standing are the times in seconds that a side's samples of a quantity stand for.
func (s *Side) standing(k Key) []float64 {
	return present(s.Runs, func(r *RunReport) model.Opt[float64] {
		_, weight := r.Samples.count(k)
		return secondsIf(r.Samples.Missing == "", weight)
	})
}

// perSample is the time in seconds that a sample of a side stands for on average; 0 without
// samples.
func (s *Side) perSample() float64 {
	n, weight := 0, 0.0
	for i := range s.Runs {
		for _, phase := range s.Runs[i].Samples.Phases {
			for _, w := range phase.Waits {
				n, weight = n+w.Samples, weight+w.Weight.Seconds()
			}
		}
	}
	return weight / float64(max(1, n))
}

// present are the values that there are of a side's runs.
func present(runs []RunReport, value func(*RunReport) model.Opt[float64]) []float64 {
	var out []float64
	for i := range runs {
		if v, known := value(&runs[i]).Get(); known {
			out = append(out, v)
		}
	}
	return out
}

// uncertain is what the time of a phase, or of the run, is known to on average, in seconds.
func (s *Side) uncertain(phase model.Text) float64 {
	var sum float64
	for i := range s.Runs {
		r := &s.Runs[i]
		if phase == "" {
			sum += (r.Uncertain + r.Within).Seconds()
		} else {
			sum += r.Phases.of(phase).Uncertain.Seconds()
		}
	}
	return sum / float64(max(1, len(s.Runs)))
}

// measured is a run's value of a quantity; absent where the run does not have it.
func (r *RunReport) measured(k Key) model.Opt[float64] {
	switch k.Kind {
	case KindTime, KindProcessTime, KindDelay, KindSampledDelay:
		return r.measuredTime(k)
	case KindSamples:
		n, _ := r.Samples.count(k)
		return someIf(r.Samples.Missing == "", float64(n))
	case KindPasses:
		return model.Some(float64(r.IndexPasses))
	case KindWALBytes:
		return number(r.Impact.Usage.WALBytes)
	case KindWALRecords:
		return number(r.Impact.Usage.WALRecords)
	case KindFullPages:
		return number(r.Impact.Usage.WALFullPages)
	case KindBuffersHit:
		return number(r.Impact.Usage.BuffersHit)
	case KindBuffersRead:
		return number(r.Impact.Usage.BuffersRead)
	case KindBuffersDirtied:
		return number(r.Impact.Usage.BuffersDirtied)
	case KindAsked:
		return number(r.Context.Parallel.Asked)
	case KindPlanned:
		return number(r.Context.Parallel.Planned)
	case KindLaunched:
		return number(r.Context.Parallel.Launched)
	}
	return model.None[float64]()
}

// measuredTime is a time of a phase or of the run, in seconds. A phase that a run did not
// go through took it no time.
func (r *RunReport) measuredTime(k Key) model.Opt[float64] {
	wall, process, delay := r.Elapsed, r.ProcessTime, r.Delay
	if k.Phase != "" {
		phase := r.Phases.of(k.Phase)
		wall, process, delay = phase.Wall, phase.ProcessTime, phase.Delay
		if phase.Phase == "" { // no such phase
			delay = model.Delay{Reported: zeroIf(r.Delay.Reported), Sampled: zeroIf(r.Delay.Sampled)}
		}
	}
	seen := k.Phase == "" || r.Phases.Missing == ""
	switch k.Kind {
	case KindTime:
		return secondsIf(seen, wall)
	case KindProcessTime:
		return secondsIf(seen, process)
	case KindDelay:
		return secondsIf(seen && delay.Reported.Known(), delay.Reported.Or(0))
	}
	return secondsIf(seen && delay.Sampled.Known(), delay.Sampled.Or(0))
}

// of is what a phase took, all its passes together; the zero Phase when there was none.
func (p *Phases) of(phase model.Text) Phase {
	for _, total := range p.Totals {
		if total.Phase == phase {
			return total
		}
	}
	return Phase{}
}

// of are the samples of a phase; none when there are none.
func (s *Samples) of(phase model.Text) PhaseSamples {
	for _, p := range s.Phases {
		if p.Phase == phase {
			return p
		}
	}
	return PhaseSamples{}
}

// covers tells whether a row of samples is of a quantity. Versions write the names of some
// events in another case.
func (k Key) covers(w WaitSamples) bool {
	return w.LeaderPID.Known() == k.Workers && strings.EqualFold(w.Name, k.Event)
}

// count adds up the samples of the leader, or of the workers, in one wait event.
func (s *Samples) count(k Key) (n int, weight time.Duration) {
	for _, w := range s.of(k.Phase).Waits {
		if k.covers(w) {
			n, weight = n+w.Samples, weight+w.Weight
		}
	}
	return n, weight
}

func secondsIf(known bool, d time.Duration) model.Opt[float64] { return someIf(known, d.Seconds()) }

// zeroIf is no time, where the time of the whole is known.
func zeroIf(whole model.Opt[time.Duration]) model.Opt[time.Duration] {
	return mapped(whole, func(time.Duration) time.Duration { return 0 })
}

// number is a number of any kind that may be absent.
func number[N ~int | ~int64 | ~float64](n model.Opt[N]) model.Opt[float64] {
	return mapped(n, func(v N) float64 { return float64(v) })
}
