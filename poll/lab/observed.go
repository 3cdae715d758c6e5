package lab

import (
	"slices"
	"sync"
	"time"

	"example.com/vacscope/model/experiment"
)

// Observed is what the clients of a workload see. Its methods can be called from several
// goroutines.
type Observed struct {
	offset time.Duration // the server's clock less this machine's

	mu        sync.Mutex
	latency   experiment.Latency
	durations []experiment.Durations
}

// newObserved is for a run that begins now and lasts that long; began is now by the
// server's clock.
func newObserved(began time.Time, run time.Duration) *Observed {
	return &Observed{offset: time.Until(began), latency: experiment.NewLatency(began, run)}
}

// Statement counts a statement that was due at a time, by this machine's clock, and has
// ended. When it was sent does not matter: the time until then counts.
func (o *Observed) Statement(due, ended time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.latency.Add(due.Add(o.offset), ended.Sub(due))
}

// Took notes how long a piece of work took that is longer than a statement: a COPY.
func (o *Observed) Took(what string, d time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	i := slices.IndexFunc(o.durations, func(x experiment.Durations) bool { return x.What == what })
	if i < 0 {
		i = len(o.durations)
		o.durations = append(o.durations, experiment.Durations{What: what})
	}
	o.durations[i].Each = append(o.durations[i].Each, d)
}

// seen are the latencies and the durations; the workload has ended.
func (o *Observed) seen() (experiment.Latency, []experiment.Durations) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.latency, o.durations
}
