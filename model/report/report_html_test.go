package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

// element is one element of a page: what it is, its attributes, the text directly in it.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

// elements are those of a page, which is well-formed XML.
func elements(t *testing.T, page string) []element {
	t.Helper()
	var all []element
	var open []int
	decoder := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the page: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			open, all = append(open, len(all)), append(all, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				all[open[len(open)-1]].text += string(token)
			}
		}
	}
}

func pageOf(t *testing.T, documents ...Document) string {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return WriteDocumentsHTML(b, documents, "") })
}

func postedComparison(t *testing.T) Comparison {
	t.Helper()
	return compared(t, Report{Runs: []RunReport{posted(t, "patched")}}, Report{Runs: []RunReport{posted(t, "master")}})
}

func TestPage(t *testing.T) {
	c := postedComparison(t)
	golden.RequireEqual(t, pageOf(t, c.Document()))
}

// A page loads nothing, runs nothing, and leads only to places in itself.
func TestPageNeedsNothingElse(t *testing.T) {
	r := Report{Runs: []RunReport{posted(t, "patched"), posted(t, "master")}}
	c := postedComparison(t)
	for _, e := range elements(t, pageOf(t, append(r.Documents(), c.Document())...)) {
		if slices.Contains([]string{"script", "link", "img", "iframe", "object", "embed", "base", "form", "use", "image", "foreignObject"}, e.name) {
			t.Errorf("there is a %s", e.name)
		}
		for name, value := range e.attributes {
			if strings.HasPrefix(name, "on") || name == "src" || name == "href" && !strings.HasPrefix(value, "#") || name == "style" {
				t.Errorf("%s has %s=%q", e.name, name, value)
			}
		}
		if e.name == "style" && (strings.Contains(e.text, "url(") || strings.Contains(e.text, "@import")) {
			t.Error("the style loads something")
		}
	}
}

// What a stranger's recording holds is text on the page, wherever it stands.
func TestPageOfHostileRecording(t *testing.T) {
	const hostile = `"><script>alert(1)</script><svg onload=x>'{{.}}</title></style>&lt;` + "\x1b[2J\u202e"
	r := posted(t, "patched")
	r.Table, r.Schema, r.Database = model.Some[model.Text](hostile), model.Some[model.Text](hostile), hostile
	r.Statement, r.Message, r.Context.Origin.File = model.Some[model.Text](hostile), hostile, hostile
	r.Phases.Spans[0].Phase, r.Phases.Totals[0].Phase = hostile, hostile
	r.Samples.Phases[0].Phase = hostile
	r.Samples.Phases[0].Waits[0].Name = hostile
	r.Context.Settings = append(r.Context.Settings, model.Setting{Name: hostile, Setting: hostile, Source: hostile})
	report := Report{Runs: []RunReport{r}}
	c := compared(t, report, Report{Runs: []RunReport{posted(t, "master")}})
	page := pageOf(t, append(report.Documents(), c.Document())...)
	if strings.ContainsAny(page, "\x1b\u202e") {
		t.Error("the page holds characters that a terminal or a reader obeys")
	}
	seen := 0
	for _, e := range elements(t, page) {
		if e.name == "script" || e.attributes["onload"] != "" {
			t.Errorf("text became an element: %+v", e)
		}
		if strings.Contains(e.text, `"><script>alert(1)</script>`) {
			seen++
		}
	}
	if seen < 10 {
		t.Errorf("the names stand in %d places", seen)
	}
}

// texts are what stands in the drawings of a page.
func texts(t *testing.T, page, name string) []string {
	t.Helper()
	var out []string
	for _, e := range elements(t, page) {
		if e.name == name {
			out = append(out, e.text)
		}
	}
	return out
}

// The charts show what the tables say: each phase as long as it was, the leader's waits.
func TestPageCharts(t *testing.T) {
	c := postedComparison(t)
	page := pageOf(t, c.Document())
	tips := texts(t, page, "title")
	for _, want := range []string{"vacuuming indexes: 6:38.900", "vacuuming indexes: 9:43.900", "B leader: leader 32 %", "A leader: delay 84 %"} {
		if !slices.Contains(tips, want) {
			t.Errorf("no shape says %q: %q", want, tips)
		}
	}
	for _, want := range []string{"A", "B", "19:07", "22:03", "5:00", "20:00", "1:20:00", "B workers", "3,462"} {
		if got := texts(t, page, "text"); !slices.Contains(got, want) {
			t.Errorf("no text %q: %q", want, got)
		}
	}
}

// Many workers are one row from the 24th on.
// A pid that another worker of the same phase has after it is another row.
func TestARowIsOneProcess(t *testing.T) {
	first := WaitSamples{LeaderPID: model.Some[int32](1), PID: model.Some[int32](7), Samples: 10, backend: time.Unix(1, 0)}
	second := first
	second.Samples, second.backend = 3, time.Unix(2, 0)
	var p PhaseSamples
	p.count(first)
	p.count(second)
	waits := []WaitSamples{first, second}
	if a, b := barOf(p.Processes[0], waits), barOf(p.Processes[1], waits); a.samples != 10 || b.samples != 3 {
		t.Errorf("rows of %d and %d samples", a.samples, b.samples)
	}
}

func TestPageOfManyWorkers(t *testing.T) {
	var bars []waitBar
	for i := range 100 {
		bars = append(bars, waitBar{label: "w", samples: i + 1, weights: [model.Classes]time.Duration{model.ClassCPU: time.Second}})
	}
	got := joined(bars)
	if len(got) != mostBars || got[0].samples != 1 || got[1].samples != 100 || got[mostBars-1].label != "77 others" || got[mostBars-1].weights[model.ClassCPU] != 77*time.Second {
		t.Errorf("%d rows, the last %+v", len(got), got[len(got)-1])
	}
}

func TestAxisOfTime(t *testing.T) {
	for end, want := range map[time.Duration]string{
		0: "0", 3 * time.Millisecond: "0", 2500 * time.Millisecond: "0 1 s 2 s", 20 * time.Second: "0 5 s 10 s 15 s 20 s",
		80 * time.Minute: "0 10:00 20:00 30:00 40:00 50:00 1:00:00 1:10:00 1:20:00", 60 * 24 * time.Hour: "0 7 d 00:00 14 d 00:00 21 d 00:00 28 d 00:00 35 d 00:00 42 d 00:00 49 d 00:00 56 d 00:00",
	} {
		var got []string
		for _, at := range ticksOf(end) {
			got = append(got, axisTime(at))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v: %q, want %q", end, strings.Join(got, " "), want)
		}
	}
}
