package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

// documentText is a document as text.
func documentText(t *testing.T, d Document) string {
	t.Helper()
	return written(t, func(b *bytes.Buffer) error { return WriteDocumentsText(b, []Document{d}, "") })
}

// compared is the one comparison of two sides.
func compared(t *testing.T, a, b Report) Comparison {
	t.Helper()
	all, err := Compare(a, b)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d comparisons: %v", len(all), err)
	}
	return all[0]
}

// several are n runs like one, each with its phases of the server a little longer than
// those of the one before.
func several(r RunReport, n int, longer time.Duration) Report {
	var out Report
	for i := range n {
		run := r
		run.Phases.Totals = slices.Clone(r.Phases.Totals)
		for j := range run.Phases.Totals[:3] {
			run.Phases.Totals[j].Wall += time.Duration(i) * longer
			run.Elapsed += time.Duration(i) * longer
		}
		run.Context.Origin.File = string(rune('a'+i)) + ".jsonl.zst"
		out.Runs = append(out.Runs, run)
	}
	return out
}

// postedSides are the two runs of the posted test, the patched one as A.
func postedSides(t *testing.T, n int, longer time.Duration) (a, b Report) {
	t.Helper()
	return several(posted(t, "patched"), n, longer), several(posted(t, "master"), n, longer)
}

// What the posted numbers say, in the order of how much it is.
func TestObservationsOfPostedRuns(t *testing.T) {
	c := postedComparison(t)
	var got []string
	for _, o := range c.Observations {
		got = append(got, o.Text)
	}
	want := []string{
		"workers asleep on purpose (VacuumDelay) while vacuuming indexes: 2,170 / 3,272 samples (+1,102)",
		"vacuuming indexes: 6:38.900 / 9:43.900 (+3:05.0, +46.4 %)",
		"the whole run: 19:06.873 / 22:02.598 (+2:55.7, +15.3 %)",
		"leader waiting for its workers (ParallelFinish) while vacuuming indexes: 1 / 182 samples (+181); in B 182 in a row",
		"leader asleep on purpose (VacuumDelay) while vacuuming indexes: 331 / 378 samples (+47)",
		"scanning heap: 8:16.415 / 8:07.061 (-9.4 s, -1.9 %)",
		"leader on CPU while vacuuming indexes: 30 / 9 samples (-21)",
		"leader in WalSync while vacuuming indexes: 18 / 0 samples (-18)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	text := documentText(t, c.Document())
	requirePlain(t, text)
	golden.RequireEqual(t, text)
}

// Of three runs a side nobody can tell what is chance, of five one can.
func TestSeveralRunsASide(t *testing.T) {
	for n, want := range map[int][]string{
		3: {
			"- vacuuming indexes: 6:58.900 / 10:03.900 on average (+3:05.0, +44.2 %);",
			" scanning heap            |  8:36.415 |  8:27.061 |  -9.4 s |  -1.8 %",
			"3 runs: too few to tell what of this is chance.",
		},
		5: {
			"- vacuuming indexes: 7:18.900 / 10:23.900 on average, +42.2 % (+31.6 to +52.7)",
			"- the whole run: 21:06.873 / 24:02.598 on average, +13.9 % (+2.9 to +24.8)",
			" scanning heap            |  8:56.415 |  8:47.061 | no: -1.7 % (-10.3 to +6.9)",
			" stddev |  0:31.623 |  0:31.623",
		},
	} {
		a, b := postedSides(t, n, 20*time.Second)
		c := compared(t, a, b)
		text := documentText(t, c.Document())
		requirePlain(t, text)
		for _, line := range want {
			if !strings.Contains(text, line) {
				t.Errorf("%d runs: no line %q in\n%s", n, line, text)
			}
		}
	}
}

// What was not seen whole is left out where there is something else, and told.
func TestRunsThatAreLeftOut(t *testing.T) {
	a, b := postedSides(t, 2, time.Second)
	a.Runs[1].Result = model.Some(model.EndCancelled)
	c := compared(t, a, b)
	if len(c.A.Runs) != 1 || len(c.A.LeftOut) != 1 || !strings.Contains(documentText(t, c.Document()), "1 vacuum of A not compared: not seen from start to end, or not completed.") {
		t.Errorf("%d runs, %d left out:\n%s", len(c.A.Runs), len(c.A.LeftOut), documentText(t, c.Document()))
	}
	a.Runs = a.Runs[1:]
	c = compared(t, a, b)
	if want := (Condition{"result", "cancelled", "completed"}); len(c.A.Runs) != 1 || !slices.Contains(c.Conditions, want) {
		t.Errorf("the only run of A: %d runs, conditions %v", len(c.A.Runs), c.Conditions)
	}
}

func TestConditionsThatDiffer(t *testing.T) {
	a, b := postedSides(t, 2, 0)
	setting := func(r *RunReport, name, value string) {
		r.Context.Settings = append(slices.Clone(r.Context.Settings), model.Setting{Name: name, Setting: model.Text(value), Source: "configuration file"})
	}
	setting(&a.Runs[0], "wal_buffers", "x")
	setting(&a.Runs[1], "wal_buffers", "y")
	setting(&b.Runs[0], "wal_compression", "lz4")
	setting(&b.Runs[1], "wal_compression", "lz4")
	b.Runs[0].Context.Server.Version = "19"
	b.Runs[1].Context.Server.Version = "19"
	got := compared(t, a, b).Conditions
	for _, want := range []Condition{
		{"server version", a.Runs[0].Context.Server.Version.Display(), "19"}, {"wal_buffers", "x, y", "-"}, {"wal_compression", "-", "lz4"},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%v is not among %v", want, got)
		}
	}
}

