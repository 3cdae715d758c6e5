package statistics

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"example.com/vacscope/model"
)

// published are the durations of COPY under three settings of freezing, as posted: not
// the values but what they add up to, their mean and how they spread.
type published map[string]struct{ Total, Mean, StdDev float64 }

func readPublished(t *testing.T, workload string) published {
	t.Helper()
	text, err := os.ReadFile("../testdata/seeds/freeze-workloads.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]json.RawMessage
	var p published
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(all[workload], &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p published) sample(t *testing.T, setting string, n int) Sample {
	t.Helper()
	s := p[setting]
	if got := math.Round(s.Total / s.Mean); got != float64(n) {
		t.Errorf("setting %s has %v values, want %d", setting, got, n)
	}
	return Sample{N: n, Mean: s.Mean, StdDev: s.StdDev}
}

func TestPublishedDurationsOfCopy(t *testing.T) {
	for _, c := range []struct {
		workload string
		n        int
		want     map[string]string
	}{
		{"F_copy_ms", 70, map[string]string{"4": "-8.2 % (-9.7 to -6.6)", "5": "no difference found: -1.6 % (-3.4 to +0.1)"}},
		{"I_copy_ms", 39, map[string]string{"4": "no difference found: +1.3 % (-6.1 to +8.7)", "5": "no difference found: +1.7 % (-5.6 to +9.0)"}},
	} {
		p := readPublished(t, c.workload)
		for setting, want := range c.want {
			got := Compare(p.sample(t, "M", c.n), p.sample(t, setting, c.n)).Words("run", "runs")
			if got != want {
				t.Errorf("%s, setting %s: %s, want %s", c.workload, setting, got, want)
			}
		}
	}
}

func TestSummary(t *testing.T) {
	if Summarize(nil).Known() {
		t.Error("no values have a summary")
	}
	one, _ := Summarize([]float64{7}).Get()
	if want := (Summary{N: 1, Total: 7, Mean: 7, Median: 7, Min: 7, Max: 7}); one != want {
		t.Errorf("one value: %+v, want %+v", one, want)
	}
	values := []float64{9, 2, 4, 4, 5, 4, 7, 5}
	many, _ := Summarize(values).Get()
	if math.Abs(many.StdDev.Or(0)-2.138) > 0.001 {
		t.Errorf("standard deviation %v, want 2.138", many.StdDev)
	}
	many.StdDev = model.None[float64]()
	if want := (Summary{N: 8, Total: 40, Mean: 5, Median: 4.5, Min: 2, Max: 9}); many != want {
		t.Errorf("eight values: %+v, want %+v", many, want)
	}
	if values[0] != 9 {
		t.Error("the values were sorted where they stood")
	}
}

// A percentile is told where the sample holds it.
func TestPercentiles(t *testing.T) {
	none := model.None[float64]()
	for _, c := range []struct {
		n        int
		p95, p99 model.Opt[float64]
	}{
		{19, none, none},
		{20, model.Some(19.0), none},
		{99, model.Some(95.0), none},
		{100, model.Some(95.0), model.Some(99.0)},
		{1000, model.Some(950.0), model.Some(990.0)},
	} {
		values := make([]float64, c.n)
		for i := range values {
			values[i] = float64(c.n - i)
		}
		s, _ := Summarize(values).Get()
		if s.P95 != c.p95 || s.P99 != c.p99 {
			t.Errorf("of %d values P95 is %v and P99 %v, want %v and %v", c.n, s.P95, s.P99, c.p95, c.p99)
		}
	}
}

func TestDifferencesInWords(t *testing.T) {
	for _, c := range []struct {
		what string
		a, b Sample
		want string
	}{
		{"no run", Sample{}, Sample{N: 9, Mean: 1}, "0 runs: too few to tell"},
		{"one run", Sample{N: 1, Mean: 10}, Sample{N: 9, Mean: 20, StdDev: 1}, "1 run: too few to tell"},
		{"three runs", Sample{N: 12, Mean: 10, StdDev: 1}, Sample{N: 3, Mean: 20, StdDev: 1}, "3 runs: too few to tell"},
		{"four runs", Sample{N: 4, Mean: 10, StdDev: 1}, Sample{N: 4, Mean: 20, StdDev: 1}, "+100.0 % (+82.7 to +117.3)"},
		{"all alike", Sample{N: 4, Mean: 10}, Sample{N: 4, Mean: 10}, "no difference found: +0.0 % (+0.0 to +0.0)"},
		{"without spread", Sample{N: 4, Mean: 10}, Sample{N: 4, Mean: 9}, "-10.0 % (-10.0 to -10.0)"},
		{"one side without spread", Sample{N: 4, Mean: 10}, Sample{N: 4, Mean: 20, StdDev: 1}, "+100.0 % (+84.1 to +115.9)"},
		{"a hair less", Sample{N: 50, Mean: 10, StdDev: 1}, Sample{N: 50, Mean: 9.9999, StdDev: 1}, "no difference found: +0.0 % (-4.0 to +4.0)"},
		{"against nothing", Sample{N: 4}, Sample{N: 4, Mean: 20, StdDev: 1}, "no difference can be told in percent: the mean is 0"},
	} {
		if got := Compare(c.a, c.b).Words("run", "runs"); got != c.want {
			t.Errorf("%s: %s, want %s", c.what, got, c.want)
		}
	}
}
