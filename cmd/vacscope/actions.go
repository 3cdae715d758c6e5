package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"example.com/vacscope/model"
	"example.com/vacscope/poll"
	"example.com/vacscope/poll/act"
	"example.com/vacscope/tui"
)

// actions are what the screen can do on the server that it watches. What it sends
// rides on the stream as events.
type actions struct {
	gate   *act.Gate
	config *poll.Config
	stream *notedStream
	folder string // of journals; "" when there is no place for them

	changing sync.Mutex // held while a change is made: one at a time
	journal  *act.Journal
	left     []*act.Journal // of earlier starts, that ended without putting back

	mu      sync.Mutex
	system  string // the server's system identifier; "" until a snapshot tells
	stands  []model.Done
	running map[int32]model.Sent // the VACUUMs that were sent and go on, by pid

	sent     chan struct{} // closed when the first VACUUM is sent
	sendOnce sync.Once
}

var _ tui.Actions = (*actions)(nil)

// newActions makes the actions for a server whose stream shows what is sent. folder is
// for journals; "" where there is no place for them.
func newActions(config *poll.Config, readOnly bool, stream *notedStream, folder string) *actions {
	return &actions{
		gate: act.NewGate(readOnly, stream.put), config: config, stream: stream,
		folder: folder, running: map[int32]model.Sent{}, sent: make(chan struct{}),
	}
}

// stateFolder is where the program keeps what outlives it; "" when the system does
// not say where that could be.
func stateFolder() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "vacscope")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(home, ".local", "state", "vacscope")
}

// know takes the server's identity from a snapshot, and what an earlier start left
// on that server.
func (a *actions) know(s model.Server) {
	a.mu.Lock()
	known := a.system != "" || s.SystemIdentifier == "" || a.folder == ""
	if !known {
		a.system = s.SystemIdentifier
	}
	a.mu.Unlock()
	if known || a.gate.ReadOnly() {
		return
	}
	a.changing.Lock()
	defer a.changing.Unlock()
	a.left = act.Leftover(a.folder, s.SystemIdentifier)
	a.recount()
	if n := len(a.Stands()); n > 0 {
		a.stream.note(model.FormatCounted(n, "change", "changes") + " of an earlier start still stand: u shows and puts back")
	}
}

