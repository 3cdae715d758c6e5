package experiment

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// The logs were written by servers whose log_line_prefix was LogLinePrefix.
func TestVacuumLogReadsEveryMajor(t *testing.T) {
	for major := 13; major <= 19; major++ {
		t.Run(fmt.Sprint("pg", major), func(t *testing.T) {
			var log VacuumLog
			readLines(t, &log, fmt.Sprintf("testdata/vacuum_log_%d.txt", major))
			last := VacuumFailsafe
			if major < 14 {
				last = VacuumAggressive
			}
			want := []struct {
				kind      VacuumKind
				startedBy string
				removed   int64
				frozen    [2]int64 // pages, tuples
			}{
				{VacuumNormal, model.ByAutovacuum, 199, [2]int64{0, 0}},
				{VacuumAggressive, model.ByAutovacuum, 99, [2]int64{15, 3000}},
				{last, model.ByAutovacuumWraparound, 49, [2]int64{0, 0}},
			}
			if len(log.Vacuums()) != len(want) {
				t.Fatalf("read %v", log.Vacuums())
			}
			for i, v := range log.Vacuums() {
				w := want[i]
				if v.Table != "public.t" || v.Kind != w.kind || v.StartedBy != w.startedBy || v.TuplesRemoved != w.removed {
					t.Errorf("vacuum %d: %+v, expected %+v", i, v, w)
				}
				if v.Pages != 15 || v.PagesScanned != 15 {
					t.Errorf("vacuum %d read %d of %d pages", i, v.PagesScanned, v.Pages)
				}
				pages, known := v.PagesFrozen.Get()
				if known != (major >= 16) || known && [2]int64{pages, v.TuplesFrozen.Or(-1)} != w.frozen {
					t.Errorf("vacuum %d froze %v, expected %v", i, v, w.frozen)
				}
				if i > 0 && !v.End.After(log.Vacuums()[i-1].End) {
					t.Errorf("vacuum %d ended at %s", i, v.End)
				}
			}
		})
	}
}

func TestVacuumLogTellsStartAndEnd(t *testing.T) {
	var log VacuumLog
	for line := range strings.Lines(`1796097501.050 [7]:LOG:  checkpoint starting: time
	system usage: CPU: user: 0.00 s, system: 0.00 s, elapsed: 1.00 s
1796097501.050 [26021]:LOG:  automatic vacuum of table "a db.public.my.table": index scans: 1
	a line of a version to come
	system usage: CPU: user: 0.07 s, system: 0.01 s, elapsed: 2.29 s
1796097502.050 [26021]:LOG:  automatic analyze of table "a db.public.my.table"
	system usage: CPU: user: 0.07 s, system: 0.01 s, elapsed: 9.00 s
not a line of this prefix
	system usage: CPU: user: 0.07 s, system: 0.01 s, elapsed: 9.00 s
`) {
		log.Line(strings.TrimSuffix(line, "\n"))
	}
	if len(log.Vacuums()) != 1 {
		t.Fatalf("read %v", log.Vacuums())
	}
	v := log.Vacuums()[0]
	if v.Table != "public.my.table" || !v.End.Equal(time.UnixMilli(1796097501050)) || v.Lasted() != 2290*time.Millisecond {
		t.Errorf("read %s of %s until %s", v.Lasted(), v.Table, v.End)
	}
}

func TestVacuumLogTellsThePagesRead(t *testing.T) {
	for _, line := range []string{
		"	pages: 0 removed, 1000 remain, 1 skipped due to pins, 900 skipped frozen",
		"	pages: 7 removed, 1000 remain, 100 scanned (10.00% of total), 0 eagerly scanned",
	} {
		var log VacuumLog
		log.Line(`1796097501.050 [7]:LOG:  automatic vacuum of table "a.public.t": index scans: 1`)
		log.Line(line)
		if v := log.Vacuums()[0]; v.Pages != 1000 || v.PagesScanned != 100 {
			t.Errorf("%s: read %d of %d", line, v.PagesScanned, v.Pages)
		}
	}
}

// A failsafe is that of the vacuum that said so: neither of one by another process nor of
// the next of the same process.
func TestVacuumLogKeepsFailsafesApart(t *testing.T) {
	var log VacuumLog
	for line := range strings.Lines(`1796097501.050 [1]:WARNING:  bypassing nonessential maintenance of table "d.public.a" as a failsafe after 0 index scans
1796097501.051 [2]:LOG:  automatic vacuum of table "d.public.a": index scans: 1
1796097501.052 [1]:LOG:  automatic aggressive vacuum to prevent wraparound of table "d.public.a": index scans: 0
1796097501.053 [1]:LOG:  automatic aggressive vacuum to prevent wraparound of table "d.public.a": index scans: 0
`) {
		log.Line(strings.TrimSuffix(line, "\n"))
	}
	var kinds []VacuumKind
	for _, v := range log.Vacuums() {
		kinds = append(kinds, v.Kind)
	}
	if fmt.Sprint(kinds) != "[normal failsafe aggressive]" {
		t.Errorf("read %v", kinds)
	}
}

func readLines(t *testing.T, log *VacuumLog, path string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		log.Line(lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}
