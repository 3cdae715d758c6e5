package poll

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A memory that does not hold all dead rows: how many passes that makes is foreseen, each
// is counted, time adds up over them, and the setting is named. From 17 on the memory is
// in bytes and can be over its end.
func TestMemoryThatDoesNotHoldAllDeadRows(t *testing.T) {
	for major, passes := range map[int]int{13: 3, 16: 3, 17: 2, 18: 2} {
		t.Run(fmt.Sprint(major), func(t *testing.T) {
			s := pgtest.Shared(t, major)
			s.MakeTable(t, pgtest.Table{Name: "mp", Rows: 1_000_000, Indexes: 2, DeadEvery: 2})
			fullest, foreseen, said := model.Memory{}, 0, ""
			var over *model.Run
			watchUntil(t, s, func() {
				s.Vacuum(t, "mp", "(parallel 2)", "maintenance_work_mem=1MB", "min_parallel_index_scan_size=0", "vacuum_cost_delay=2ms", "vacuum_cost_limit=130")
			}, func(snapshot *model.Snapshot) bool {
				r := runOf(snapshot, "mp")
				if r == nil {
					return false
				}
				if r.Memory.Known() && r.Memory.Used > fullest.Used {
					fullest = r.Memory
				}
				if r.IndexPass() == 0 && r.Memory.Projected.Known() {
					foreseen = r.Memory.Passes.Or(0)
				}
				if r.IndexPass() > 0 {
					for _, f := range model.Findings(snapshot, r) {
						said += f.Sentence + " "
					}
				}
				if r.End != nil && !r.End.Open {
					over = r
				}
				return over != nil
			})
			if foreseen < passes-1 || foreseen > passes+1 || over.IndexPass() != passes || over.PassesSeen() != passes {
				t.Errorf("%d passes were foreseen, %d are counted and %d seen, want %d", foreseen, over.IndexPass(), over.PassesSeen(), passes)
			}
			if fullest.Bytes != (major >= 17) || (fullest.Fill() > 1) != (major >= 17) {
				t.Errorf("the memory at its fullest: %+v", fullest)
			}
			if !strings.Contains(said, "maintenance_work_mem") {
				t.Errorf("what helps is not said: %s", said)
			}
			var wall, all time.Duration
			for _, span := range over.Phases {
				all += span.Wall
				if span.Phase == "vacuuming indexes" {
					wall += span.Wall
				}
			}
			if off := (over.Watched() - all).Abs(); wall == 0 || off > time.Second {
				t.Errorf("the phases take %v together, the indexes %v of it; it was seen for %v", all, wall, over.Watched())
			}
		})
	}
}
