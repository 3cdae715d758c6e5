package tui

import (
	"io"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
)

// Options say how an App draws.
type Options struct {
	Name     string // the program's name; "" for vacscope
	Version  string // shown in the help
	Target   string // what is being connected to, named until the first snapshot tells more
	Location *time.Location
	ASCII    bool // draw with ASCII only
	Dark     bool // colours for a dark background
	// Renderer holds the colour profile; without colours everything is told by
	// glyphs and letters. nil is lipgloss's default renderer.
	Renderer *lipgloss.Renderer
	// Actions are what can be done on the server; nil for a screen that only shows.
	Actions Actions
	// Terminal takes what is no part of the screen: the clipboard's text and the
	// bell. It is what the program draws on; nil where there is none.
	Terminal io.Writer
	// Save keeps a frame in files of the person's, and returns their names; it may block.
	// nil where there is no place for files.
	Save func(Frame) (files []string, err error)
	// Recorder records what is watched; nil where nothing is.
	Recorder Recorder
	// Reconnect makes the source of the snapshots connect anew; it does not block.
	// nil where there is nothing to connect to.
	Reconnect func()
	// NextStep lets a demonstration go on; it does not block. nil where none is shown.
	NextStep func()
	// Player goes to other moments of what was seen; nil where nothing is kept.
	Player Player
	// History is what was kept of earlier watching; nil where there is no place for it.
	History History
}

func (o Options) name() string {
	if o.Name == "" {
		return "vacscope"
	}
	return o.Name
}

// App is the program's tea.Model. Use one in one program only.
type App struct {
	options Options
	theme   *theme

	w, h   int // of the terminal; 0 until it tells
	latest *model.Snapshot
	snap   *model.Snapshot // the one that is drawn: the latest, unless paused
	run    *model.Run      // the selected run of snap; nil for none
	err    error           // why no more snapshots come

	selection selection
	narrowing narrowing
	prompt    *prompt          // has the keys; nil for none
	damage    []string         // what of a recording could not be read
	moves     []model.Move     // that were asked for and are not reached; the first is under way
	position  *model.Position  // where snap stands; nil for the latest of what is watched
	dialog    dialog           // has the keys; nil for none
	next      model.VacuumPlan // the settings that the next vacuum from here has
	dialogTop int              // the first of its lines that is drawn
	toast     toast
	panes     [panes]*pane
	page      *page // covers the panes; nil for none
	focus     paneID
	zoomed    bool
	paused    bool
	bell      bool // rings for what happens to the selected run
	mouse     bool // the terminal reports it
	places    [panes]place
	help      bool
	explainer *explainer // covers the screen; nil for none
	helpTop   int

	windowTitle string
	frame       string
	dirty       bool // frame is not what View should return
}

// New returns an App that waits for its first snapshot.
func New(o Options) *App {
	if o.Renderer == nil {
		o.Renderer = lipgloss.DefaultRenderer()
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	a := &App{options: o, theme: newTheme(o.Renderer, o.Dark, o.ASCII), dirty: true}
	contents := [panes]content{
		paneVacuums:   &vacuums{selection: &a.selection, narrowing: &a.narrowing, location: o.Location},
		panePhases:    &phases{location: o.Location},
		paneDelay:     &delays{location: o.Location, chart: chart{theme: a.theme}},
		paneProcesses: &processes{theme: a.theme},
		paneLocks:     &locks{location: o.Location, narrowing: &a.narrowing},
	}
	for id, c := range contents {
		a.panes[id] = newPane(c, a.theme)
	}
	return a
}

// Err is why the stream of snapshots ended; nil when it did not.
func (a *App) Err() error { return a.err }

// Init does nothing: the first thing to draw arrives as a message.
func (a *App) Init() tea.Cmd { return nil }

// Update takes one message. It never blocks.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.w, a.h, a.dirty = msg.Width, msg.Height, true
	case SnapshotMsg:
		cmd = a.take(msg.Snapshot)
	case PlayedMsg:
		a.position, a.damage = &msg.Position, msg.Lost
		cmd = a.take(msg.Snapshot)
	case FailMsg:
		a.err, a.dirty = msg.Err, true
		if a.latest == nil {
			cmd = tea.Quit
		}
	case tea.KeyMsg:
		cmd = a.typed(msg)
	case answerMsg:
		cmd = a.answeredDialog(msg)
	case movedMsg:
		cmd = a.moved(msg)
	case savedMsg:
		a.saved(msg)
	case recordedMsg:
		a.recorded(msg)
	case copyMsg:
		cmd = a.copied(msg.text)
	case tea.MouseMsg:
		a.pointed(msg)
	case tea.ResumeMsg:
		if a.mouse { // bubbletea forgets it
			cmd = tea.EnableMouseCellMotion
		}
	}
	return a, tea.Batch(cmd, a.retitle())
}

// typed does what keys ask for: one, or several letters that arrived together, as
// from a key that is held down. Each goes to what has the keys by then.
func (a *App) typed(msg tea.KeyMsg) tea.Cmd {
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return a.typedOne(msg)
	}
	var cmds []tea.Cmd
	for _, r := range msg.Runes {
		cmds = append(cmds, a.typedOne(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: msg.Alt}))
	}
	return tea.Batch(cmds...)
}

// typedOne does what one key asks for. What is pasted was not meant as keys.
func (a *App) typedOne(msg tea.KeyMsg) tea.Cmd {
	switch {
	case a.explainer != nil && a.typedInExplainer(msg):
		return nil
	case a.dialog != nil:
		return a.typedInDialog(msg)
	case a.prompt != nil:
		return a.typedInPrompt(msg)
	case msg.Paste:
		return nil
	}
	return a.press(actionOf(msg, a.seeks()))
}

