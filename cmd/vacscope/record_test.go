package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/pgtest"
	"example.com/vacscope/poll/record"
	"example.com/vacscope/tui"
)

// samplesOf reads a whole recording.
func samplesOf(t *testing.T, path string) (record.Header, []model.Sample) {
	t.Helper()
	r, err := record.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var out []model.Sample
	for s, err := range r.Samples(0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	if lost := r.Lost(time.UTC); len(lost) > 0 {
		t.Errorf("lost: %v", lost)
	}
	return r.Header(), out
}

// What is read back means what was seen live, snapshot for snapshot.
func TestARecordingGivesTheSnapshotsThatWereSeen(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "recorded", Indexes: 3})
		config, err := poll.ParseTarget(poll.Flags{}, s.ConnString())
		if err != nil {
			t.Fatal(err)
		}
		source, err := poll.Open(t.Context(), config, poll.Options{Interval: 100 * time.Millisecond, TickRate: 50, TickRateGiven: true})
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		path := filepath.Join(t.TempDir(), "a"+record.Suffix)
		file := recordInto(path, false, nil, func(err error) { t.Error(err) })
		recorder := &recorder{stream: source}
		recorder.add(file)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var live []*model.Snapshot
		var chosen model.Chosen
		if err := fold(ctx, recorder, func(snapshot *model.Snapshot) {
			if live = append(live, snapshot); len(live) == 3 {
				s.Vacuum(t, "recorded", "(parallel 2)", "min_parallel_index_scan_size=0", "vacuum_cost_delay=5ms", "vacuum_cost_limit=100")
			}
			if chosen.Step(snapshot) {
				cancel()
			}
		}); err != nil {
			t.Fatal(err)
		}
		if err := file.end(); err != nil {
			t.Fatal(err)
		}
		header, samples := samplesOf(t, path)
		var tracker model.Tracker
		for i, sample := range samples {
			if got := tracker.Step(sample); !reflect.DeepEqual(got, live[i]) {
				t.Fatalf("snapshot %d of %d is\n%+v\nwas\n%+v", i, len(live), got, live[i])
			}
		}
		if len(samples) != len(live) || len(live[len(live)-1].Ended) == 0 {
			t.Errorf("%d samples are read, %d snapshots were seen", len(samples), len(live))
		}
		if header.Server.VersionNum/10000 != s.Major || header.About == nil || !header.Client.IsServers || header.StartedAt.IsZero() {
			t.Errorf("header %+v", header)
		}
	})
}

func TestRecordEndsWithAWholeFile(t *testing.T) {
	s := pgtest.Shared(t, 18)
	for name, how := range map[string]func(context.CancelCauseFunc){
		"after --for": nil,
		"by a signal": func(end context.CancelCauseFunc) { end(signalError{os.Interrupt}) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "a"+record.Suffix)
			root := newRootCommand()
			args := []string{"record", "-o", path, "--interval", "100ms", s.ConnString()}
			ctx, end := context.WithCancelCause(t.Context())
			defer end(nil)
			if how == nil {
				args = append(args, "--for", "1s")
			} else {
				go func() {
					pgtest.Eventually(t, "the file is there", func() bool { _, err := os.Stat(path); return err == nil })
					how(end)
				}()
			}
			root.SetArgs(args)
			var messages strings.Builder
			root.SetErr(&messages)
			err := root.ExecuteContext(ctx)
			if exitStatus(err) != exitDone || !strings.Contains(messages.String(), "recorded into "+path) {
				t.Errorf("it ended with %v and said %q", err, messages.String())
			}
			if _, samples := samplesOf(t, path); len(samples) == 0 {
				t.Error("there is no sample")
			}
			root = newRootCommand()
			root.SetArgs(args)
			if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--force replaces it") {
				t.Errorf("over a file: %v", err)
			}
		})
	}
}

// polled are n samples with a poll, a second apart.
func polled(n int) samples {
	out := make(samples, n)
	for i := range out {
		out[i] = model.Sample{Seq: uint64(i + 1), At: time.Unix(int64(i), 0).UTC(), Poll: &model.Poll{}}
	}
	return out
}

func TestADiskThatDoesNotAnswerDelaysNothingAndTheGapIsSaid(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+record.Suffix)
	answer := make(chan struct{})
	file := startRecording(func(first model.Sample) (*record.Writer, error) {
		<-answer
		return record.Create(path, headerOf(first, nil), false)
	}, func(err error) { t.Error(err) })
	r := &recorder{stream: polled(maxQueued + 5)}
	r.add(file)
	seen := 0
	if err := r.Run(t.Context(), func(model.Sample) { seen++ }); err != nil || seen != maxQueued+5 {
		t.Fatalf("%d samples went on (%v)", seen, err)
	}
	close(answer)
	pgtest.Eventually(t, "the disk catches up", func() bool { return len(file.queue) == 0 })
	r.take(model.Sample{Seq: 100, At: time.Unix(100, 0).UTC()})
	if err := file.end(); err != nil {
		t.Fatal(err)
	}
	_, samples := samplesOf(t, path)
	last := samples[len(samples)-1]
	if last.Seq != 100 || len(last.Events) != 2 || last.Events[0].Kind != model.EventLost || !strings.Contains(string(last.Events[0].Text), "not recorded") {
		t.Errorf("the last sample is %+v", last)
	}
}

