package act_test

import (
	"context"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// The size of a table is known from its first VACUUM or ANALYZE on, not before.
func TestSizeOfAChoiceIsAbsentUntilItWasMeasured(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_measured", Rows: 5000})
		size := func() model.Opt[model.Blocks] {
			tables, err := act.NewGate(true, func(model.Event) {}).Tables(context.Background(), config(t, s.ConnString()), "act_measured")
			if err != nil || len(tables) != 1 {
				t.Fatalf("%+v, %v", tables, err)
			}
			return tables[0].RelPages
		}
		s.Exec(t, "truncate act_measured", "insert into act_measured select from generate_series(1, 5000)")
		if got := size(); got.Known() {
			t.Errorf("before the first ANALYZE it has %v pages", got)
		}
		s.Exec(t, "analyze act_measured")
		if got := size(); got.Or(0) == 0 {
			t.Errorf("after it %v", got)
		}
	})
}

// A table that was never measured stands among the others by its rows, and above those
// that are smaller.
func TestATableNeverMeasuredStandsByItsRows(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		for table, rows := range map[string]int{"act_size_a": 100, "act_size_b": 60_000, "act_size_c": 20_000, "act_size_d": 6_000} {
			s.MakeTable(t, pgtest.Table{Name: table, Rows: rows, DeadEvery: -1, Indexes: -1})
		}
		s.Exec(t, "analyze act_size_a", "analyze act_size_d")
		// A session sends what it has counted at most once a second.
		s.Exec(t, "insert into act_size_b select g, '' from generate_series(1, 60000) g", "insert into act_size_c select g, '' from generate_series(1, 20000) g", "select pg_sleep(1.1)", "select 1")
		want := []model.Text{"act_size_b", "act_size_c", "act_size_d", "act_size_a"}
		var got []model.TableChoice
		pgtest.Eventually(t, "the rows are counted", func() bool {
			var err error
			got, err = act.NewGate(true, func(model.Event) {}).Tables(context.Background(), config(t, s.ConnString()), "act_size_")
			return err != nil || len(got) == 4 && got[0].Rows.Or(0) >= 60_000 && got[1].Rows.Known()
		})
		for i, table := range got {
			if table.Name.Name != want[i] || table.RelPages.Known() == table.Rows.Known() {
				t.Errorf("place %d: %+v, want %s", i+1, table, want[i])
			}
		}
	})
}
