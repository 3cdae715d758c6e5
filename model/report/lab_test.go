package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// postedIO is what was posted of a COPY-only workload under one setting of freezing.
type postedIO struct {
	WAL            float64 `json:"wal_gb"`
	Writes         int64   `json:"checkpointer_bgwriter_writes"`
	Other          int64   `json:"other_reads_writes"`
	AutovacuumTime int64   `json:"io_time_autovacuum_worker"` // in ms
	P99            int64   `json:"p99_latency"`
	Total          float64 `json:"total"`
	Mean           float64 `json:"mean"`
	StdDev         float64 `json:"stddev"`
}

// postedLab is the posted experiment as one that was measured here: a run of each setting.
// Of its COPYs not the values were posted; those here have their mean and spread.
func postedLab(t *testing.T) experiment.Lab {
	t.Helper()
	text, err := os.ReadFile("testdata/seeds/freeze-workloads.json")
	if err != nil {
		t.Fatal(err)
	}
	var posted map[string]map[string]postedIO
	if err := json.Unmarshal(text, &posted); err != nil {
		t.Fatal(err)
	}
	l := experiment.Lab{
		Workload: "copy", Summary: "COPY of rows into a table, again and again", Clients: 1, Duration: 21 * time.Minute, Scale: 100, Seed: 1, Runs: 1,
		Expected: experiment.Expected{Freezing: true, Aggressive: true},
	}
	for i, setting := range []string{"M", "4", "5"} {
		io, latency, copies := posted["F_io"][setting], posted["F_p99"][setting], posted["F_copy_ms"][setting]
		began := time.Date(2023, 12, 1, i, 0, 0, 0, time.UTC)
		r := experiment.Run{Number: i + 1, At: began, Duration: l.Duration, Measures: experiment.Measures{
			WAL: experiment.WAL{Bytes: model.Some(model.Bytes(io.WAL * (1 << 30)))},
			IO: experiment.IO{
				From: "pg_stat_io", CheckpointerWriter: model.Some(io.Writes), OtherWrites: model.Some(io.Other),
				AutovacuumTime: model.Some(time.Duration(io.AutovacuumTime) * time.Millisecond),
			},
			Latency:   experiment.NewLatency(began, l.Duration),
			Durations: []experiment.Durations{{What: "COPY", Each: spread(copies)}},
			Vacuums: []experiment.Vacuum{
				{Table: "copied", Start: began.Add(time.Minute), End: began.Add(4 * time.Minute), Kind: experiment.VacuumNormal},
				{Table: "copied", Start: began.Add(10 * time.Minute), End: began.Add(12 * time.Minute), Kind: experiment.VacuumAggressive},
			},
			VacuumsFrom:  "the server's log",
			Waits:        []experiment.Wait{{Backend: "client backend", Type: "IO", Event: "WalSync", Samples: 40}, {Backend: "client backend", Samples: 9}},
			WaitInterval: 100 * time.Millisecond,
			Pages:        experiment.Pages{Frozen: model.Some(int64(1000 * i))},
		}}
		for n := range 200 {
			took := time.Second
			if n > 190 {
				took = time.Duration(latency.P99) * time.Millisecond
			}
			r.Latency.Add(began.Add(time.Duration(n)*6*time.Second), took)
		}
		l.Sides = append(l.Sides, experiment.Side{
			Name: setting, Settings: []string{"algorithm=" + setting}, Runs: []experiment.Run{r},
			Programs: experiment.ServerPrograms{Version: "17devel", DebugAssertions: setting == "5", Fsync: true, FullPageWrites: true},
		})
	}
	return l
}

// spread are as many durations as were posted, with their mean and standard deviation.
func spread(p postedIO) []time.Duration {
	n := int(math.Round(p.Total / p.Mean))
	away := p.StdDev * math.Sqrt(float64(n-1)/float64(n))
	var out []time.Duration
	for i := range n {
		ms := p.Mean + away
		if i%2 == 1 {
			ms = p.Mean - away
		}
		out = append(out, model.Milliseconds(ms))
	}
	return out
}

func TestPostedFreezing(t *testing.T) {
	var out bytes.Buffer
	if err := WriteDocumentsText(&out, []Document{LabDocument(postedLab(t))}, ""); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if ansi.StringWidth(line) > width {
			t.Errorf("a line of %d columns: %s", ansi.StringWidth(line), line)
		}
	}
	for _, want := range []string{"-8.2 % (-9.7 to -6.6)", "no difference found: -1.6 % (-3.4 to +0.1)", "+9.2 %", "1,202,231", "run 1, M: vacuum froze 0 pages", "5: debug_assertions is on"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q", want)
		}
	}
	golden.RequireEqual(t, out.Bytes())
}

// Programs read the same from every format; what is not known is null, and a side without
// a value has no line.
func TestLabForPrograms(t *testing.T) {
	l := postedLab(t)
	l.Sides[2].Runs = nil
	var out bytes.Buffer
	if err := WriteLabJSON(&out, l, make([]Report, 3)); err != nil {
		t.Fatal(err)
	}
	var d struct {
		Format     string   `json:"format"`
		Remarks    []string `json:"remarks"`
		Sides      []struct{ Runs []json.RawMessage }
		Quantities []struct {
			Quantity, Side, Unit string
			Mean                 float64
			Ratio                model.Opt[float64] `json:"change_ratio"`
		}
		Durations []struct {
			Side  string
			Words model.Opt[bool] `json:"difference_found"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	if d.Format != "vacscope.lab" || len(d.Sides) != 3 || len(d.Sides[2].Runs) != 0 || len(d.Durations) != 2 || !d.Durations[1].Words.Or(false) {
		t.Errorf("the document is %+v", d)
	}
	found := false
	for _, q := range d.Quantities {
		if q.Side == "5" {
			t.Errorf("a side without a run has %s", q.Quantity)
		}
		if q.Quantity == "WAL" && q.Side == "4" {
			found = true
			if q.Unit != "bytes" || q.Mean != 189<<30 || math.Abs(q.Ratio.Or(0)-16.0/173) > 1e-9 {
				t.Errorf("WAL is %+v", q)
			}
		}
	}
	if !found {
		t.Error("WAL is missing")
	}
	out.Reset()
	if err := WriteLabCSV(&out, l); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil || len(rows) != 1+len(d.Quantities)+len(d.Durations) {
		t.Errorf("%d lines of CSV, and %v", len(rows), err)
	}
}
