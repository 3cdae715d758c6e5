package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// withCached is a stream of which shared buffers were read at the start and at the end.
func withCached(t *testing.T) *model.Snapshot {
	t.Helper()
	s := *lastOf(t, "parallel-a-18")
	r := s.Ended[0]
	reading := func(at time.Time, table, index model.Blocks) model.CachedRead {
		return model.CachedRead{At: at, Relations: []model.CachedRelation{
			{DatID: r.Key.DatID, RelID: r.Key.RelID, Buffers: table, Dirty: table / 2}, {DatID: r.Key.DatID, RelID: r.Indexes[0].RelID, Buffers: index},
		}}
	}
	s.Cached = []model.CachedRead{reading(time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC), 256, 128), reading(time.Date(2026, 12, 1, 10, 5, 0, 0, time.UTC), 1024, 0)}
	return &s
}

func contextOf(t *testing.T, s *model.Snapshot, redacted bool) string {
	t.Helper()
	r := Build(s, Options{})
	if redacted {
		r.Redact()
	}
	return written(t, func(b *bytes.Buffer) error { return WriteDocumentsText(b, r.Documents(), "context") })
}

func TestContextHasWhatWasCached(t *testing.T) {
	s := withCached(t)
	got := contextOf(t, s, false)
	requirePlain(t, got)
	index := s.Ended[0].Indexes[0].Name.Display()
	for _, want := range []string{"| at 10:00:00 |  dirty  | at 10:05:00 |  dirty", "|     2.0 MiB | 1.0 MiB |     8.0 MiB | 4.0 MiB", index} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	for line := range strings.Lines(got) {
		if strings.Contains(line, "1.0 MiB |     0 B |") && !strings.Contains(line, index) {
			t.Errorf("the index's row is %q", line)
		}
	}
	if got := contextOf(t, s, true); strings.Contains(got, index) {
		t.Errorf("redacted it names %s:\n%s", index, got)
	}
	json := written(t, func(b *bytes.Buffer) error { return WriteReportJSON(b, Build(s, Options{})) })
	for _, want := range []string{`"bytes_at_start": 2097152`, `"dirty_bytes_at_end": 4194304`, `"2026-12-01T10:05:00.000000Z"`} {
		if !strings.Contains(json, want) {
			t.Errorf("no %s in the JSON document", want)
		}
	}
}

func TestContextSaysWhyNothingCachedIsKnown(t *testing.T) {
	s := withCached(t)
	s.Cached = s.Cached[:1]
	if got := contextOf(t, s, false); strings.Contains(got, "at 10:05:00") || !strings.Contains(got, "at 10:00:00") {
		t.Errorf("of one reading:\n%s", got)
	}
	for i := range s.Cached[0].Relations {
		s.Cached[0].Relations[i].DatID++
	}
	for want, cached := range map[string][]model.CachedRead{"--buffercache": nil, "its database is another one": s.Cached} {
		s.Cached = cached
		if got := contextOf(t, s, false); !strings.Contains(got, want) || strings.Contains(got, "In shared buffers") {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
