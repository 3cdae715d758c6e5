package tui

import (
	"io"
	"strings"
	"unicode"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Frame is what is on the screen, to be kept in files.
type Frame struct {
	// Name is what the files are to be called, without an ending: the program, when it
	// was and which vacuum. It is of letters, digits, "-", "_" and single ".".
	Name string
	SVG  string // a picture in colours, whatever the terminal has
	Text string // the same without colours, a line for each row
}

// savedMsg says that a frame was kept, and in which files.
type savedMsg struct {
	files []string
	err   error
}

// exportFrame gives the frame to who keeps it.
func (a *App) exportFrame() tea.Cmd {
	f := Frame{Name: a.frameName(), SVG: RenderSVG(a.inTrueColor(), a.options.Dark), Text: a.plainFrame()}
	save := a.options.Save
	return func() tea.Msg {
		files, err := save(f)
		return savedMsg{files, err}
	}
}

// saved tells what became of a frame.
func (a *App) saved(msg savedMsg) {
	if msg.err != nil {
		a.say("not saved: " + oneLine(model.Text(msg.err.Error())))
		return
	}
	a.say("saved " + show(model.Text(strings.Join(msg.files, " and "))))
}

// plainFrame is the frame without colours and without spaces at the ends of its lines.
func (a *App) plainFrame() string {
	var b strings.Builder
	for row := range strings.Lines(ansi.Strip(a.View())) {
		b.WriteString(strings.TrimRight(row, " \n") + "\n")
	}
	return b.String()
}

// inTrueColor is the frame as a terminal with all colours would have it.
func (a *App) inTrueColor() string {
	colours := lipgloss.NewRenderer(io.Discard)
	colours.SetColorProfile(termenv.TrueColor)
	terminal := *a.theme
	defer func() {
		*a.theme = terminal
		a.redraw()
	}()
	*a.theme = *newTheme(colours, a.options.Dark, terminal.ascii)
	a.redraw()
	return a.View()
}

// redraw makes everything be drawn anew.
func (a *App) redraw() {
	a.dirty = true
	for _, p := range a.panes {
		p.dirty = true
	}
}

// frameName is when the frame was and which vacuum is selected, as a file is named.
func (a *App) frameName() string {
	name := a.options.name() + "-" + a.snap.Now.In(a.options.Location).Format("20060102-150405")
	if a.run != nil {
		name += "-" + fileWord(a.snap.NameOf(a.run))
	}
	return name
}

// maxFileWord bounds the part of a file's name that somebody else chose, in characters.
const maxFileWord = 48

// fileWord is a text of which only those characters are left that every system has in
// names of files.
func fileWord(text string) string {
	var b strings.Builder
	last := rune(0)
	n := 0
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && (r != '.' || last == '.') {
			r = '_'
		}
		if n++; n > maxFileWord {
			break
		}
		b.WriteRune(r)
		last = r
	}
	return strings.TrimRight(b.String(), ".")
}