// take keeps the newest snapshot, and draws it unless paused. The bell rings for it
// paused or not.
func (a *App) take(s *model.Snapshot) tea.Cmd {
	if s == nil {
		return nil
	}
	ring := a.ring(a.latest, s)
	a.latest, a.dirty = s, true
	a.toast.forget(s)
	if !a.paused || a.snap == nil {
		a.show(s)
	}
	if a.dialog == nil {
		return ring
	}
	a.dialog.setData(s)
	var again tea.Cmd
	if d, ok := a.dialog.(beating); ok {
		again = d.beat()
	}
	return tea.Batch(ring, again, a.afterDialog())
}

// show draws a snapshot from now on.
func (a *App) show(s *model.Snapshot) {
	a.snap = s
	runs, _ := a.narrowing.runs(s)
	a.run = a.selection.resolve(s, runs, a.narrowing.open)
	for _, p := range a.panes {
		p.SetData(a.snap, a.run)
	}
	if a.page != nil {
		a.page.SetData(a.snap, a.run)
	}
}

// showAgain draws the same snapshot after what is listed has changed.
func (a *App) showAgain() {
	if a.snap == nil {
		return
	}
	for _, p := range a.panes {
		p.Forget()
	}
	a.show(a.snap)
}

// press does what a key asks for.
func (a *App) press(act action) tea.Cmd {
	if act == actNone {
		return nil
	}
	a.dirty, a.toast = true, toast{}
	if why := a.impossible(act); why != "" {
		a.say(label(act) + ": " + why)
		return nil
	}
	switch act {
	case actQuit, actQuitNow:
		return a.quit()
	case actVacuum, actCancel, actSettings, actWhatIf, actEnd, actUndo, actCommandLog, actCompare:
		return a.act(act)
	case actSuspend:
		return tea.Suspend
	case actHelp:
		a.help, a.helpTop, a.explainer = !a.help, 0, nil
	case actExplain:
		a.toggleExplainer()
	case actBack:
		a.back()
	case actNextPane:
		a.moveFocus(1)
	case actPreviousPane:
		a.moveFocus(-1)
	case actDetails:
		a.selection.choose(a.run) // it stays, also when it ends
		a.open(newRunPage(a.run, a.options.Location))
	case actQueue:
		a.open(&queuePage{})
	case actZoom:
		a.zoomed = !a.zoomed && a.layout().mode == modeFull
	case actFilter:
		a.openFilter()
	case actSort:
		a.narrowing.order = a.narrowing.order.next()
		a.showAgain()
	case actPalette:
		a.openChooser()
	case actPause:
		a.pause()
	case actSampleBack, actSampleOn, actEventBack, actEventOn, actPhaseBack, actPhaseOn, actGoTo, actFaster, actSlower:
		return a.seek(act)
	case actDemoStep:
		a.options.NextStep()
	case actReconnect:
		a.options.Reconnect()
		a.say("connecting anew")
	case actCopy:
		return a.copySummary()
	case actExport:
		return a.exportFrame()
	case actRecord:
		return a.record()
	case actBell:
		a.toggleBell()
	case actMouse:
		return a.toggleMouse()
	case actAll:
		a.panes[paneLocks].HandleKey(act) // from any pane
	default:
		a.pressInPane(act)
	}
	return nil
}

// back undoes the last thing that covers something, last of all the choice of a run.
func (a *App) back() {
	if a.help {
		a.help = false
		return
	}
	if a.page != nil {
		a.page, a.helpTop = nil, 0
		return
	}
	if a.zoomed {
		a.zoomed = false
		return
	}
	if a.narrowing.filter.set() {
		a.narrow("")
		return
	}
	a.selection.follow()
	if a.snap != nil {
		a.show(a.snap)
	}
}

func (a *App) layout() layout {
	l := a.arranged()
	switch {
	case a.page != nil:
		return l.cover()
	case a.snap == nil:
		return l
	case a.run == nil:
		return l.idle(a.focus)
	}
	return l.roomFor(len(a.snap.Active))
}

// arranged is the layout of the panes, with a line for where in what was seen it is, and
// those of a caption.
func (a *App) arranged() layout {
	above := 0
	if a.position != nil && a.h >= tinyHeight+1 {
		above++
	}
	if a.captioned() {
		above += captionLines(a.w)
	}
	l := arrange(a.w, a.h-above, a.focus, a.zoomed)
	l.h += above
	if l.mode != modeTiny {
		l.header += above
	}
	return l
}

func (a *App) moveFocus(by int) {
	if a.layout().mode != modeFull {
		return
	}
	a.focus = paneID((int(a.focus) + by + int(panes)) % int(panes))
	a.helpTop = 0
}

// pause stops drawing; collecting goes on, and the next pause shows the newest. A
// recording stops, and the next pause plays it on.
func (a *App) pause() {
	if a.replays() {
		a.options.Player.Play(a.position != nil && !a.position.Playing)
		return
	}
	a.position = nil
	a.paused = !a.paused && a.snap != nil
	if !a.paused && a.latest != nil {
		a.show(a.latest)
	}
}

// pressInPane gives a key to the help while it is open, else to the page, else to
// the focused pane.
func (a *App) pressInPane(act action) {
	if a.help {
		a.scrollHelp(act)
		return
	}
	if a.page != nil {
		a.page.content.handle(act)
		return
	}
	focus := a.focus
	if a.layout().mode != modeFull {
		focus = paneVacuums // the only pane of a small screen
	}
	a.handleIn(focus, act)
}

// handleIn gives a key to a pane.
func (a *App) handleIn(id paneID, act action) {
	if a.panes[id].HandleKey(act) && a.snap != nil {
		a.show(a.snap) // the selection may have moved
	}
}
