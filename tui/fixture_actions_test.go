package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// fakeActions is a server that answers at once, with what a test gives it.
type fakeActions struct {
	readOnly bool
	tables   []model.TableChoice
	review   model.VacuumReview
	settings []model.SettingInfo
	stands   []model.Done
	running  []model.Sent
	done     model.Done
	err      error    // of what is asked next
	asked    []string // what was asked, in words
}

func (f *fakeActions) note(format string, args ...any) error {
	f.asked = append(f.asked, fmt.Sprintf(format, args...))
	return f.err
}

func (f *fakeActions) ReadOnly() bool { return f.readOnly }

func (f *fakeActions) Tables(_ context.Context, typed string) ([]model.TableChoice, error) {
	return f.tables, f.note("tables %q", typed)
}

func (f *fakeActions) Review(_ context.Context, plan model.VacuumPlan) (model.VacuumReview, error) {
	return f.review, f.note("review of %s", plan.Table)
}

func (f *fakeActions) Vacuum(_ context.Context, plan model.VacuumPlan) (int32, error) {
	return 777, f.note("vacuum %s parallel %v limit %s", plan.Table, plan.Parallel.Or(-1), plan.CostLimit)
}

func (f *fakeActions) Restart(_ context.Context, run model.RunKey, plan model.VacuumPlan) (int32, error) {
	return 777, f.note("restart of %d: %s limit %s", run.PID, plan.Table, plan.CostLimit)
}

func (f *fakeActions) Cancel(_ context.Context, run model.RunKey, terminate bool) error {
	return f.note("cancel %d %v", run.PID, terminate)
}

func (f *fakeActions) EndStatement(h model.XminHolder) (string, error) { return h.EndedBy(), nil }

func (f *fakeActions) End(_ context.Context, h model.XminHolder) error {
	return f.note("end %s", h.Name())
}

func (f *fakeActions) Settings(context.Context) ([]model.SettingInfo, error) {
	return f.settings, f.note("settings")
}

func (f *fakeActions) Statements(c model.Change) ([]string, error) {
	return []string{fmt.Sprintf("ALTER %s SET %s = '%s'", c.Place(), c.Name, c.Value.Or("(reset)"))}, nil
}

func (f *fakeActions) Change(_ context.Context, c model.Change) (model.Done, error) {
	return f.done, f.note("change %s %s = %s", c.Place(), c.Name, c.Value.Or("(reset)"))
}

func (f *fakeActions) Running() []model.Sent { return f.running }

func (f *fakeActions) Stands() []model.Done { return f.stands }

func (f *fakeActions) PutBack(_ context.Context, d model.Done) (model.Done, error) {
	f.stands = nil
	return model.Done{Change: d.Change}, f.note("put back %s", d.Change.Name)
}

// acted is a screen of a size with a server behind it.
func acted(a *App, f *fakeActions, w, h int, s *model.Snapshot) *App {
	a.options.Actions = f
	resize(a, w, h)
	a.Update(SnapshotMsg{s})
	return a
}

// answer does what commands ask for, and what comes of that, until nothing does.
func answer(a *App, cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, tea.QuitMsg:
	case tea.BatchMsg:
		for _, c := range msg {
			answer(a, c)
		}
	default:
		_, next := a.Update(msg)
		answer(a, next)
	}
}

// act types keys and lets the server answer each.
func act(a *App, keys ...string) {
	for _, k := range keys {
		answer(a, typing(a, k))
	}
}

// typing gives one key, and returns the command without doing it.
func typing(a *App, key string) tea.Cmd {
	named := map[string]tea.KeyType{
		"tab": tea.KeyTab, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown, "enter": tea.KeyEnter,
		"ctrl+c": tea.KeyCtrlC, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace,
	}
	msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key)}
	if t, ok := named[key]; ok {
		msg = tea.KeyMsg{Type: t}
	}
	_, cmd := a.Update(msg)
	return cmd
}

