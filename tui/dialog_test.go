package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
	"github.com/muesli/termenv"
)

// dialogCase is a state of a dialog and how one gets there.
type dialogCase struct {
	name string
	snap func() *model.Snapshot
	with func(f *fakeActions)
	keys []string
	then func(a *App, f *fakeActions)
}

func dialogCases() []dialogCase {
	change := model.Change{Scope: model.ScopeServer, Name: "autovacuum_vacuum_cost_limit", Value: model.Some("2000")}
	stood := []model.Done{
		{At: ago(time.Minute), Change: change, Before: model.Stood{Known: true}},
		{At: ago(time.Minute), Before: model.Stood{Known: true, Value: model.Some("5")},
			Change: model.Change{Scope: model.ScopeTable, Name: "autovacuum_vacuum_cost_delay", Value: model.Some("2"), Table: model.RelationName{Schema: "public", Name: "orders"}}},
		{At: ago(time.Minute), Change: model.Change{Scope: model.ScopeRole, Name: "vacuum_cost_delay", Value: model.Some("2"), Role: "dba"}},
	}
	plan := []string{"v", "l", "a", "enter"}
	return []dialogCase{
		{name: "tables", snap: emptySnapshot, keys: []string{"v"}},
		{name: "tables_not_allowed", snap: parallelSnapshot, keys: []string{"v", "l", "down"}},
		{name: "tables_none", snap: emptySnapshot, with: func(f *fakeActions) { f.tables = nil }, keys: []string{"v", "q", "q"}},
		{name: "tables_over_page", snap: pageParallelSnapshot, keys: []string{"enter", "v"}},
		{name: "plan", snap: parallelSnapshot, keys: plan},
		{name: "plan_parallel", snap: parallelSnapshot, keys: append(plan, "+", "+", "+", "+", "+", "down")},
		{name: "plan_held", snap: parallelSnapshot, keys: plan, with: func(f *fakeActions) {
			f.review.Holders = []model.TableHolder{{PID: 4711, Autovacuum: true}, {PID: 4712, Query: "create index concurrently on large_tbl (a)"}}
		}},
		{name: "plan_not_allowed", snap: parallelSnapshot, keys: plan, with: func(f *fakeActions) { f.review.Allowed = false }},
		{name: "plan_full", snap: emptySnapshot, keys: append(plan, "up", "G", "+")},
		{name: "plan_refused", snap: emptySnapshot, keys: []string{"v", "enter"}, then: func(a *App, f *fakeActions) {
			f.err = errors.New("set vacuum_cost_delay to 200ms for this VACUUM: ERROR: 200 ms is outside the valid range for parameter \"vacuum_cost_delay\" (0 ms .. 100 ms) (SQLSTATE 22023)")
			act(a, "down", "2", "0", "0", "m", "s")
		}},
		{name: "plan_sent", snap: parallelSnapshot, keys: append(plan, "enter")},
		{name: "compare", snap: twoRunsSnapshot, keys: []string{"d"}},
		{name: "compare_other", snap: twoRunsSnapshot, keys: []string{"d", "down"}},
		{name: "compare_none", snap: oneRunSnapshot, keys: []string{"d"}},
		{name: "compare_recorded", snap: oneRunSnapshot, then: func(a *App, f *fakeActions) {
			h := keptHistory()
			h.snaps, h.err = append([]*model.Snapshot{nil}, h.snaps...), errors.New("a.jsonl.zst: the recording is damaged in its first line: nothing of it can be read")
			a.options.History = h
			act(a, "d", "down")
		}},
		{name: "cancel_manual", snap: pageParallelSnapshot, keys: []string{"x"}},
		{name: "cancel_autovacuum", snap: autovacuumSnapshot, keys: []string{"x", "j"}},
		{name: "cancel_wraparound", snap: pageAutovacuumSnapshot, keys: []string{"x"}},
		{name: "cancel_ended", snap: parallelSnapshot, keys: []string{"x"}, then: func(a *App, f *fakeActions) { a.Update(SnapshotMsg{endedOf(parallelSnapshot())}) }},
		{name: "cancel_refused", snap: parallelSnapshot, keys: []string{"x", "down"}, then: func(a *App, f *fakeActions) {
			f.err = errors.New("signal pid 452996: ERROR: permission denied to cancel query (SQLSTATE 42501)")
			act(a, "enter")
		}},
		{name: "cancel_asked", snap: parallelSnapshot, keys: []string{"x", "down", "enter"}},
		{name: "cancelled", snap: parallelSnapshot, keys: []string{"x", "down", "enter"}, then: func(a *App, f *fakeActions) { a.Update(SnapshotMsg{endedOf(parallelSnapshot())}) }},
		{name: "restart", snap: parallelSnapshot, keys: []string{"x", "down", "down", "enter"}},
		{name: "restart_whole", snap: wholeSnapshot, with: func(f *fakeActions) {
			f.review.Settings = []model.Setting{{Name: "vacuum_cost_delay", Setting: "1"}, {Name: "vacuum_cost_limit", Setting: "100"}}
		}, keys: []string{"x", "down", "down", "enter"}},
		{name: "restart_waited_for", snap: parallelSnapshot, with: func(f *fakeActions) { f.review.Waiting = 2 }, keys: []string{"x", "down", "down", "enter"}},
		{name: "settings", snap: autovacuumSnapshot, keys: []string{"s"}},
		{name: "settings_staged", snap: autovacuumSnapshot, keys: []string{"s", "j", "j", "2", "0", "0", "0"}},
		{name: "settings_not_here", snap: autovacuumSnapshot, keys: []string{"s", "tab"}},
		{name: "settings_table", snap: autovacuumSnapshot, keys: []string{"s", "j", "tab", "tab", "tab", "+"}},
		{name: "settings_next", snap: emptySnapshot, keys: []string{"s", "G", "/", "c", "o", "s", "t", "_", "l", "enter", "j", "j", "tab", "tab", "tab", "tab", "tab", "+"}},
		{name: "settings_no_table", snap: emptySnapshot, keys: []string{"s", "j", "tab", "tab", "tab", "+"}},
		{name: "settings_which_table", snap: emptySnapshot, keys: []string{"s", "j", "+", "t", "l", "down"}},
		{name: "settings_chosen_table", snap: autovacuumSnapshot, keys: []string{"s", "j", "+", "t", "l", "down", "enter"}},
		{name: "settings_partitioned", snap: emptySnapshot, keys: []string{"s", "j", "t", "down", "down", "down", "enter"}},
		{name: "settings_no_alter_system", snap: emptySnapshot, keys: []string{"s", "j", "+"}, with: func(f *fakeActions) {
			f.settings[1].NoAlterSystem = "it takes a superuser, or from 15 on GRANT ALTER SYSTEM ON PARAMETER autovacuum_vacuum_cost_delay"
		}},
		{name: "settings_refused", snap: autovacuumSnapshot, keys: []string{"s", "j", "j", "tab", "tab", "tab", "+"}, then: func(a *App, f *fakeActions) {
			f.err = errHeld
			act(a, "enter")
		}},
		{name: "settings_done", snap: autovacuumSnapshot, with: func(f *fakeActions) {
			f.done = model.Done{Change: change, Before: model.Stood{Known: true}, InForce: model.Some(model.Setting{Name: change.Name, Setting: "2000", Source: "command line"}),
				Wins: "the server was started with autovacuum_vacuum_cost_limit on its command line, which goes before"}
		}, keys: []string{"s", "j", "j", "+", "enter"}},
		{name: "whatif", snap: wholeSnapshot, keys: []string{"w", "j", "l"}},
		{name: "whatif_restart", snap: wholeSnapshot, keys: []string{"w", "j", "l", "enter"}},
		{name: "whatif_autovacuum", snap: wholeAutovacuumSnapshot, keys: []string{"w", "k", "l"}},
		{name: "whatif_change", snap: wholeAutovacuumSnapshot, keys: []string{"w", "k", "l", "enter"}},
		{name: "whatif_none", snap: parallelSnapshot, keys: []string{"w"}},
		{name: "explain_whatif", snap: wholeSnapshot, keys: []string{"w", "i", "j", "j", "j"}},
		{name: "explain_settings", snap: autovacuumSnapshot, keys: []string{"s", "j", "i"}},
		{name: "cancel_whole", snap: wholeSnapshot, keys: []string{"x", "j", "j"}},
		{name: "end", snap: endSnapshot, keys: []string{"H", "j"}},
		{name: "end_prepared", snap: endSnapshot, keys: []string{"H", "j", "j", "enter"}},
		{name: "end_standby", snap: endSnapshot, keys: []string{"H", "G"}},
		{name: "end_refused", snap: endSnapshot, with: func(f *fakeActions) {
			f.err = errors.New("end pid 460100: ERROR: permission denied to terminate process (SQLSTATE 42501)")
		}, keys: []string{"H", "j", "enter", "enter"}},
		{name: "end_done", snap: endSnapshot, keys: []string{"H", "j", "enter", "enter"}},
		{name: "end_read_only", snap: endSnapshot, with: func(f *fakeActions) { f.readOnly = true }, keys: []string{"H", "j"}},
		{name: "end_nobody", snap: func() *model.Snapshot { s := idleSnapshot(); s.Horizon = &model.Horizon{ReadAt: s.At}; return s }, keys: []string{"H"}},
		{name: "queue_vacuum", snap: queueSnapshot, keys: []string{"N", "j", "v"}},
		{name: "undo", snap: emptySnapshot, with: func(f *fakeActions) { f.stands = stood }, keys: []string{"u", "up", "up"}},
		{name: "undo_unknown", snap: emptySnapshot, with: func(f *fakeActions) { f.stands = stood }, keys: []string{"u"}},
		{name: "undo_none", snap: emptySnapshot, keys: []string{"u"}},
		{name: "quit", snap: parallelSnapshot, with: func(f *fakeActions) {
			f.stands = stood
			f.running = []model.Sent{{PID: 452996, Table: model.RelationName{Schema: "public", Name: "large_tbl"}, Verbose: true}}
		}, keys: []string{"q"}},
		{name: "log", snap: commandedSnapshot, keys: []string{"L", "j"}},
		{name: "log_changed", snap: changedSnapshot, keys: []string{"L", "j"}},
		{name: "delay_changed", snap: changedSnapshot, keys: []string{"tab", "tab"}},
		{name: "log_none", snap: emptySnapshot, keys: []string{"L"}},
		{name: "read_only", snap: parallelSnapshot, with: func(f *fakeActions) { f.readOnly = true }, keys: []string{"v"}},
	}
}

