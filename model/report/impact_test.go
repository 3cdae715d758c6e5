package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// One statement vacuums a table and its TOAST relation, and says what each used.
func TestImpactIsOfTheRunsRelation(t *testing.T) {
	notices := []model.Event{
		{Text: "vacuuming \"app.public.t\""},
		{Text: "finished vacuuming \"app.public.t\": index scans: 1\nbuffer usage: 9713 hits, 960 reads, 5317 dirtied\nWAL usage: 13054 records, 5317 full page images, 28038505 bytes"},
		{Text: "vacuuming \"app.pg_toast.pg_toast_16384\""},
		{Text: "finished vacuuming \"app.pg_toast.pg_toast_16384\": index scans: 0\nbuffer usage: 28 hits, 0 reads, 0 dirtied\nWAL usage: 1 records, 0 full page images, 258 bytes"},
	}
	for name, want := range map[[2]model.Text]model.Bytes{{"public", "t"}: 28038505, {"pg_toast", "pg_toast_16384"}: 258} {
		r := &model.Run{Database: "app", Schema: model.Some(name[0]), Table: model.Some(name[1]), Notices: notices, Phases: []model.Span{{Phase: "scanning heap"}}}
		got := newImpact(r)
		if got.Usage.WALBytes != model.Some(want) || len(got.Verbose) != 2 {
			t.Errorf("%s: %v bytes of WAL and %d messages", name, got.Usage.WALBytes, len(got.Verbose))
		}
	}
	old := &model.Run{Database: "app", Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("t"), Phases: []model.Span{{}}, Notices: []model.Event{
		{Text: `vacuuming "public.t"`}, {Text: `scanned index "t_a" to remove 5 row versions`}, {Text: `vacuuming "pg_toast.pg_toast_16384"`},
	}}
	if got := newImpact(old); len(got.Verbose) != 2 {
		t.Errorf("before 15: %q", got.Verbose)
	}
}

// What the whole cluster did is called so, and said with its times; it is no false zero
// where it is not known.
func TestImpactHasTheClustersIO(t *testing.T) {
	at := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	s := *lastOf(t, "parallel-a-18")
	report := func() string {
		r := Build(&s, Options{})
		return written(t, func(b *bytes.Buffer) error { return WriteDocumentsText(b, r.Documents(), "impact") }) +
			written(t, func(b *bytes.Buffer) error { return WriteReportJSON(b, r) })
	}
	if got := report(); strings.Contains(got, "whole cluster") || !strings.Contains(got, `"cluster_io": null`) {
		t.Errorf("not known:\n%s", got[:300])
	}
	run := *s.Ended[0]
	run.ClusterIO = &model.ClusterIO{From: at, To: at.Add(90 * time.Second), Contexts: []model.IOCount{
		{Context: "normal", Hits: 12345, Writes: 3, WriteBytes: 24576}, {Context: "vacuum", Reads: 1000, ReadBytes: 8192000, Fsyncs: 2},
	}}
	s.Ended = []*model.Run{&run}
	got := report()
	for _, want := range []string{
		"Relation I/O of the whole cluster during the run, 10:00:00 to 10:01:30 (UTC)",
		" normal  | 12,345 |     0 |     0 B |      3 |  24 KiB |      0 B |      0", " vacuum  |      0 | 1,000 | 7.8 MiB |",
		`"from": "2026-12-01T10:00:00.000000Z"`, `"read_bytes": 8192000`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%.1500s", want, got)
		}
	}
}
