package tui

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report"
	tea "github.com/charmbracelet/bubbletea"
)

// compareDialog lays the selected vacuum (B) beside another one (A), which is chosen from
// a list: those that the screen has seen, and those of its relation that were recorded
// earlier.
type compareDialog struct {
	run      *model.Run // the selected one
	location *time.Location
	snap     *model.Snapshot
	earlier  earlierRuns
	others   []counterpart
	list     list
	text     []string // the comparison with the one under the cursor
	of       counterpart
}

// counterpart is a vacuum that the selected one is compared with: one on the screen, or
// one that was recorded.
type counterpart struct {
	key    model.RunKey
	run    *model.Run        // nil for one that was recorded
	report *report.RunReport // of one that was recorded
}

// compareDialog is for the selected vacuum. It reads recordings as long as it is open.
func (a *App) compareDialog() *compareDialog {
	d := &compareDialog{run: a.run, location: a.options.Location}
	d.earlier = earlierRuns{
		history: a.options.History, server: a.snap.Server, of: a.run.Key,
		wanted: func() bool { return a.dialog == d },
	}
	return d
}

func (d *compareDialog) title() string                  { return "Compare " + d.nameOf(d.run) + " (B) with" }
func (d *compareDialog) hint() string                   { return "↑↓ with which (A)  pgup pgdn  esc closes" }
func (d *compareDialog) closed() (bool, string, dialog) { return false, "", nil }
func (d *compareDialog) start() tea.Cmd                 { return d.earlier.list(d) }

// answered takes what was found in the recordings, and goes on with the next one.
func (d *compareDialog) answered(body any) tea.Cmd {
	switch body := body.(type) {
	case error:
		d.earlier.failed = append(d.earlier.failed, body)
	case []string:
		d.earlier.names = body
	case recordingRead:
		d.earlier.take(body)
	}
	d.choose()
	var known []model.RunKey
	for _, r := range slices.Concat(d.snap.Ended, d.snap.Active) {
		known = append(known, r.Key)
	}
	return d.earlier.next(d, known)
}

// setData takes the runs as they are now.
func (d *compareDialog) setData(s *model.Snapshot) {
	d.snap, d.of = s, counterpart{}
	if r := findRun(s, d.run.Key); r != nil {
		d.run = r
	}
	d.choose()
}

// choose lists what there is to compare with, and finds the one under the cursor again;
// who is at the first stays there.
func (d *compareDialog) choose() {
	var at model.RunKey
	if d.list.cursor < len(d.others) {
		at = d.others[d.list.cursor].key
	}
	same, others := othersOf(d.snap, d.run)
	for _, r := range d.earlier.runs {
		same = append(same, counterpart{key: r.key, report: r.report})
	}
	d.others = append(same, others...)
	if i := slices.IndexFunc(d.others, func(c counterpart) bool { return c.key.Same(at) }); i >= 0 && d.list.cursor > 0 {
		d.list.cursor = i
	}
}

func (d *compareDialog) typed(msg tea.KeyMsg) tea.Cmd {
	d.list.move(actionOf(msg, false), len(d.others))
	return nil
}

// othersOf are the runs on the screen that a run can be compared with: those of its
// relation, and the others; of each the last one first.
func othersOf(s *model.Snapshot, run *model.Run) (same, others []counterpart) {
	for _, r := range slices.Concat(s.Ended, s.Active) {
		c := counterpart{key: r.Key, run: r}
		switch {
		case sameRun(r.Key, run.Key) || len(r.Phases) == 0:
		case ofSameRelation(r.Key, run.Key):
			same = append(same, c)
		default:
			others = append(others, c)
		}
	}
	return same, others
}

func (d *compareDialog) nameOf(r *model.Run) string {
	if d.snap == nil {
		return ""
	}
	return show(model.Text(d.snap.NameOf(r)))
}

func (d *compareDialog) draw(w, h int) []line {
	status := d.earlier.status(w)
	if len(d.others) == 0 {
		if d.earlier.read < len(d.earlier.names) {
			return status
		}
		return append(wrapped("There is no other vacuum to compare it with: one that ends while this screen runs, of any table, or one of this table of which a recording was kept. Other recordings are compared by vacscope report A --vs B.", styleNote, w), status...)
	}
	const rows = 6
	var out []line
	from, to := d.list.window(len(d.others), min(rows, max(1, h/3)))
	for i := from; i < to; i++ {
		out = append(out, fit(append(marker(i == d.list.cursor), plain(" "+d.label(d.others[i]))...), w))
	}
	out = append(out, text(styleDim, d.list.note()))
	out = append(out, status...)
	for _, l := range d.comparison(d.others[d.list.cursor]) {
		out = append(out, fit(plain(l), w))
	}
	return out
}

// label is a run in the list: which table, when it began, how long it took, how it ended.
func (d *compareDialog) label(c counterpart) string {
	how := "it goes on"
	if r := c.report; r != nil {
		if ending, ended := r.Result.Get(); ended {
			how = string(ending)
		} else {
			how = "its end was not seen"
		}
		return strings.Join([]string{d.nameOf(d.run), r.From.In(d.location).Format("2006-01-02 15:04:05"), model.FormatDuration(r.Elapsed), how, "recorded"}, "  ")
	}
	if c.run.End != nil {
		how = string(c.run.End.How)
	}
	return strings.Join([]string{d.nameOf(c.run), c.run.FirstSeen.In(d.location).Format("15:04:05"), model.FormatDuration(c.run.Watched()), how}, "  ")
}

// comparison is what differs, in lines; kept while the two runs are the same.
func (d *compareDialog) comparison(other counterpart) []string {
	if d.of == other {
		return d.text
	}
	d.of = other
	side := func(r *model.Run) report.Report {
		return report.Build(d.snap, report.Options{Only: func(one *model.Run) bool { return one == r }})
	}
	a := report.Report{}
	if other.report != nil {
		a.Runs = []report.RunReport{*other.report}
	} else {
		a = side(other.run)
	}
	all, err := report.Compare(a, side(d.run))
	if err != nil {
		d.text = []string{show(model.Text(err.Error()))}
		return d.text
	}
	document := all[0].Document()
	document.Sections = slices.DeleteFunc(document.Sections, func(s report.Section) bool { return !slices.Contains(compared, s.Name) })
	var b bytes.Buffer
	_ = report.WriteDocumentsText(&b, []report.Document{document}, "") // a buffer takes everything
	d.text = strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	return d.text
}

// compared are the parts of a comparison that the dialog has.
var compared = []string{"observations", "conditions", "phases", "samples", "workers"}