// Runs are compared by relation; where two sides have none in common there is nothing to
// compare, unless each has one.
func TestRelationsThatAreCompared(t *testing.T) {
	named := func(names ...string) Report {
		var out Report
		for _, n := range names {
			r := posted(t, "master")
			r.Table = model.Some(model.Text(n))
			out.Runs = append(out.Runs, r)
		}
		return out
	}
	for _, c := range []struct {
		a, b Report
		want string
	}{
		{named("a", "b", "a"), named("b", "a"), "Comparison of public.a: B against A (2 runs, 1 run)|Comparison of public.b: B against A (1 run, 1 run)"},
		{named("a", "b"), named("c", "b"), "Comparison of public.b: B against A (1 run, 1 run)"},
		{named("a"), named("b"), "Comparison: B, public.b, against A, public.a (1 run, 1 run)"},
		{named("a", "b"), named("c"), "compare: no table was vacuumed on both sides: A has public.a, public.b; B has public.c"},
		{named(), named("c"), "compare: a side has no vacuum"},
	} {
		all, err := Compare(c.a, c.b)
		var got []string
		for _, one := range all {
			got = append(got, one.title()+" ("+model.FormatCounted(len(one.A.Runs), "run", "runs")+", "+model.FormatCounted(len(one.B.Runs), "run", "runs")+")")
		}
		if err != nil {
			got = append(got, err.Error())
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s, want %s", strings.Join(got, "|"), c.want)
		}
	}
}

// Sides that were not sampled as often are compared by the time that samples stand for.
func TestSamplesAtTwoRates(t *testing.T) {
	a, b := posted(t, "patched"), posted(t, "master")
	b.Samples.Phases = slices.Clone(b.Samples.Phases)
	b.Samples.Phases[0].Waits = slices.Clone(b.Samples.Phases[0].Waits)
	for i := range b.Samples.Phases[0].Waits {
		b.Samples.Phases[0].Waits[i].Samples *= 20
	}
	c := compared(t, Report{Runs: []RunReport{a}}, Report{Runs: []RunReport{b}})
	want := "workers asleep on purpose (VacuumDelay) while vacuuming indexes: 2,170 / 65,440 samples (~+18:22.0 of process time)"
	if c.Observations[0].Text != want {
		t.Errorf("%s, want %s", c.Observations[0].Text, want)
	}
}

// A phase that one side did not go through took it no time there.
func TestPhaseOfOneSide(t *testing.T) {
	a, b := posted(t, "patched"), posted(t, "master")
	a.Phases.Totals = slices.Delete(slices.Clone(a.Phases.Totals), 1, 2)
	c := compared(t, Report{Runs: []RunReport{a}}, Report{Runs: []RunReport{b}})
	var phases []string
	for _, q := range c.Quantities {
		if q.Kind == KindTime {
			phases = append(phases, q.Phase.Display())
		}
	}
	if want := "scanning heap|vacuuming indexes|vacuuming heap|performing final cleanup|"; strings.Join(phases, "|") != want {
		t.Errorf("phases %q, want %q", strings.Join(phases, "|"), want)
	}
	if text := c.Observations[0].Text; !strings.HasPrefix(text, "vacuuming indexes: 0:00.000 / 9:43.900 (+9:43.9)") {
		t.Error(text)
	}
}
