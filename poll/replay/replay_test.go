package replay

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/record"
)

// kept are samples of a run as the screen keeps them, and the snapshots that folding
// them in order gave.
func kept(t testing.TB, samples []model.Sample, limit int) (*Tape, *record.Memory, []*model.Snapshot) {
	t.Helper()
	memory, err := record.NewMemory(limit)
	if err != nil {
		t.Fatal(err)
	}
	tape := NewTape(memory, 4)
	var snapshots []*model.Snapshot
	for _, s := range samples {
		snapshots = append(snapshots, tape.Step(s, memory.Add(s)))
	}
	return tape, memory, snapshots
}

// A moment folded again is the one that was seen, wherever one comes from.
func TestAMomentFoldedAgainIsTheOneSeen(t *testing.T) {
	for _, name := range allCaptured(t) {
		samples := samplesOf(t, name)
		tape, _, seen := kept(t, samples, 1<<30)
		for i := range samples {
			for _, n := range []int{len(samples) - 1 - i, i * 7 % len(samples)} {
				again, at, err := tape.At(n)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(again, seen[n]) {
					t.Fatalf("%s: sample %d folded again is another snapshot", name, n)
				}
				if at.Sample != n || at.Samples != len(samples) || !at.At.Equal(samples[n].At) || !at.From.Equal(samples[0].At) || !at.To.Equal(samples[len(samples)-1].At) {
					t.Fatalf("%s: position of sample %d is %+v", name, n, at)
				}
			}
		}
	}
}

func TestWhatIsTooOldCannotBeGoneBackTo(t *testing.T) {
	samples := samplesOf(t, "passes-a-13")
	tape, memory, seen := kept(t, samples, 4000)
	if memory.Dropped() == 0 {
		t.Fatal("nothing was dropped")
	}
	snapshot, at, err := tape.At(0)
	if err != nil || at.Sample == 0 || !reflect.DeepEqual(snapshot, seen[at.Sample]) || !at.From.Equal(at.At) {
		t.Errorf("the oldest moment is %+v, error %v", at, err)
	}
}

func TestMovesByEventsPhasesAndTime(t *testing.T) {
	samples := samplesOf(t, "passes-a-13")
	tape, _, seen := kept(t, samples, 1<<30)
	find := func(m model.Move) int {
		t.Helper()
		n, err := tape.Find(m)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	from := model.Some(0)
	var phases []int // samples at which the run is in another phase than at the one before
	for n := 1; n < len(seen); n++ {
		before, now := phaseOf(seen[n-1]), phaseOf(seen[n])
		if now != "" && now != before {
			phases = append(phases, n)
		}
	}
	if len(phases) < 3 {
		t.Fatalf("the run has phases at %v", phases)
	}
	at := 0
	for _, want := range phases {
		if at = find(model.Move{From: model.Some(at), Phases: 1}); at != want {
			t.Errorf("the next phase is at %d, and not at %d", at, want)
		}
	}
	if got := find(model.Move{From: model.Some(phases[2]), Phases: -1}); got != phases[1] {
		t.Errorf("the phase before is at %d, and not at %d", got, phases[1])
	}
	if got := find(model.Move{From: from, Events: 100_000}); got != len(samples)-1 {
		t.Errorf("behind the last event is %d", got)
	}
	if got := find(model.Move{From: from, To: model.Some(samples[5].At.Add(time.Millisecond))}); got != 5 {
		t.Errorf("at the time of sample 5 is %d", got)
	}
	if got := find(model.Move{From: from, To: model.Some(samples[0].At.Add(-time.Hour))}); got != 0 {
		t.Errorf("before all of it is %d", got)
	}
	if got := find(model.Move{Seq: samples[4].Seq, Samples: -1}); got != 3 {
		t.Errorf("before the sample with the number of sample 4 is %d", got)
	}
}

func phaseOf(s *model.Snapshot) string {
	if len(s.Active) == 0 || s.Active[0].Phase() == nil {
		return ""
	}
	p := s.Active[0].Phase()
	return string(p.Phase) + string(rune('0'+p.Pass))
}

// A player shows every moment in order at a high speed, stops at the end, and goes where
// it is sent.
func TestAPlayerPlaysToTheEndAndGoesWhereItIsSent(t *testing.T) {
	samples := samplesOf(t, "throttled-a-18")
	path := filepath.Join(t.TempDir(), "run"+record.Suffix)
	w, err := record.Create(path, record.Header{}, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range samples {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	recording, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	player, err := NewPlayer(recording)
	if err != nil {
		t.Fatal(err)
	}
	for range speeds() {
		player.Faster(true)
	}
	ctx, cancel := context.WithCancel(t.Context())
	shown := make(chan model.Position)
	ended := make(chan error, 1)
	go func() {
		ended <- player.Run(ctx, func(s *model.Snapshot, at model.Position) {
			select {
			case shown <- at:
			case <-ctx.Done():
			}
		})
	}()
	before := -1
	for at := range shown {
		if at.Sample <= before && at.Playing {
			t.Fatalf("after sample %d it shows %d", before, at.Sample)
		}
		if before = at.Sample; at.Sample == len(samples)-1 && !at.Playing {
			break
		}
	}
	if err := player.Move(ctx, model.Move{Samples: -3}); err != nil {
		t.Fatal(err)
	}
	if at := <-shown; at.Sample != len(samples)-4 || at.Playing {
		t.Errorf("three back from the end it shows %+v", at)
	}
	player.Play(true)
	if at := <-shown; !at.Playing {
		t.Errorf("played on it shows %+v", at)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
