package report

import (
	"testing"

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