func TestAFolderThatCannotBeWrittenIsSaidAndTheStreamGoesOn(t *testing.T) {
	said := make(chan error, 1)
	file := recordInto(filepath.Join(t.TempDir(), "none", "a"), false, nil, func(err error) { said <- err })
	r := &recorder{stream: polled(200)}
	r.add(file)
	seen := 0
	if err := r.Run(t.Context(), func(model.Sample) { seen++ }); err != nil || seen != 200 {
		t.Errorf("%d samples went on (%v)", seen, err)
	}
	if err := file.end(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the recording ended with %v", err)
	}
	if err := <-said; !strings.Contains(err.Error(), "has ended") {
		t.Errorf("said %v", err)
	}
}

// fullDisk has room for so many bytes.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, syscall.ENOSPC
	}
	return len(p), nil
}

func (*fullDisk) Close() error { return nil }

func TestAFullDiskIsSaidOnce(t *testing.T) {
	said := make(chan error, 1)
	file := startRecording(func(first model.Sample) (*record.Writer, error) {
		return record.NewWriter(&fullDisk{900}, headerOf(first, nil))
	}, func(err error) { said <- err })
	r := &recorder{stream: polled(200)}
	r.add(file)
	if err := r.Run(t.Context(), func(model.Sample) {}); err != nil {
		t.Fatal(err)
	}
	if err := file.end(); !errors.Is(err, syscall.ENOSPC) || strings.Count(err.Error(), "no space left") != 1 {
		t.Errorf("the recording ended with %v", err)
	}
	<-said
}

func TestTheCommandLineHoldsNoSecret(t *testing.T) {
	got := commandLine([]string{"record", "-o", "a b", "--password-command", "cat /secret", "--password-command=secret", "host=x password=secret", "postgres://u:secret@h/d", "it's"})
	if want := `vacscope record -o 'a b' --password-command … --password-command=… … … 'it'\''s'`; got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

func TestTheScreenRecordsIntoAFileOfTheFolderAndEndsIt(t *testing.T) {
	t.Chdir(t.TempDir())
	r := &recorder{}
	s := &screenRecorder{recorder: r, tell: func(err error) { t.Error(err) }}
	samples := polled(9)
	r.take(samples[0])
	file, err := s.Record(model.None[time.Time]())
	if err != nil || !file.Begun || file.Since.Known() || !s.Recording() {
		t.Fatalf("begun %+v: %v", file, err)
	}
	for _, sample := range samples[1:] {
		r.take(sample)
	}
	if again, err := s.Record(model.None[time.Time]()); err != nil || again.Begun || again.File != file.File || s.Recording() {
		t.Errorf("ended %+v: %v", again, err)
	}
	if _, got := samplesOf(t, file.File); len(got) != 8 || got[0].Seq != 2 {
		t.Errorf("%d samples", len(got))
	}
}

func TestAFileThatTheScreenEndsBeforeItBeganIsNone(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &screenRecorder{recorder: &recorder{}, tell: func(err error) { t.Error(err) }}
	file, err := s.Record(model.None[time.Time]())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(model.None[time.Time]()); err == nil || !strings.Contains(err.Error(), "nothing was read") {
		t.Errorf("ended with %v", err)
	}
	if _, err := os.Stat(file.File); !os.IsNotExist(err) {
		t.Errorf("the file: %v", err)
	}
}

// What was seen of the vacuums in sight before r was pressed is in the file, once, and
// gives the snapshots that were seen.
func TestTheScreensFileBeginsWithWhatWasSeen(t *testing.T) {
	t.Chdir(t.TempDir())
	past, err := newPast(model.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{wanted: &model.Rates{TickRate: 7}}
	s := &screenRecorder{recorder: r, tell: func(err error) { t.Error(err) }, view: &viewing{past: past}}
	samples := polled(60)
	samples[0].Poll.Settings = []model.Setting{{Name: "vacuum_cost_limit", Setting: "200"}}
	var file tui.Recorded
	var live []*model.Snapshot
	for i, sample := range samples {
		if i == 42 {
			if file, err = s.Record(model.Some(samples[25].At)); err != nil {
				t.Fatal(err)
			}
		}
		if i == 42 || i == 43 {
			sample = model.Sample{Seq: sample.Seq, At: sample.At, Events: []model.Event{{At: sample.At, Kind: model.EventLost}}}
		}
		r.take(sample)
		live = append(live, past.step(sample))
	}
	if _, err := s.Record(model.None[time.Time]()); err != nil {
		t.Fatal(err)
	}
	header, got := samplesOf(t, file.File)
	if began, known := file.Since.Get(); !known || header.Wanted.TickRate != 7 || !began.Equal(got[0].At) || !header.StartedAt.Equal(began) {
		t.Errorf("said to begin at %v; it begins at %v, and its header says %v", file.Since, got[0].At, header.StartedAt)
	}
	if len(got) != 50 || got[0].Seq != 11 || len(got[0].Poll.Settings) != 1 {
		t.Fatalf("%d samples, the first is %d", len(got), got[0].Seq)
	}
	var tracker model.Tracker
	for i, sample := range got {
		seen, again := live[10+i], tracker.Step(sample)
		if sample.Seq != uint64(11+i) || again.Seq != seen.Seq || !again.Now.Equal(seen.Now) || again.Link.Lost != seen.Link.Lost {
			t.Fatalf("sample %d is %d, and gives another snapshot", 11+i, sample.Seq)
		}
	}
}
