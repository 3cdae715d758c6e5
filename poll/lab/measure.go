package lab

import (
	"context"

	"example.com/vacscope/model/experiment"
	"example.com/vacscope/poll/server"
)

// meter measures a run from its begin to its end, over sessions of its own.
type meter struct {
	s      *server.Server
	tables []string // those of the workload, in schema public; none: all of it
}

// beginMeasuring reads what stands at a run's begin, and watches waits and vacuums until
// the meter is ended.
func beginMeasuring(ctx context.Context, s *server.Server, tables []string) (*meter, error) {
	return &meter{s, tables}, nil
}

// end stops watching and returns what was measured since the begin. The workload has
// ended; ctx is not that of the run.
func (m *meter) end(ctx context.Context) (experiment.Measures, error) {
	return experiment.Measures{}, nil
}

// meterSettings are those without which something could not be measured, as "name=value".
func meterSettings(major int) []string { return nil }
