package report

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

func TestDurationsFromFiles(t *testing.T) {
	for _, c := range []struct {
		what, text, want string
	}{
		{"CSV", "variant,ms\nM,18155\n4,16673.5\nM,17000\n", "M:18155 17000|4:16673.5"},
		{"CSV in another order, with more in it", "\xef\xbb\xbfms,run, Side ,note\r\n1.5,1,a,x\r\n2.5,2,\"b,c\",y\r\n", "a:1.5|b,c:2.5"},
		{"CSV without sides", "duration_ms\n12\n13\n", "file:12 13"},
		{"JSON lines", `{"side":"patched","ms":12.5,"run":1}` + "\n\n" + `{"side":4,"milliseconds":3}` + "\n", "patched:12.5|4:3"},
		{"JSON without sides", `{"ms":1e3}`, "file:1000"},
		{"one number a line", "12\n 13.25 \n\n1e2\n", "file:12 13.25 100"},
		{"numbers behind many blanks", strings.Repeat(" \t", 3000) + "\n12\n", "file:12"},
		{"JSON behind many lines", strings.Repeat("\r\n", 5000) + `{"ms":3}`, "file:3"},
		{"CSV behind many lines", strings.Repeat("  \n", 5000) + "side,ms\na,3\n", "a:3"},
		{"pgbench", "0 199 2241 0 1175850568 995598\n0 200 skipped 0 1175850568 998079 5\n1 201 failed 0 1175850569 608\n0 202 2038.5 0 1175850569 2663\n", "file:2.241 2.0385, 2 without"},
	} {
		var d Durations
		if err := d.Read(strings.NewReader(c.text), "file"); err != nil {
			t.Errorf("%s: %v", c.what, err)
		}
		if got := listed(d); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}

func TestDurationsThatCannotBeRead(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "it has no line",
		" \n\n":                                 "it has no line",
		"variant,seconds\nM,1\n":                "its first line has no column ms",
		"variant,ms\nM,1\nM,fast\n":             `line 3: "fast" is no number of milliseconds`,
		"variant,ms\nM\n":                       "record on line 2: wrong number of fields",
		"ms\nNaN\n":                             `line 2: "NaN" is no number of milliseconds`,
		"ms\n-1\n":                              `line 2: "-1" is no number of milliseconds`,
		"{\"side\":\"a\"}\n":                    "line 1: it has no ms",
		"{\"ms\":1}\n{\"ms\"\n":                 "line 2: it is no JSON object: unexpected EOF",
		"{\"ms\":\"\\u001b[2J\"}\n":             `line 1: "\x1b[2J" is no number of milliseconds`,
		"1\ntwo\n":                              `line 2: "two" is no number of milliseconds`,
		strings.Repeat(" \n", 5000):             "it has no line",
		strings.Repeat("\n", 5000) + "1\ntwo\n": `line 5002: "two" is no number of milliseconds`,
		strings.Repeat(" \n", 5000) + "variant,ms\nM,1\nM,fast\n": `line 5003: "fast" is no number of milliseconds`,
		"1 2\n": "line 1: it is neither a number of milliseconds nor a line of a log of pgbench -l",
		"1345828501 5601 1542744 483552416 61 2573\n": "line 1: it is of a log that pgbench aggregated; without --aggregate-interval there is a line for each transaction",
	} {
		var d Durations
		if err := d.Read(strings.NewReader(text), "file"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// listed is the sides with their durations.
func listed(d Durations) string {
	var sides []string
	for _, s := range d.Sides {
		var values []string
		for _, ms := range s.Milliseconds {
			values = append(values, strconv.FormatFloat(ms, 'f', -1, 64))
		}
		sides = append(sides, string(s.Name)+":"+strings.Join(values, " "))
	}
	out := strings.Join(sides, "|")
	if d.Without > 0 {
		out += fmt.Sprintf(", %d without", d.Without)
	}
	return out
}

// A side with a name that somebody chose, more sides than stand in one table, and a
// percentile that its sample holds.
func TestDurationsReport(t *testing.T) {
	d := Durations{Without: 3}
	for i := range 30 {
		for j, side := range []model.Text{"M", "4", "5", "a\x1b[2Jlong name of a setting", "7"} {
			if err := d.add(side, strconv.Itoa(1700+100*i*(j+1)+500*j)); err != nil {
				t.Fatal(err)
			}
		}
	}
	text := documentText(t, d.Document())
	requirePlain(t, text)
	golden.RequireEqual(t, text)
}

func TestDurationsOfFewValues(t *testing.T) {
	for text, want := range map[string]string{
		"side,ms\na,1\na,2\na,3\nb,4\nb,5\nb,6\n": " b    | 3 values: too few to tell",
		"ms\n0.0125\n":    " mean   | 0.013",
		"ms\n12345.678\n": " stddev |      -",
	} {
		var d Durations
		if err := d.Read(strings.NewReader(text), "file"); err != nil {
			t.Fatal(err)
		}
		if got := documentText(t, d.Document()); !strings.Contains(got, want) {
			t.Errorf("%q: no line %q in\n%s", text, want, got)
		}
	}
}