// serverOfActions is a server with much of everything.
func serverOfActions() *fakeActions {
	f := &fakeActions{
		review: model.VacuumReview{
			Table: model.RelationName{Schema: "public", Name: "large_tbl"}, Allowed: true,
			Statements: []model.Text{
				"SET statement_timeout = '0'", "SET idle_session_timeout = '0'", "SET transaction_timeout = '0'", "SET lock_timeout = '500ms'",
				`VACUUM (VERBOSE, PARALLEL 4) "public"."large_tbl"`,
			},
			Workers: model.Some(4), WorkersWhy: "PARALLEL 4 asks for no more",
		},
	}
	for i := range 40 {
		f.tables = append(f.tables, model.TableChoice{
			RelID: uint32(16500 + i), Name: model.RelationName{Schema: "public", Name: model.Text(fmt.Sprintf("large_tbl_%02d", i))},
			RelPages: model.Some(model.Blocks(222_222 / (i + 1))), DeadTuples: model.Some(int64(12_400_000 / (i + 1))),
			LastVacuum: model.Some(ago(time.Duration(i+1) * time.Hour)), Allowed: i != 1, Partitioned: i == 3,
		})
	}
	f.tables[2].LastVacuum, f.tables[3].DeadTuples = model.None[time.Time](), model.None[int64]()
	f.tables[4].RelPages, f.tables[4].Rows, f.tables[4].LastVacuum = model.None[model.Blocks](), model.Some[int64](3_500_120), model.None[time.Time]()
	f.tables[5].RelPages, f.tables[5].LastVacuum = model.None[model.Blocks](), model.None[time.Time]()
	f.settings = settingsOfServer()
	return f
}

func settingsOfServer() []model.SettingInfo {
	number := func(name, value, unit, low, high, context string, what model.Text) model.SettingInfo {
		s := model.SettingInfo{
			Setting: model.Setting{Name: name, Setting: model.Text(value), Source: "default"},
			Default: model.Some(value), Min: model.Some(low), Max: model.Some(high), Context: context, What: what,
		}
		if unit != "" {
			s.Unit = model.Some(unit)
		}
		return s
	}
	out := []model.SettingInfo{
		number("autovacuum_max_workers", "3", "", "1", "262143", "sighup", "Sets the maximum number of simultaneously running autovacuum worker processes."),
		number("autovacuum_vacuum_cost_delay", "2", "ms", "-1", "100", "sighup", "Vacuum cost delay in milliseconds, for autovacuum."),
		number("autovacuum_vacuum_cost_limit", "-1", "", "-1", "10000", "sighup", "Vacuum cost amount available before napping, for autovacuum."),
		number("maintenance_work_mem", "65536", "kB", "64", "2147483647", "user", "Sets the maximum memory to be used for maintenance operations."),
		number("max_worker_processes", "8", "", "0", "262143", "postmaster", "Maximum number of concurrent worker processes."),
		number("vacuum_cost_delay", "0", "ms", "0", "100", "user", "Vacuum cost delay in milliseconds."),
		number("vacuum_cost_limit", "200", "", "1", "10000", "user", "Vacuum cost amount available before napping."),
	}
	out[4].PendingRestart = true
	out = append(out, model.SettingInfo{
		Setting: model.Setting{Name: "track_cost_delay_timing", Setting: "off", Source: "configuration file"},
		Default: model.Some("off"), Words: []model.Text{"on", "off"}, Context: "superuser", What: "Collects timing statistics for cost-based vacuum delay.",
	})
	for i := range 20 {
		out = append(out, number(fmt.Sprintf("vacuum_other_%02d", i), "0", "", "0", "10", "user", "Something else."))
	}
	return out
}

var errHeld = errors.New("ALTER TABLE \"public\".\"orders\" SET (autovacuum_vacuum_cost_limit = '2000'): ERROR: canceling statement due to lock timeout (SQLSTATE 55P03); somebody holds the table: try again when it is free")