// autovacuumSnapshot is an ordinary autovacuum, without cost options of its table.
func autovacuumSnapshot() *model.Snapshot {
	s := pageAutovacuumSnapshot()
	s.Active[0].StartedBy = model.Some(model.ByAutovacuum)
	s.Active[0].Relation.RelOptions = nil
	s.Active[0].Progress = &model.Progress{View: model.ViewVacuum, HeapBlksTotal: model.Some[model.Blocks](222_222), IndexVacuumCount: model.Some[int64](2)}
	return s
}

// endedOf is a snapshot in which the first run was cancelled a second later.
func endedOf(s *model.Snapshot) *model.Snapshot {
	run := *s.Active[0]
	run.State, run.End = model.StateEnded, &model.End{At: fixtureNow, How: model.EndNotCompleted}
	s.Active, s.Ended = s.Active[1:], append([]*model.Run{&run}, s.Ended...)
	return s
}

// commandedSnapshot has sent some statements.
func commandedSnapshot() *model.Snapshot {
	s := emptySnapshot()
	for i, sql := range []model.Text{`VACUUM (VERBOSE, PARALLEL 4) "public"."large_tbl"`, "SELECT pg_catalog.pg_reload_conf()", "ALTER SYSTEM SET autovacuum_vacuum_cost_limit = '2000'", "SET lock_timeout = '500ms'"} {
		result := model.Result{How: model.EndCompleted}
		if i == 1 {
			result = model.Result{How: model.EndFailed, SQLState: "42501", Message: "permission denied for function pg_reload_conf"}
		}
		s.Commands = append(s.Commands, model.Event{At: ago(time.Duration(i) * time.Minute), Kind: model.EventCommand, PID: 777, Text: sql, Result: &result})
	}
	return s
}

