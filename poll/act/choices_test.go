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
