package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// whatIfDialog shows a run's time under other cost settings, delay by limit, and opens
// the change that would bring them.
type whatIfDialog struct {
	actions  Actions
	hindered string // why nothing can be changed from here; "" when it can
	plan     func(*model.Run) *planDialog
	settings func(*model.Run) *settingsDialog

	key      model.RunKey
	run      *model.Run
	snap     *model.Snapshot
	row, col int
	placed   bool // the cursor has been put on the settings in force
	said     string
	next     dialog
}

func newWhatIfDialog(actions Actions, hindered string, run *model.Run, next *model.VacuumPlan) *whatIfDialog {
	return &whatIfDialog{
		actions: actions, hindered: hindered, key: run.Key, run: run,
		plan:     func(r *model.Run) *planDialog { return newPlanDialog(actions, model.PlanAgain(r), r) },
		settings: func(r *model.Run) *settingsDialog { return newSettingsDialog(actions, r, next) },
	}
}

func (d *whatIfDialog) title() string {
	return "What if " + d.snap.NameOf(d.run) + " had other cost settings"
}

func (d *whatIfDialog) hint() string {
	if d.follows() {
		return "↑↓←→ hjkl choose  enter opens the change  esc closes"
	}
	return "↑↓←→ hjkl choose  enter opens a new run  esc closes"
}

func (d *whatIfDialog) takesText() bool { return false }

func (d *whatIfDialog) explains(int) ([]model.Explanation, int) {
	return paneTexts(nil, model.SubjectWhatIf, model.ExplainSubject(model.SubjectWhatIf).Of), 0
}

func (d *whatIfDialog) closed() (bool, string, dialog) { return d.next != nil, "", d.next }

func (d *whatIfDialog) answered(any) tea.Cmd { return nil }

func (d *whatIfDialog) setData(s *model.Snapshot) {
	d.snap = s
	if r := findRun(s, d.key); r != nil {
		d.run = r
	}
	if d.placed {
		return
	}
	d.placed, d.row, d.col = true, 1, 1
	if now, ok := d.now().Get(); ok {
		d.row, d.col = max(0, slices.Index(d.delays(), now.Delay)), max(0, slices.Index(d.limits(), now.Limit))
	}
}

// now are the run's settings, with the limit as it stands in the configuration.
func (d *whatIfDialog) now() model.Opt[model.CostSettings] {
	c, ok := d.run.Allows.Settings.Get()
	if !ok {
		return model.None[model.CostSettings]()
	}
	c.Limit *= d.shared()
	return model.Some(c)
}

// shared is among how many workers a limit is divided.
func (d *whatIfDialog) shared() int {
	if !d.follows() {
		return 1
	}
	return max(1, d.run.Allows.Shared)
}

// delays are the rows; 0 is no delay at all.
func (d *whatIfDialog) delays() []time.Duration {
	out := []time.Duration{0, time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond}
	if now, ok := d.run.Allows.Settings.Get(); ok && !slices.Contains(out, now.Delay) {
		out = append(out, now.Delay)
		slices.Sort(out)
	}
	return out
}

// limits are the columns.
func (d *whatIfDialog) limits() []int {
	out := []int{100, 200, 500, 1000, 2000, 10000}
	if now, ok := d.run.Allows.Settings.Get(); ok && !slices.Contains(out, now.Limit*d.shared()) {
		out = append(out, now.Limit*d.shared())
		slices.Sort(out)
	}
	return out
}

// at are the settings of a cell.
func (d *whatIfDialog) at(row, col int) model.CostSettings {
	delays, limits := d.delays(), d.limits()
	return model.CostSettings{Delay: delays[min(row, len(delays)-1)], Limit: limits[min(col, len(limits)-1)]}
}

// whatIf is the run under a cell's settings.
func (d *whatIfDialog) whatIf(c model.CostSettings) (model.WhatIf, string) {
	c.Limit = max(1, c.Limit/d.shared())
	return d.run.WhatIf(c)
}

// follows tells that the run takes what the server's configuration is changed to.
func (d *whatIfDialog) follows() bool {
	if d.snap == nil {
		return false
	}
	for _, name := range []string{autovacuumDelay, autovacuumLimit} {
		f := model.Follows(model.Change{Scope: model.ScopeServer, Name: name}, d.run, d.snap.Server.VersionNum)
		if yes, ok := f.Follows.Get(); !ok || !yes {
			return false
		}
	}
	return true
}

const (
	autovacuumDelay = "autovacuum_vacuum_cost_delay"
	autovacuumLimit = "autovacuum_vacuum_cost_limit"
)

func (d *whatIfDialog) typed(msg tea.KeyMsg) tea.Cmd {
	d.said = ""
	switch actionOf(msg, false) {
	case actUp:
		d.row = max(0, d.row-1)
	case actDown:
		d.row = min(len(d.delays())-1, d.row+1)
	case actLeft:
		d.col = max(0, d.col-1)
	case actRight:
		d.col = min(len(d.limits())-1, d.col+1)
	case actDetails:
		d.choose()
	}
	return nil
}

// choose opens what would bring the settings of the cell.
func (d *whatIfDialog) choose() {
	c := d.at(d.row, d.col)
	switch {
	case d.hindered != "":
		d.said = "Nothing can be changed from here: " + d.hindered + "."
	case d.follows():
		d.next = d.change(c)
	case restartHindrance(d.snap, d.run) != "":
		d.said = "It cannot be run again from here: " + restartHindrance(d.snap, d.run) + "."
	default:
		plan := d.plan(d.run)
		plan.plan.CostDelay, plan.plan.CostLimit = settingDelay(c.Delay), fmt.Sprint(c.Limit)
		d.next = plan
	}
}

// change stages the server's settings: the delay, and after it the limit.
func (d *whatIfDialog) change(c model.CostSettings) *settingsDialog {
	dialog, now := d.settings(d.run), d.now().Or(model.CostSettings{})
	dialog.filter.SetValue(autovacuumDelay)
	dialog.staged = model.Some(settingDelay(c.Delay))
	switch {
	case now.Delay == c.Delay && now.Limit != c.Limit:
		dialog.filter.SetValue(autovacuumLimit)
		dialog.staged = model.Some(fmt.Sprint(c.Limit))
	case now.Limit != c.Limit && c.Delay > 0:
		dialog.filter.SetValue("autovacuum_vacuum_cost_")
		dialog.log = "After this one: " + autovacuumLimit + " = " + fmt.Sprint(c.Limit) + "."
	}
	return dialog
}

// settingDelay is a delay as the settings take it.
func settingDelay(delay time.Duration) string {
	return strings.ReplaceAll(model.FormatDelay(delay), " ", "")
}
