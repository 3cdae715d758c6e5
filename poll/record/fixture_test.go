package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// t0 is the server's clock at the first sample of these tests.
var t0 = time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC)

// file is a recording in memory.
type file struct{ bytes.Buffer }

func (*file) Close() error { return nil }

// recorded writes samples and returns the file.
func recorded(t testing.TB, h Header, samples []model.Sample) []byte {
	t.Helper()
	var f file
	w, err := NewWriter(&f, h)
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
	return f.Bytes()
}

// reader reads a file that can be opened.
func reader(t testing.TB, content []byte) *Reader {
	t.Helper()
	r, err := NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// all are the samples of a recording.
func all(t testing.TB, r *Reader) []model.Sample {
	t.Helper()
	var out []model.Sample
	for s, err := range r.Samples(0) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// lost is what a recording says of itself, on one line.
func lost(r *Reader) string { return strings.Join(r.Lost(time.UTC), " ") }

// beats are samples of a vacuum, one a second, with ticks of a leader and a worker.
func beats(n int) []model.Sample {
	samples := make([]model.Sample, n)
	for i := range samples {
		at := t0.Add(time.Duration(i) * time.Second)
		progress := model.Progress{View: model.ViewVacuum, RelID: 16384, Phase: model.Some[model.Text]("scanning heap"), HeapBlksScanned: model.Some(model.Blocks(i))}
		samples[i] = model.Sample{Seq: uint64(i + 1), At: at, Poll: &model.Poll{
			Server:    model.Server{VersionNum: 180004, SystemIdentifier: "7412", Database: "app"},
			Processes: []model.Process{{PID: 100, State: model.Some[model.Text]("active"), Progress: &progress}},
		}}
		for j := range 3 {
			waits := model.Some(model.Wait{Type: "Timeout", Event: "VacuumDelay"})
			if (i+j)%2 == 0 {
				waits = model.None[model.Wait]()
			}
			tick := model.Tick{At: at.Add(time.Duration(j*50-150) * time.Millisecond), Gap: 50 * time.Millisecond}
			tick.Rows = []model.TickRow{
				{PID: 100, Active: true, RelID: 16384, Phase: "scanning heap", Wait: waits, DelayTime: model.Some(float64(i) + float64(j)/7)},
				{PID: 101, Active: true, LeaderPID: model.Some[int32](100), Wait: waits},
			}
			samples[i].Ticks = append(samples[i].Ticks, tick)
		}
	}
	return samples
}

// filler gives every field of a value a content of its own.
type filler struct{ n int }

func (f *filler) fill(t testing.TB, v reflect.Value) {
	f.n++
	switch v := v.Addr().Interface().(type) {
	case *time.Time:
		*v = t0.Add(time.Duration(f.n) * time.Second)
		return
	case *json.RawMessage:
		*v = json.RawMessage(fmt.Sprintf(`"<%d>"`, f.n))
		return
	case *model.Text:
		*v = model.Text(fmt.Sprintf("text %d \xE9\x00\U0010FEE9", f.n))
		return
	}
	if opt, is := v.Addr().Interface().(json.Unmarshaler); is { // an Opt: its first field is the value
		inner := reflect.New(v.Type().Field(0).Type)
		f.fill(t, inner.Elem())
		text, err := json.Marshal(inner.Interface())
		if err == nil {
			err = opt.UnmarshalJSON(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(t, v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(t, v.Index(0))
		f.fill(t, v.Index(1))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		f.fill(t, value)
		v.SetMapIndex(reflect.ValueOf("key"), value)
	case reflect.String:
		v.SetString(fmt.Sprintf("string %d", f.n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(f.n) / 7)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(f.n))
	case reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(f.n))
	default:
		t.Fatalf("a %s", v.Type())
	}
}
