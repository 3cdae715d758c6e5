package poll

import (
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// open watches a server with beats and ticks close together.
func open(t testing.TB, connString string) *Source {
	t.Helper()
	return openWith(t, connString, Options{Interval: 100 * time.Millisecond, TickRate: 20, TickRateGiven: true})
}

func openWith(t testing.TB, connString string, options Options) *Source {
	t.Helper()
	config, err := ParseTarget(Flags{}, connString)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), config, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// read is one beat in which nothing failed.
func read(t testing.TB, s *Source) *model.Poll {
	t.Helper()
	sample := s.Beat(t.Context())
	if len(sample.Problems) > 0 || sample.Poll == nil {
		t.Fatalf("the beat has problems: %+v", sample.Problems)
	}
	return sample.Poll
}

// process finds a process by pid.
func process(poll *model.Poll, pid int32) (model.Process, bool) {
	for _, p := range poll.Processes {
		if p.PID == pid {
			return p, true
		}
	}
	return model.Process{}, false
}

// mustHave is a process that is there.
func mustHave(t testing.TB, poll *model.Poll, pid int32) model.Process {
	t.Helper()
	p, ok := process(poll, pid)
	if !ok {
		t.Fatalf("process %d is not among %+v", pid, poll.Processes)
	}
	return p
}