// changedSnapshot is an autovacuum of which somebody has made the limit larger.
func changedSnapshot() *model.Snapshot {
	s := autovacuumSnapshot()
	s.Commands = commandedSnapshot().Commands[2:]
	c := model.SettingChange{
		At:  ago(40 * time.Second),
		Old: model.Setting{Name: "autovacuum_vacuum_cost_limit", Setting: "-1"}, New: model.Setting{Name: "autovacuum_vacuum_cost_limit", Setting: "2000"},
	}
	s.SettingChanges = []model.SettingChange{c}
	run := s.Active[0]
	run.Began, run.FirstSeen, run.LastSeen, run.ProcessTime = ago(2*time.Minute), ago(2*time.Minute), fixtureNow, 2*time.Minute
	run.Phases[0].From, run.Phases[0].To, run.Phases[0].Wall = run.Began, fixtureNow, 2*time.Minute
	for i := range 12 {
		spent := time.Duration(i) * 10 * time.Second
		run.History = append(run.History, model.DelayPoint{Since: spent, ProcessTime: spent, Sampled: model.Some(spent * 9 / 10)})
	}
	run.Changes = []model.RunChange{{
		SettingChange: c, Follow: model.Follows(model.Change{Scope: model.ScopeServer, Name: c.New.Name}, run, 180004),
		Around: model.Around{Before: model.Some[model.PerSecond](443), After: model.Some[model.PerSecond](4391), Unit: model.UnitBlocks},
	}}
	return s
}

