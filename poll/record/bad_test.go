package record

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"example.com/vacscope/model"
)

// zstandard compresses lines as the zstd program does.
func zstandard(t testing.TB, lines string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(lines), nil)
}

func TestFilesThatAreNoRecording(t *testing.T) {
	whole := recorded(t, Header{}, beats(3))
	damaged := bytes.Clone(whole)
	damaged[20] ^= 0x40
	for name, c := range map[string]struct {
		content []byte
		want    error
	}{
		"empty":               {nil, ErrEmpty},
		"text":                {[]byte("hello\n"), ErrForeign},
		"one byte":            {whole[:1], ErrCut},
		"an empty frame":      {zstandard(t, ""), ErrForeign},
		"lines of others":     {zstandard(t, "{\"a\":1}\n"), ErrForeign},
		"another document":    {zstandard(t, `{"format":"vacscope.snapshot","format_version":1}`+"\n"), ErrForeign},
		"not compressed":      {[]byte(`{"format":"vacscope.recording","format_version":1}` + "\n"), ErrForeign},
		"newer":               {zstandard(t, `{"format":"vacscope.recording","format_version":2,"server":"?"}`+"\n"), ErrNewer},
		"cut in its header":   {whole[:30], ErrCut},
		"damaged in its head": {damaged, ErrDamaged},
	} {
		if _, err := NewReader(bytes.NewReader(c.content), int64(len(c.content))); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := Open(t.TempDir()); !errors.Is(err, ErrForeign) {
		t.Errorf("a folder: %v", err)
	}
	path := filepath.Join(t.TempDir(), "none")
	if _, err := Open(path); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
}

func TestACutRecordingIsReadUpToItsLastWholeSample(t *testing.T) {
	samples := beats(25)
	whole := recorded(t, Header{}, samples)
	first := reader(t, whole).frames[0].size
	before := 0
	for size := first; size < int64(len(whole)); size += 1 + size%3 {
		r := reader(t, whole[:size])
		got := all(t, r)
		if len(got) < before || len(got) > 0 && !reflect.DeepEqual(got, samples[:len(got)]) {
			t.Fatalf("cut to %d bytes: %d samples, that are not the first, or fewer than before", size, len(got))
		}
		before = len(got)
		if !strings.Contains(lost(r), "has no end") {
			t.Fatalf("cut to %d bytes: %q", size, lost(r))
		}
	}
	if before < len(samples)-1 {
		t.Errorf("cut by a few bytes: %d of %d samples", before, len(samples))
	}
	r := reader(t, whole[:reader(t, whole).frames[2].offset+100])
	all(t, r)
	if got := lost(r); got != "The recording has no end: it was cut off, or is still being written; its last whole sample is of 12:00:09." {
		t.Errorf("said %q", got)
	}
}

// A changed byte costs the frame that it is in, and never gives a sample that was not
// written.
func TestDamageCostsItsFrame(t *testing.T) {
	samples := beats(60)
	whole := recorded(t, Header{}, samples)
	frames := reader(t, whole).frames
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		content := bytes.Clone(whole)
		at := frames[1].offset + rng.Int64N(int64(len(whole))-frames[1].offset)
		content[at] ^= byte(1 + rng.IntN(255))
		r := reader(t, content)
		n, got := 0, all(t, r)
		for _, s := range got {
			for n < len(samples) && samples[n].Seq != s.Seq {
				n++
			}
			if len(s.Events) > 0 {
				s.Events = nil
			}
			if n == len(samples) || !reflect.DeepEqual(s, samples[n]) {
				t.Fatalf("byte %d changed: sample %d is not one that was written", at, s.Seq)
			}
		}
		if missing := len(samples) - len(got); missing > 10 || missing > 0 && lost(r) == "" {
			t.Fatalf("byte %d changed: %d samples are missing, said: %q", at, missing, lost(r))
		}
	}
}

func TestDamageIsAGapOfWhichTheTimeIsSaid(t *testing.T) {
	samples := beats(60)
	content := recorded(t, Header{}, samples)
	frames := reader(t, content).frames
	damaged := frames[2:4]
	for _, f := range damaged {
		content[f.offset+f.size/2] ^= 1
	}
	r := reader(t, content)
	got := all(t, r)
	if len(got) != 40 || got[10].Seq != 31 || len(got[10].Events) != 2 || got[10].Events[0].Kind != model.EventLost || got[10].Events[1].Kind != model.EventConnected {
		t.Fatalf("%d samples, the tenth %+v", len(got), got[10])
	}
	if got := lost(r); !strings.Contains(got, "The time from 12:00:09 to 12:00:30 is lost.") {
		t.Errorf("said %q", got)
	}
}

