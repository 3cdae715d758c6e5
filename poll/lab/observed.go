package lab

import (
	"slices"
	"sync"
	"time"

	"example.com/vacscope/model/experiment"
)

// Observed is what the clients of a workload see. Its methods can be called from several
// goroutines. Server and clients are on one machine and have one clock.
type Observed struct {
	mu        sync.Mutex
	latency   experiment.Latency
	durations []experiment.Durations
	remarks   []string
}

// Statement counts a statement that was due at a time and has ended. When it was sent
// does not matter: the time until then counts.
func (o *Observed) Statement(due, ended time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.latency.Add(due, ended.Sub(due))
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

// keptUp remarks it where the clients did less than was due at a rate per second, 0: none:
// statements, else the one piece of work that they do.
func (o *Observed) keptUp(rate, clients int, ran time.Duration) {
	o.mu.Lock()
	due := experiment.Due{What: "statements", Times: "latencies", Rate: rate, Clients: clients, During: ran, Done: o.latency.Whole().N}
	if due.Done == 0 && len(o.durations) > 0 {
		due.What, due.Times, due.Done = o.durations[0].What+"s", "durations", int64(len(o.durations[0].Each))
	}
	o.mu.Unlock()
	if behind := due.FellBehind(); behind != "" {
		o.Remark(behind)
	}
}

// Remark notes what is to be said of the run, as a clause.
func (o *Observed) Remark(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.remarks = append(o.remarks, text)
}

// begin is when the run begins; it is to last that long, 0: that is not known.
func (o *Observed) begin(at time.Time, run time.Duration) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.latency = experiment.NewLatency(at, run)
}

// into puts what was seen into a run, whose workload has ended.
func (o *Observed) into(run *experiment.Run) {
	o.mu.Lock()
	defer o.mu.Unlock()
	run.Latency, run.Durations, run.Remarks = o.latency, o.durations, o.remarks
}