func (c dialogCase) screen(w, h int) (*App, *fakeActions) {
	f := serverOfActions()
	if c.with != nil {
		c.with(f)
	}
	a := acted(newApp(termenv.Ascii, false), f, w, h, c.snap())
	act(a, c.keys...)
	if c.then != nil {
		c.then(a, f)
	}
	return a, f
}

func TestDialogFrames(t *testing.T) {
	for _, c := range dialogCases() {
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
			t.Run(fmt.Sprintf("%s_%dx%d", c.name, size[0], size[1]), func(t *testing.T) {
				a, _ := c.screen(size[0], size[1])
				checkFrame(t, a.View(), size[0], size[1])
				golden.RequireEqual(t, a.View())
			})
		}
	}
}

// On every size a dialog is drawn within the screen, and the selected row is in sight.
func TestDialogsFitEverySize(t *testing.T) {
	for _, c := range dialogCases() {
		for _, size := range [][2]int{{1, 1}, {20, 5}, {30, 6}, {60, 15}, {80, 24}, {81, 25}, {300, 100}} {
			a, _ := c.screen(size[0], size[1])
			checkFrame(t, a.View(), size[0], size[1])
			act(a, "pgdown", "pgdown", "G", "up")
			checkFrame(t, a.View(), size[0], size[1])
		}
	}
}

func TestOpeningADialogWaitsForNothing(t *testing.T) {
	for _, key := range []string{"v", "x", "s", "u", "L"} {
		f := serverOfActions()
		a := acted(newApp(termenv.Ascii, false), f, 120, 40, parallelSnapshot())
		typing(a, key)
		if a.dialog == nil || len(f.asked) > 0 {
			t.Errorf("%s: dialog %v, and Update has asked the server for %v", key, a.dialog, f.asked)
		}
		if view := a.View(); !strings.Contains(view, a.dialog.title()) {
			t.Errorf("%s: the dialog is not drawn before the server answers:\n%s", key, view)
		}
		a.Update(SnapshotMsg{manySnapshot()})
		if a.snap.Seq != manySnapshot().Seq {
			t.Errorf("%s: the screen behind does not go on", key)
		}
	}
}

func TestRestartKeepsTheStatementsOptions(t *testing.T) {
	s := parallelSnapshot()
	s.Active[0].Statement = model.Some[model.Text]("VACUUM (PARALLEL 8, FREEZE, INDEX_CLEANUP off, truncate false) large_tbl")
	f := serverOfActions()
	a := acted(newApp(termenv.Ascii, false), f, 120, 60, s)
	act(a, "x", "j", "j", "enter")
	plan := a.dialog.(*planDialog).plan
	if plan.Parallel.Or(0) != 8 || !plan.Freeze || plan.IndexCleanup != "off" || plan.Truncate != model.Some(false) {
		t.Errorf("the new VACUUM has %+v", plan)
	}
	act(a, "down", "down", "2", "0", "0", "0", "enter")
	if got := f.asked[len(f.asked)-1]; got != "restart of 452996: large_tbl limit 2000" {
		t.Errorf("enter asked for %q", got)
	}
}

// Letters are text in a field, and keys elsewhere.
func TestLettersInDialogs(t *testing.T) {
	f := serverOfActions()
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, parallelSnapshot())
	act(a, "v", "j", "k", "y", "q")
	if got := a.dialog.(*tableDialog).input.Value(); got != "jkyq" {
		t.Errorf("the name typed is %q", got)
	}
	act(a, "enter", "l", "l", "h")
	d := a.dialog.(*planDialog)
	if d.plan.Parallel != model.Some(0) {
		t.Errorf("l, l, h on PARALLEL give %v", d.plan.Parallel)
	}
	act(a, "j", "2", "m", "s", "up")
	if d.plan.CostDelay != "2ms" || d.list.cursor != 0 {
		t.Errorf("2ms typed is %q, the cursor stands on %d", d.plan.CostDelay, d.list.cursor)
	}
	act(a, "+++")
	if d.plan.Parallel != model.Some(3) {
		t.Errorf("+ held down gives %v", d.plan.Parallel)
	}
	act(a, "esc", "s", "j", "+", "j")
	if got := a.dialog.(*settingsDialog).list.cursor; got != 2 {
		t.Errorf("j after + moves to %d", got)
	}
}

