package report

import (
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

var summaryZone = time.FixedZone("", 3600)

func TestSummary(t *testing.T) {
	s := fullSnapshot()
	s.LockWaits[0].Blockers = nil
	run := s.Active[0]
	run.Left = model.Left{Range: model.Some(model.Range{Low: 451 * time.Second, High: 520 * time.Second})}
	run.Phases[1].Moved = model.Moved{Unit: model.UnitIndexes, To: 9, Total: 21}
	s.Server.ConfLoadedAt = after(time.Minute)
	golden.RequireEqual(t, Summary(s, run, summaryZone))
}

// Every state of a run has a summary that says it, of at least its title and time.
func TestSummaryOfEveryState(t *testing.T) {
	ended := *parallelRun()
	ended.State, ended.End = model.StateEnded, &model.End{How: model.EndNotCompleted}
	gaveUp := *waitingRun()
	gaveUp.State, gaveUp.End, gaveUp.WaitedForLock = model.StateEnded, &model.End{How: model.EndNotCompleted}, model.Some(3*time.Second)
	unknown := *parallelRun()
	unknown.Left.WhyNot = "before 17 the server does not count the indexes"
	for want, run := range map[string]*model.Run{
		"waits for its lock on the table, behind a prepared transaction, 4711": waitingRun(),
		"GRANT pg_monitor TO dba":                             hiddenRun(),
		"not completed, last seen vacuuming indexes":          &ended,
		"not completed, last seen waiting for its table lock": &gaveUp,
		"lost": {State: model.StateEnded, End: &model.End{How: model.EndLost}},
		"not known (before 17 the server does not count the indexes)": &unknown,
		"as of": {State: model.StateRunning},
	} {
		if got := Summary(fullSnapshot(), run, summaryZone); !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestSummaryHoldsNoControls(t *testing.T) {
	s := fullSnapshot()
	name := model.Text("\x1b]52;c;evil\a\n\u202e\x7f\u009b" + strings.Repeat("x", 1000))
	run := s.Active[0]
	run.Schema, run.Table, run.Database, run.Role, run.Command = model.Some(name), model.Some(name), name, model.Some(name), string(name)
	run.Phases[1].Phase, run.Left.WhyNot = name, string(name)
	s.Server.Version, s.Server.Address, s.LockWaits[0].Mode = name, string(name), model.Some(name)
	got := Summary(s, run, summaryZone)
	for line := range strings.Lines(got) {
		if line = strings.TrimSuffix(line, "\n"); model.Text(line).Display() != line || len(line) > maxSummaryLine {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
}
