package report

import (
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// Document is a report as people read it, whatever it is of.
type Document struct {
	Title    string
	Sections []Section
}

// Documents are the reports of the runs, one each.
func (r *Report) Documents() []Document {
	out := make([]Document, len(r.Runs))
	for i := range r.Runs {
		out[i] = r.Runs[i].document()
	}
	return out
}

func (r *RunReport) document() Document {
	d := Document{r.title(), r.Sections()}
	run := []timedRun{{"", r}}
	d.draw("phases", phasesChart(run), growthChart(run))
	d.draw("samples", r.waitsCharts())
	return d
}

// draw adds charts to a section.
func (d *Document) draw(section string, charts ...[]drawing) {
	for i := range d.Sections {
		if s := &d.Sections[i]; s.Name == section {
			s.Charts = slices.Concat(charts...)
		}
	}
}

// Section is a part of a report as people read it: the tables of one --section, or
// why there are none.
type Section struct {
	Name    string // as --section names it
	Title   string
	Missing string // why it holds nothing; "" when it holds something
	Facts   []Fact
	Lines   []string // as they are, of at most 79 columns where names allow
	Items   []string // of a list
	Grids   []Grid
	Notes   []string  // sentences below, a paragraph each
	Charts  []drawing // on the page only
}

// Fact is one thing that is said of a run.
type Fact struct{ What, Value string }

// Grid is one table. Its cells are safe to print, and of ASCII where no name of the
// server is in them.
type Grid struct {
	Title   string // "" where the section's says it
	Columns []Column
	Rows    [][]string
}

// Column is one column of a Grid.
type Column struct {
	Head   string // on one line, or several
	Number bool   // its cells are numbers, which stand right-aligned
	// Width is how wide the column is at least, for rows that are still to come.
	Width int
}

// newGrid is a table without rows. Columns of numbers have heads that begin with #.
func newGrid(title string, heads ...string) Grid {
	g := Grid{Title: title}
	for _, head := range heads {
		head, number := strings.CutPrefix(head, "#")
		g.Columns = append(g.Columns, Column{Head: head, Number: number})
	}
	return g
}

func (g *Grid) add(cells ...string) { g.Rows = append(g.Rows, cells) }

// Sections are the parts of a run's report, in order.
func (r *RunReport) Sections() []Section {
	return []Section{
		r.Context.section(r),
		r.Phases.section(),
		r.Samples.section(),
		r.Minutes.section(),
		r.Workers.section(),
		r.Locks.section(),
		r.Impact.section(),
		r.Change.section(),
	}
}

// toWrite are documents with the part that is chosen, "" for all of them, and safe to
// print. Every writer begins with it.
func toWrite(documents []Document, section string) []Document {
	out := slices.Clone(documents)
	for i := range out {
		d := &out[i]
		d.Sections = slices.DeleteFunc(slices.Clone(d.Sections), func(s Section) bool { return section != "" && s.Name != section })
		d.makeSafe()
	}
	return out
}

// makeSafe makes visible what a terminal could obey, whatever a stranger's recording
// holds: much of a report is not of type model.Text.
func (d *Document) makeSafe() {
	d.Title = safe(d.Title)
	for i := range d.Sections {
		d.Sections[i].makeSafe()
	}
}

func (s *Section) makeSafe() {
	s.Title, s.Missing = safe(s.Title), safe(s.Missing)
	for i, f := range s.Facts {
		s.Facts[i] = Fact{safe(f.What), safe(f.Value)}
	}
	safeAll(s.Lines)
	safeAll(s.Items)
	safeAll(s.Notes)
	for i := range s.Charts {
		s.Charts[i].makeSafe()
	}
	for i := range s.Grids {
		g := &s.Grids[i]
		g.Title = safe(g.Title)
		for _, row := range g.Rows {
			safeAll(row)
		}
	}
}

func safe(s string) string { return model.Text(s).Display() }

func safeAll(lines []string) {
	for i := range lines {
		lines[i] = safe(lines[i])
	}
}