// What is seen to be damaged without being read is a gap, wherever reading begins.
func TestDamageIsAGapForWhoBeginsBehindIt(t *testing.T) {
	content := recorded(t, Header{}, beats(60))
	content[reader(t, content).frames[2].offset] ^= 1
	r := reader(t, content)
	damaged := slices.IndexFunc(r.frames, func(f frame) bool { return f.state == frameDamaged })
	if damaged < 0 {
		t.Fatal("no frame is seen to be damaged")
	}
	if samples, err := r.Frame(damaged + 1); err != nil || len(samples) == 0 || len(samples[0].Events) != 2 || samples[0].Events[0].Kind != model.EventLost {
		t.Errorf("%d samples, error %v: %+v", len(samples), err, samples)
	}
}

func TestAFileOfTwoRecordingsIsReadToTheSecond(t *testing.T) {
	a := recorded(t, Header{Server: model.Server{SystemIdentifier: "1"}}, beats(5))
	b := recorded(t, Header{Server: model.Server{SystemIdentifier: "2"}}, beats(7))
	r := reader(t, append(a, b...))
	if got := all(t, r); len(got) != 5 {
		t.Errorf("%d samples, the first recording has 5", len(got))
	}
	if got := lost(r); !strings.Contains(got, "another recording follows, of another server, which is not read") {
		t.Errorf("said %q", got)
	}
}

func TestAnotherServerIsSaid(t *testing.T) {
	samples := beats(5)
	for i := 3; i < 5; i++ {
		samples[i].Poll.Server.SystemIdentifier = "8000"
	}
	r := reader(t, recorded(t, Header{Server: samples[0].Poll.Server}, samples))
	if got := all(t, r); len(got) != 5 {
		t.Errorf("%d samples", len(got))
	}
	if got := lost(r); got != "From 12:00:03 on another server answered (another system identifier)." {
		t.Errorf("said %q", got)
	}
}

// A recording that was taken apart and compressed again is one, whoever did it.
func TestLinesThatAreNoSamplesAreLeftOut(t *testing.T) {
	r := reader(t, recorded(t, Header{}, beats(2)))
	header, _ := r.text(r.frames[0])
	rows, _ := r.text(r.frames[1])
	bad := strings.Join([]string{
		`{"seq":"a"}`, `[]`, `{"seq":3,"ticks":{"reads":[{"at":"2026-11-30T12:00:00Z","states":[0]}]}}`,
		`{"seq":3,"ticks":{"processes":[{"pid":1}],"reads":[{"at":"2026-11-30T12:00:00Z","states":[-7]}]}}`,
		`{"format":"vacscope.recording","format_version":9}`, ``,
	}, "\n")
	r = reader(t, zstandard(t, string(header)+bad+"\n"+string(rows)))
	if got := all(t, r); !reflect.DeepEqual(got, beats(2)) {
		t.Errorf("read %+v", got)
	}
	if got := lost(r); got != "6 lines around 12:00:01 could not be understood." {
		t.Errorf("said %q", got)
	}
}

func FuzzReader(f *testing.F) {
	whole := recorded(f, Header{}, beats(25))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(append(bytes.Clone(whole), whole...))
	f.Add(zstandard(f, `{"format":"vacscope.recording","format_version":1}`+"\n"+`{"seq":1,"ticks":{"processes":[],"states":[],"reads":[{"states":[1]}]}}`+"\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		r, err := NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return
		}
		defer r.Close()
		var tracker model.Tracker
		for s, err := range r.Samples(0) {
			if err != nil {
				t.Fatal(err)
			}
			tracker.Step(s)
		}
		r.Lost(t0.Location())
	})
}

func FuzzLine(f *testing.F) {
	for _, s := range beats(2) {
		text, err := lineOf(sampleLine(s))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		l, err := parseLine(text)
		if err != nil || l.Seq == 0 {
			return
		}
		written := func(s model.Sample) []byte {
			text, err := lineOf(sampleLine(s))
			if err != nil {
				t.Skip(err) // times beyond the year 9999
			}
			return text
		}
		again := written(l.Sample)
		back, err := parseLine(again)
		if err != nil || !bytes.Equal(written(back.Sample), again) || len(back.Sample.Ticks) != len(l.Sample.Ticks) {
			t.Errorf("%v\nread %+v\nread %+v", err, l.Sample, back.Sample)
		}
	})
}