// recount notes what stands; changing is held.
func (a *actions) recount() {
	var stands []model.Done
	for _, j := range a.journals() {
		stands = append(stands, j.Stands()...)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stands = stands
}

// close ends the journals, in which stays what stands, and tells what goes on.
func (a *actions) close(messages io.Writer) {
	a.changing.Lock()
	defer a.changing.Unlock()
	for _, j := range a.journals() {
		j.Close()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, sent := range a.running {
		fmt.Fprintf(messages, "vacscope: %s\n", sent.WithoutUs())
	}
	if n := len(a.stands); n > 0 {
		fmt.Fprintf(messages, "vacscope: %s from here still stand; the next start offers to put them back\n", model.FormatCounted(n, "change", "changes"))
	}
}

// ReadOnly tells that nothing may be changed.
func (a *actions) ReadOnly() bool { return a.gate.ReadOnly() }

// Tables lists tables whose name has these letters in their order.
func (a *actions) Tables(ctx context.Context, typed string) ([]model.TableChoice, error) {
	return a.gate.Tables(ctx, a.config, typed)
}

// Settings reads all settings that govern vacuums.
func (a *actions) Settings(ctx context.Context) ([]model.SettingInfo, error) {
	return a.gate.Settings(ctx, a.config)
}

// Statements are what a change would send.
func (a *actions) Statements(c model.Change) ([]string, error) { return act.Statements(c) }

// Cancel ends a run's statement, or with terminate its session.
func (a *actions) Cancel(ctx context.Context, run model.RunKey, terminate bool) error {
	return a.gate.Cancel(ctx, a.config, run, terminate)
}

// EndStatement is what would end one who keeps dead rows from being removed.
func (a *actions) EndStatement(h model.XminHolder) (string, error) { return act.EndStatement(h) }

// End ends one who keeps dead rows, and returns when it is seen to be gone.
func (a *actions) End(ctx context.Context, h model.XminHolder) error {
	return a.gate.End(ctx, a.config, h)
}

// Review finds out what is to be known before a VACUUM is sent.
func (a *actions) Review(ctx context.Context, plan model.VacuumPlan) (model.VacuumReview, error) {
	p, err := a.gate.Prepare(ctx, a.config, plan)
	if err != nil {
		return model.VacuumReview{}, err
	}
	defer p.Close()
	return p.Review(ctx)
}

// Vacuum sends a VACUUM that goes on after the return.
func (a *actions) Vacuum(ctx context.Context, plan model.VacuumPlan) (pid int32, err error) {
	p, err := a.gate.Prepare(ctx, a.config, plan)
	if err != nil {
		return 0, err
	}
	return a.launch(p, plan, 0), nil
}

// Running are the VACUUMs that were sent and go on.
func (a *actions) Running() []model.Sent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.SortedFunc(maps.Values(a.running), func(x, y model.Sent) int { return int(x.PID) - int(y.PID) })
}

// launch sends a prepared VACUUM and does not wait for it; cancelled is the process that
// is to let go of its table first, 0 for none.
func (a *actions) launch(p *act.Prepared, plan model.VacuumPlan, cancelled int32) (pid int32) {
	a.mu.Lock()
	a.running[p.PID] = model.Sent{PID: p.PID, Table: p.Table, Verbose: plan.Verbose}
	a.mu.Unlock()
	a.sendOnce.Do(func() { close(a.sent) })
	go func() {
		defer func() {
			p.Close()
			a.mu.Lock()
			defer a.mu.Unlock()
			delete(a.running, p.PID)
		}()
		a.runVacuum(p, cancelled)
	}()
	return p.PID
}

// runVacuum sends the VACUUM, when the table is free.
func (a *actions) runVacuum(p *act.Prepared, cancelled int32) {
	held := func(who string) {
		a.stream.note("the VACUUM of " + p.Table.Display() + " waits until the table is free: it is held by " + who)
	}
	run := func() (model.Result, error) { return p.Run(), nil }
	err := p.WhenLeft(context.Background(), cancelled)
	if err == nil {
		_, err = p.WhenFree(context.Background(), held, run)
	}
	if err != nil {
		a.stream.note("the VACUUM of " + p.Table.Display() + " was not sent: " + oneLine(err.Error()))
	}
}

// Restart cancels a run and sends a VACUUM in its place. It cancels nothing when
// this role may not vacuum the table, or when somebody waits for it.
func (a *actions) Restart(ctx context.Context, run model.RunKey, plan model.VacuumPlan) (pid int32, err error) {
	p, err := a.gate.Prepare(ctx, a.config, plan)
	if err != nil {
		return 0, err
	}
	review, err := p.Review(ctx)
	switch {
	case err != nil:
	case !review.Allowed:
		err = fmt.Errorf("nothing was cancelled: this role may not vacuum %s", review.Table.Display())
	case review.Waiting > 0:
		err = fmt.Errorf("nothing was cancelled: somebody waits for a lock on %s and would come before", review.Table.Display())
	default:
		err = a.gate.Cancel(ctx, a.config, run, false)
	}
	if err != nil {
		p.Close()
		return 0, err
	}
	return a.launch(p, plan, run.PID), nil
}

// Change makes a change and reads back what is in force.
func (a *actions) Change(ctx context.Context, c model.Change) (model.Done, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	defer a.recount()
	if err := a.openJournal(); err != nil {
		return model.Done{}, err
	}
	return a.gate.Apply(ctx, a.config, a.journal, c)
}

// openJournal makes this process's journal when it is first needed.
func (a *actions) openJournal() (err error) {
	if a.journal != nil {
		return nil
	}
	a.mu.Lock()
	system := a.system
	a.mu.Unlock()
	if a.folder == "" || system == "" {
		return errors.New("nothing is changed: what stood before could not be noted, because the server's system identifier is not readable or there is no home directory")
	}
	a.journal, err = act.OpenJournal(a.folder, system)
	return err
}

// journals are those that hold changes, those of earlier starts first.
func (a *actions) journals() []*act.Journal {
	out := a.left
	if a.journal != nil {
		out = append(out[:len(out):len(out)], a.journal)
	}
	return out
}

// Stands are the changes made from here that still stand.
func (a *actions) Stands() []model.Done {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.stands
}

// PutBack undoes a change that stands.
func (a *actions) PutBack(ctx context.Context, d model.Done) (model.Done, error) {
	a.changing.Lock()
	defer a.changing.Unlock()
	defer a.recount()
	for _, j := range a.journals() {
		for _, stands := range j.Stands() {
			if stands.At.Equal(d.At) && stands.Change == d.Change {
				return a.gate.Undo(ctx, a.config, j, stands)
			}
		}
	}
	return model.Done{}, errors.New("that change does not stand any more")
}
