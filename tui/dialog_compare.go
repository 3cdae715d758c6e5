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

// compareDialog lays the selected vacuum (B) beside another one of those that the screen
// has seen (A), which is chosen from a list.
type compareDialog struct {
	run      *model.Run // the selected one
	location *time.Location
	snap     *model.Snapshot
	others   []*model.Run
	list     list
	text     []string // the comparison with the one under the cursor
	of       *model.Run
}

func newCompareDialog(run *model.Run, location *time.Location) *compareDialog {
	return &compareDialog{run: run, location: location}
}

func (d *compareDialog) title() string                  { return "Compare " + d.nameOf(d.run) + " (B) with" }
func (d *compareDialog) hint() string                   { return "↑↓ with which (A)  pgup pgdn  esc closes" }
func (d *compareDialog) closed() (bool, string, dialog) { return false, "", nil }
func (d *compareDialog) answered(any) tea.Cmd           { return nil }

// setData takes the runs as they are now.
func (d *compareDialog) setData(s *model.Snapshot) {
	d.snap, d.of = s, nil
	if r := findRun(s, d.run.Key); r != nil {
		d.run = r
	}
	d.others = othersOf(s, d.run)
}

func (d *compareDialog) typed(msg tea.KeyMsg) tea.Cmd {
	d.list.move(actionOf(msg, false), len(d.others))
	return nil
}

// othersOf are the runs that a run can be compared with: those of its relation first,
// the last one first.
func othersOf(s *model.Snapshot, run *model.Run) []*model.Run {
	var same, others []*model.Run
	for _, r := range slices.Concat(s.Ended, s.Active) {
		switch {
		case sameRun(r.Key, run.Key) || len(r.Phases) == 0:
		case r.Key.DatID == run.Key.DatID && r.Key.RelID == run.Key.RelID && r.Key.Analyze == run.Key.Analyze:
			same = append(same, r)
		default:
			others = append(others, r)
		}
	}
	return append(same, others...)
}

func (d *compareDialog) nameOf(r *model.Run) string {
	if d.snap == nil {
		return ""
	}
	return show(model.Text(d.snap.NameOf(r)))
}

func (d *compareDialog) draw(w, h int) []line {
	if len(d.others) == 0 {
		return wrapped("There is no other vacuum to compare it with: one that ends while this screen runs, of any table. Recordings are compared by vacscope report A --vs B.", styleNote, w)
	}
	const rows = 6
	var out []line
	from, to := d.list.window(len(d.others), min(rows, max(1, h/3)))
	for i := from; i < to; i++ {
		out = append(out, fit(append(marker(i == d.list.cursor), plain(" "+d.label(d.others[i]))...), w))
	}
	out = append(out, text(styleDim, d.list.note()))
	for _, l := range d.comparison(d.others[d.list.cursor]) {
		out = append(out, fit(plain(l), w))
	}
	return out
}

// label is a run in the list: which table, when it began, how long it took, how it ended.
func (d *compareDialog) label(r *model.Run) string {
	how := "it goes on"
	if r.End != nil {
		how = string(r.End.How)
	}
	took := model.FormatDuration(r.Watched())
	return strings.Join([]string{d.nameOf(r), r.FirstSeen.In(d.location).Format("15:04:05"), took, how}, "  ")
}

// comparison is what differs, in lines; kept while the two runs are the same.
func (d *compareDialog) comparison(other *model.Run) []string {
	if d.of == other {
		return d.text
	}
	d.of = other
	side := func(r *model.Run) report.Report {
		return report.Build(d.snap, report.Options{Only: func(one *model.Run) bool { return one == r }})
	}
	all, err := report.Compare(side(other), side(d.run))
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
