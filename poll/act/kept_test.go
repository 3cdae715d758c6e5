package act_test

import (
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/poll/pgtest"
)

// A VACUUM from here says how many dead rows an old snapshot keeps, on every version.
func TestAVacuumSaysHowManyRowsAnOldSnapshotKeeps(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		s.MakeTable(t, pgtest.Table{Name: "act_kept", Rows: 3000, DeadEvery: -1})
		reader := s.Conn(t)
		if _, err := reader.Exec(t.Context(), "begin isolation level repeatable read; select 1 from act_kept limit 1"); err != nil {
			t.Fatal(err)
		}
		s.Exec(t, "delete from act_kept where id <= 1000")
		r := &recorder{}
		gate := act.NewGate(false, r.record)
		p, err := gate.Prepare(t.Context(), config(t, s.ConnString()), model.VacuumPlan{Table: "act_kept", Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if result := p.Run(); result.How != model.EndCompleted {
			t.Fatal(result)
		}
		run := &model.Run{Command: "VACUUM", Database: "postgres", Schema: model.Some[model.Text]("public"), Table: model.Some[model.Text]("act_kept"), Notices: r.of(model.EventNotice)}
		if kept := run.KeptRows(); kept != model.Some[int64](1000) {
			t.Errorf("kept %v, of %+v", kept, run.Notices)
		}
	})
}
