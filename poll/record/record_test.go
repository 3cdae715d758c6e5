package record

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"example.com/vacscope/model"
)

func TestEveryFieldOfASampleIsKept(t *testing.T) {
	var s model.Sample
	var h Header
	f := &filler{}
	f.fill(t, reflect.ValueOf(&s).Elem())
	f.fill(t, reflect.ValueOf(&h).Elem())
	s.Poll.Server.SystemIdentifier = h.Server.SystemIdentifier
	r := reader(t, recorded(t, h, []model.Sample{s}))
	if got := all(t, r); len(got) != 1 || !reflect.DeepEqual(got[0], s) {
		t.Errorf("read\n%+v\nwant\n%+v", got, s)
	}
	h.Format, h.FormatVersion = Format, FormatVersion
	if !reflect.DeepEqual(r.Header(), h) {
		t.Errorf("header\n%+v\nwant\n%+v", r.Header(), h)
	}
	if got := lost(r); got != "" {
		t.Errorf("lost: %s", got)
	}
}

// What was read and found empty is not what was not read.
func TestEmptyIsNotAbsent(t *testing.T) {
	samples := []model.Sample{
		{Seq: 1, At: t0},
		{Seq: 2, At: t0, Poll: &model.Poll{}, Ticks: []model.Tick{{At: t0}, {At: t0, Rows: []model.TickRow{}}}},
		{Seq: 3, At: t0, Poll: &model.Poll{
			Processes: []model.Process{{BlockedBy: []int32{}}}, Locks: []model.Lock{}, Holders: []model.Holder{}, Queue: &model.QueueRead{Tables: []model.QueueTable{}, Holders: []model.Holder{}}, Horizon: &model.HorizonRead{Slots: []model.XminHolder{}},
			Settings: []model.Setting{}, Relations: []model.Relation{}, LastVacuums: []model.LastVacuum{}, NextXID: model.Some[uint64](0),
		}},
	}
	if got := all(t, reader(t, recorded(t, Header{}, samples))); !reflect.DeepEqual(got, samples) {
		t.Errorf("read\n%+v\nwant\n%+v", got, samples)
	}
}

func TestTicksKeepTheirOrderAndGaps(t *testing.T) {
	row := func(pid int32, phase model.Text) model.TickRow { return model.TickRow{PID: pid, Phase: phase} }
	delayed := func(pid int32, ms float64) model.TickRow {
		return model.TickRow{PID: pid, DelayTime: model.Some(ms)}
	}
	at := func(ms int) time.Time { return t0.Add(time.Duration(ms) * time.Millisecond) }
	ticks := []model.Tick{
		{At: at(0), Gap: time.Millisecond, Rows: []model.TickRow{row(1, "a"), row(2, "b")}},
		{At: at(50), Gap: 50 * time.Millisecond, Rows: []model.TickRow{row(2, "b")}},
		{At: at(100), Gap: time.Nanosecond, Rows: []model.TickRow{row(1, "a"), row(3, "a"), row(2, "a")}}, // between two known ones
		{At: at(150), Gap: 50 * time.Millisecond, Rows: []model.TickRow{row(2, "a"), row(1, "a")}},        // the other way round
		{At: at(200), Gap: 50 * time.Millisecond, Rows: []model.TickRow{row(1, "a"), row(1, "a"), delayed(1, 0)}},
		{At: at(250), Gap: 50 * time.Millisecond, Rows: []model.TickRow{delayed(1, 0.1), row(2, "b"), delayed(3, 1e300)}},
		{At: at(240), Gap: -10 * time.Millisecond},
	}
	got, err := pack(ticks).unpack()
	if err != nil || !reflect.DeepEqual(got, ticks) {
		t.Errorf("unpacked %v\n%+v\nwant\n%+v", err, got, ticks)
	}
	many := beats(1)[0].Ticks
	if p := pack(many); len(p.Processes) != 2 || len(p.States) != 4 {
		t.Errorf("%d processes and %d states are written for ticks of 2 with 2 each", len(p.Processes), len(p.States))
	}
}

