package poll

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// ioNow is what the server has counted of what vacuums did, as a connection reads it
// first.
func ioNow(t *testing.T, s *pgtest.Server) *model.IOCount {
	t.Helper()
	config, err := ParseTarget(Flags{}, s.ConnString())
	if err != nil {
		t.Fatal(err)
	}
	source, err := Open(t.Context(), config, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	first, second := source.Beat(t.Context()), source.Beat(t.Context())
	for _, p := range first.Problems {
		t.Errorf("%s: %s", p.Part, p.Message.Display())
	}
	if second.Poll.IO != nil {
		t.Error("it is read again in the next beat")
	}
	if first.Poll.IO == nil {
		return nil
	}
	for i, c := range first.Poll.IO.Contexts {
		if c.Context == "vacuum" {
			return &first.Poll.IO.Contexts[i]
		}
	}
	t.Fatalf("no context vacuum in %+v", first.Poll.IO)
	return nil
}

func TestReadsAndWritesThatTheServerCounted(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "counted"})
		before := ioNow(t, s)
		if known := before != nil; known != (s.Major >= 16) {
			t.Fatalf("version %d: %+v", s.Major, before)
		}
		if before == nil {
			return
		}
		s.Exec(t, "vacuum (freeze, disable_page_skipping) counted")
		after := ioNow(t, s)
		if after.Hits+after.Reads <= before.Hits+before.Reads || after.ReadBytes < model.Bytes(8192*after.Reads) {
			t.Errorf("before the vacuum %+v, after it %+v", before, after)
		}
	})
}

func TestCountsOfReadsAndWritesAreReadWhenAVacuumComesOrGoes(t *testing.T) {
	vacuum := func(pid int32) model.Process {
		return model.Process{PID: pid, Progress: &model.Progress{View: model.ViewVacuum, RelID: 1}}
	}
	synctest.Test(t, func(t *testing.T) {
		var d ioDue
		st := &statement{}
		var at []int // seconds at which it was read
		for second := range 300 {
			if len(d.take(st, &model.Poll{})) > 0 {
				at = append(at, second)
			}
			poll := &model.Poll{Processes: []model.Process{}}
			switch {
			case second >= 100 && second < 150: // one that is there
				poll.Processes = append(poll.Processes, vacuum(1))
			case second >= 200 && second < 210: // another one in every beat
				poll.Processes = append(poll.Processes, vacuum(int32(second)))
			}
			if second%7 == 0 {
				poll.Processes = nil // not read: nothing is known to have changed
			}
			d.see(poll)
			time.Sleep(time.Second)
		}
		want := []int{0, 60, 101, 131, 151, 201, 203, 205, 207, 209, 211, 213, 273} // 210 could not be read
		if len(at) != len(want) {
			t.Fatalf("read at %v, want %v", at, want)
		}
		for i := range at {
			if at[i] != want[i] {
				t.Errorf("read at %v, want %v", at, want)
				break
			}
		}
		if d := (ioDue{}); d.take(nil, &model.Poll{}) != nil {
			t.Error("read without a statement")
		}
	})
}