func TestNextVacuumBeginsWithTheSettingsKeptForIt(t *testing.T) {
	f := serverOfActions()
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, emptySnapshot())
	act(a, "s", "/")
	for _, r := range "vacuum_cost_limit" {
		act(a, string(r))
	}
	act(a, "enter", "j", "tab", "tab", "tab", "tab", "tab", "+", "enter", "esc", "v", "enter", "enter")
	if got := f.asked[len(f.asked)-1]; !strings.HasSuffix(got, "limit 500") {
		t.Errorf("v and enter asked for %q", got)
	}
}

// A table chosen by typing is that of the scopes of a table, whatever is staged; esc
// goes back to the settings.
func TestTableOfSettingsIsChosenByTyping(t *testing.T) {
	f := serverOfActions()
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, emptySnapshot())
	act(a, "s", "j", "+", "t", "l", "esc")
	d, back := a.dialog.(*settingsDialog)
	if !back || d.staged.Or("") != "5ms" {
		t.Fatalf("esc goes back to %T, with %v staged", a.dialog, d.staged)
	}
	act(a, "t", "0", "5", "enter", "enter")
	if got := f.asked[len(f.asked)-2]; got != "change table public.large_tbl_00 autovacuum_vacuum_cost_delay = 5ms" {
		t.Errorf("enter asked for %q", got)
	}
	act(a, "tab", "+", "enter")
	if got := f.asked[len(f.asked)-2]; !strings.HasPrefix(got, "change TOAST of public.large_tbl_00 ") {
		t.Errorf("tab goes to %q", got)
	}
	act(a, "esc")
	if a.dialog != nil {
		t.Error("esc in the settings does not close them")
	}
}

func TestToastIsWhatWasSeenAndNotWhatWasAsked(t *testing.T) {
	f := serverOfActions()
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, parallelSnapshot())
	act(a, "x", "j", "enter")
	if a.dialog == nil || a.toast.text != "" {
		t.Errorf("before the run is gone, the dialog is %v and %q is said", a.dialog, a.toast.text)
	}
	a.Update(SnapshotMsg{endedOf(parallelSnapshot())})
	if a.dialog != nil || !strings.Contains(a.toast.text, "not completed") {
		t.Errorf("after it, the dialog is %v and %q is said", a.dialog, a.toast.text)
	}
	act(a, "v", "enter", "enter")
	s := parallelSnapshot()
	s.Active[0].Key.PID, s.Active[0].Own = 777, &model.Own{}
	a.Update(SnapshotMsg{s})
	if a.dialog != nil || !strings.Contains(a.toast.text, "pid 777 vacuums public.large_tbl") {
		t.Errorf("after a start, the dialog is %v and %q is said", a.dialog, a.toast.text)
	}
}

// What was begun from here is selected, also where another run had been chosen.
func TestVacuumThatWasBegunFromHereIsSelected(t *testing.T) {
	a := acted(newApp(termenv.Ascii, false), serverOfActions(), 120, 40, manySnapshot())
	act(a, "j", "v", "enter", "enter")
	s := manySnapshot()
	last := s.Active[len(s.Active)-1]
	last.Key.PID, last.Own = 777, &model.Own{}
	a.Update(SnapshotMsg{s})
	if a.dialog != nil || a.run == nil || a.run.Key.PID != 777 {
		t.Errorf("the dialog is %v, and selected is %+v", a.dialog, a.run)
	}
}

func TestQuittingAsksOnceAboutWhatStaysBehind(t *testing.T) {
	f := serverOfActions()
	f.stands = []model.Done{{Change: model.Change{Scope: model.ScopeServer, Name: "vacuum_cost_limit"}, Before: model.Stood{Known: true}}}
	for _, key := range []string{"q", "ctrl+c"} {
		a := acted(newApp(termenv.Ascii, false), f, 120, 40, emptySnapshot())
		if isQuit(typing(a, key)) {
			t.Errorf("%s leaves a change behind without a word", key)
		}
		act(a, "n")
		if a.dialog != nil {
			t.Error("n does not stay")
		}
		typing(a, key)
		if !isQuit(typing(a, key)) {
			t.Errorf("%s twice does not leave", key)
		}
	}
	a := acted(newApp(termenv.Ascii, false), f, 120, 40, emptySnapshot())
	typing(a, "q")
	answer(a, typing(a, "enter"))
	if len(f.stands) != 0 {
		t.Error("enter puts nothing back")
	}
}
