package report

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/exp/golden"
)

// The posted comparison in the other formats.
func TestComparisonFormats(t *testing.T) {
	c := postedComparison(t)
	for format, write := range map[string]func(b *bytes.Buffer) error{
		"markdown": func(b *bytes.Buffer) error { return WriteDocumentsMarkdown(b, []Document{c.Document()}, "") },
		"json":     func(b *bytes.Buffer) error { return WriteComparisonJSON(b, []Comparison{c}) },
		"csv":      func(b *bytes.Buffer) error { return WriteComparisonCSV(b, []Comparison{c}) },
	} {
		t.Run(format, func(t *testing.T) { golden.RequireEqual(t, written(t, write)) })
	}
}

// Times are in milliseconds in the document, and say what the posted ones do.
func TestComparisonDocument(t *testing.T) {
	text := written(t, func(b *bytes.Buffer) error { return WriteComparisonJSON(b, []Comparison{postedComparison(t)}) })
	var d struct {
		Format      string
		Comparisons []struct {
			Quantities []struct {
				Kind, Unit string
				Phase      *string
				AMean      float64 `json:"a_mean"`
				BMean      float64 `json:"b_mean"`
				Change     float64
				Ratio      float64 `json:"change_ratio"`
				Found      *bool   `json:"difference_found"`
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil || d.Format != "vacscope.comparison" || len(d.Comparisons) != 1 {
		t.Fatalf("%v, %+v", err, d)
	}
	for _, q := range d.Comparisons[0].Quantities {
		if q.Kind == "time" && q.Phase == nil {
			near := func(got, want float64) bool { return math.Abs(got-want) < 0.5 }
			if q.Unit != "ms" || !near(q.AMean, 1146873) || !near(q.BMean, 1322598) || !near(q.Change, 175725) || math.Abs(q.Ratio-0.1532) > 0.0001 || q.Found != nil {
				t.Errorf("%+v", q)
			}
			return
		}
	}
	t.Error("the document has no time of the whole run")
}

func TestDurationsDocuments(t *testing.T) {
	d := Durations{Without: 2}
	for i, ms := range []string{"10", "11", "12", "13", "20", "21", "22", "23"} {
		if err := d.add([]model.Text{"=A", "B"}[i/4], ms); err != nil {
			t.Fatal(err)
		}
	}
	want := `side,n,total,mean,median,min,p95,p99,max,stddev,change,change_ratio,change_low,change_high,difference_found,difference_words
'=A,4,46,11.5,11.5,10,,,13,1.290994,,,,,,
B,4,86,21.5,21.5,20,,,23,1.290994,10,0.8695652173913043,7.766`
	if got := written(t, func(b *bytes.Buffer) error { return WriteDurationsCSV(b, d) }); !strings.HasPrefix(got, want) || !strings.HasSuffix(got, ",true,'+87.0 % (+67.5 to +106.4)\n") {
		t.Errorf("%s", got)
	}
	got := written(t, func(b *bytes.Buffer) error { return WriteDurationsJSON(b, d) })
	for _, want := range []string{`"format": "vacscope.durations"`, `"side": "=A"`, `"transactions_without_duration": 2`, `"difference_words": null`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in %s", want, got)
		}
	}
}