func TestAFrameCanBeReadAlone(t *testing.T) {
	samples := beats(60)
	r := reader(t, recorded(t, Header{}, samples))
	if r.Frames() != 7 { // the header's, and one for every 10 s
		t.Fatalf("%d frames", r.Frames())
	}
	got, err := r.Frame(3)
	if err != nil || !reflect.DeepEqual(got, samples[20:30]) {
		t.Errorf("the third frame: %v, %d samples", err, len(got))
	}
	if got := all(t, r); !reflect.DeepEqual(got, samples) {
		t.Error("all of them are others than those written")
	}
	for s := range r.Samples(6) {
		if s.Seq != 51 {
			t.Errorf("from the sixth frame on: %d", s.Seq)
		}
		break
	}
}

func TestATextIsFoundInARecording(t *testing.T) {
	samples := beats(60)
	samples[40].Poll.Server.Database = "the other one"
	content := recorded(t, Header{}, samples)
	for text, want := range map[string]bool{`"relid":16384,"phase":"scanning heap"`: true, `"the other one"`: true, `"relid":1638,`: false} {
		if got, err := reader(t, content).Contains(text); got != want || err != nil {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	content[reader(t, content).frames[5].offset+20] ^= 1 // the one that has it
	if got, err := reader(t, content).Contains(`"the other one"`); got || err != nil {
		t.Errorf("in a damaged frame: %v, %v", got, err)
	}
}

func TestCreateKeepsWhatIsThere(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a"+Suffix)
	if err := os.WriteFile(path, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, Header{}, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created over a file: %v", err)
	}
	if content, _ := os.ReadFile(path); string(content) != "mine" {
		t.Errorf("the file holds %q", content)
	}
	w, err := Create(path, Header{}, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != w.Size() {
		t.Errorf("the file: %v, mode %v, %d bytes, and %d were counted", err, info.Mode(), info.Size(), w.Size())
	}
	if err := w.Write(beats(1)[0]); err == nil {
		t.Error("written after the end")
	}
	if _, err := Create(filepath.Dir(path), Header{}, true); err == nil {
		t.Error("a folder was replaced")
	}
	if _, err := Create(filepath.Join(path, "b"), Header{}, false); err == nil {
		t.Error("a file was made within a file")
	}
}

// full is a disk that takes so many bytes.
type full struct {
	file
	room int
}

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	n, _ := f.file.Write(p[:min(len(p), f.room)])
	if f.room -= n; n < len(p) {
		return n, errFull
	}
	return n, nil
}

func TestAFullDiskEndsTheRecordingWithWhatFitted(t *testing.T) {
	samples := beats(60)
	whole := recorded(t, Header{}, samples)
	for room := 0; room < len(whole); room += 97 {
		f := &full{room: room}
		w, err := NewWriter(f, Header{})
		written := 0
		for ; err == nil && written < len(samples); written++ {
			err = w.Write(samples[written])
		}
		if w != nil && err == nil {
			err = w.Close()
		}
		if !errors.Is(err, errFull) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if w == nil {
			continue
		}
		if again := w.Write(samples[0]); !errors.Is(again, errFull) {
			t.Fatalf("room for %d bytes: the next write says %v", room, again)
		}
		got := all(t, reader(t, f.Bytes()))
		if len(got) < written-2 || len(got) > 0 && !reflect.DeepEqual(got, samples[:len(got)]) {
			t.Fatalf("room for %d bytes: %d samples were written, %d read", room, written, len(got))
		}
	}
}

func TestLinesAreJSON(t *testing.T) {
	r := reader(t, recorded(t, Header{Vacscope: "1.2"}, beats(1)))
	text, err := r.text(r.frames[0])
	if err != nil || !bytes.HasPrefix(text, []byte(`{"format":"vacscope.recording","format_version":1,`)) || bytes.Count(text, newline) != 1 {
		t.Errorf("the first line is %s (%v)", text, err)
	}
	text, _ = r.text(r.frames[1])
	if !bytes.HasPrefix(text, []byte(`{"seq":1,"at":"2026-11-30T12:00:00.123456Z","poll":{`)) || !bytes.HasSuffix(text, []byte("{\"end\":1}\n")) {
		t.Errorf("the next lines are %s", text)
	}
}
