package tui

import (
	"time"

	"example.com/vacscope/model"
)

// withHistory gives a run the history that its phases make, with n points, and the
// sums of its phases as its own.
func withHistory(run *model.Run, n int) *model.Run {
	run.History, run.ProcessTime = nil, 0
	for _, s := range run.Phases {
		run.ProcessTime += s.ProcessTime
	}
	run.Delay.Reported, run.Delay.Sampled = sums(run, run.LastSeen)
	from := run.WatchedFrom()
	for i := range n {
		at := from.Add(run.LastSeen.Sub(from) * time.Duration(i+1) / time.Duration(n+1))
		p := model.DelayPoint{Since: at.Sub(from)}
		for _, s := range run.Phases {
			p.ProcessTime += time.Duration(seenOf(s, at) * float64(s.ProcessTime))
		}
		p.Reported, p.Sampled = sums(run, at)
		run.History = append(run.History, p)
	}
	return run
}

// sums are the delays of a run's phases up to a time.
func sums(run *model.Run, at time.Time) (reported, sampled model.Opt[time.Duration]) {
	add := func(sum, d model.Opt[time.Duration], share float64) model.Opt[time.Duration] {
		if v, ok := d.Get(); ok && share > 0 {
			return model.Some(sum.Or(0) + time.Duration(share*float64(v)))
		}
		return sum
	}
	for _, s := range run.Phases {
		reported = add(reported, s.Delay.Reported, seenOf(s, at))
		sampled = add(sampled, s.Delay.Sampled, seenOf(s, at))
	}
	return reported, sampled
}

// seenOf is how much of a phase was over at a time.
func seenOf(s model.Span, at time.Time) float64 {
	return max(0, min(1, float64(at.Sub(s.From))/float64(s.To.Sub(s.From))))
}

// offSnapshot is a vacuum on a server where track_cost_delay_timing is off.
func offSnapshot(by string) *model.Snapshot {
	s := parallelSnapshot()
	s.Server.TrackCostDelayTiming = model.Some(false)
	run := s.Active[0]
	run.StartedBy = model.Some(by)
	run.Progress.DelayTime = model.Some(0.0)
	for i := range run.Phases {
		run.Phases[i].Delay.Reported = model.None[time.Duration]()
	}
	withHistory(run, 300)
	return s
}

// differSnapshot is a vacuum of which the server reported much less delay than the
// samples tell.
func differSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	run := s.Active[0]
	for i := range run.Phases {
		d := &run.Phases[i].Delay
		d.Reported = model.Some(d.Reported.Or(0) / 2)
	}
	withHistory(run, 300)
	return s
}

// passesSnapshot is a vacuum in its eighth index pass.
func passesSnapshot() *model.Snapshot {
	s := parallelSnapshot()
	run := s.Active[0]
	from := run.Began
	run.Phases = nil
	for i := range 24 {
		name, took := []model.Text{"scanning heap", "vacuuming indexes", "vacuuming heap"}[i%3], time.Duration(12+i%5*7)*time.Second
		run.Phases = append(run.Phases, model.Span{
			Phase: name, Pass: i/3 + 1, Passes: 1, From: from, To: from.Add(took), Wall: took, Complete: true,
			ProcessTime: took * time.Duration(1+6*(i%3%2)), Delay: model.Delay{Reported: model.Some(took / 2), Sampled: model.Some(took / 2)},
		})
		from = from.Add(took)
	}
	run.LastSeen = from
	withHistory(run, 500)
	return s
}
