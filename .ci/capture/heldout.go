package main

import (
	"fmt"
	"time"
)

// heldOut are of other sizes, with other dead rows and other limits, and known to the
// statistics: no number of the estimates was fitted to them (model/testdata/heldout).
var heldOut = []kind{
	{name: "throttled-h", rows: 700_000, indexes: 5, more: scattered(0.3, 0.15), settings: cost(8, 180)},
	{name: "throttled-i", rows: 350_000, pad: 250, indexes: 1, more: scattered(0.7, 0.03), settings: cost(15, 300)},
	{name: "parallel-h", rows: 450_000, indexes: 5, more: scattered(0.2, 0.3), options: "(parallel 4)", settings: append(cost(6, 80), "max_parallel_maintenance_workers=4")},
	{name: "passes-h", rows: 1_300_000, indexes: 4, more: scattered(0.1, 0.45), options: "(parallel 0)", settings: append(cost(10, 500), "maintenance_work_mem=1MB")},
	{name: "visible-h", rows: 1_300_000, indexes: 2, more: append([]string{"vacuum (freeze) t"}, scatteredIn(0.4, 0.5, "id between 200000 and 500000")...), settings: cost(8, 100)},
	{name: "huge-h", rows: 500_000, indexes: 2, more: append([]string{"create index on t ((pad || pad || a0 || pad))"}, scattered(0.6, 0.2)...), settings: cost(10, 300)},
	{name: "cold-h", rows: 600_000, indexes: 2, more: append(scattered(0.33, 0.2), cold()...), settings: cost(8, 250)},
	{name: "bare-h", rows: 900_000, pad: 150, more: scattered(0.15, 0.1), settings: cost(12, 250)},
	{name: "bypass-h", rows: 1_100_000, indexes: 2, more: scattered(0.25, 0.0001), settings: cost(10, 120)},
	{name: "free-h", rows: 8_000_000, indexes: 4, more: scattered(0.35, 0.25), settings: []string{"vacuum_cost_delay=0", "maintenance_work_mem=256MB"}, options: "(parallel 0)", interval: 500 * time.Millisecond},
	{name: "auto-h", rows: 900_000, pad: 300, indexes: 3, more: scattered(0.45, 0.2), server: autovacuum, auto: autovacuumed(noAnalyze)},
	{name: "autopasses-h", rows: 1_400_000, indexes: 3, more: scattered(0.55, 0.4), server: append([]string{"autovacuum_work_mem=1MB", "autovacuum_vacuum_cost_limit=150"}, autovacuum...), auto: autovacuumed(noAnalyze)},
	{name: "autoparallel-h", rows: 500_000, indexes: 6, more: scattered(0.65, 0.25), server: append([]string{"autovacuum_max_parallel_workers=2", "max_parallel_workers=16", "max_worker_processes=16", "autovacuum_vacuum_cost_delay=8"}, autovacuum...), auto: autovacuumed(noAnalyze + ", autovacuum_parallel_workers = 2")},
	{name: "aggressive-h", rows: 700_000, indexes: 2, more: append(visible("id % 70 = 0"), "analyze t"), settings: append(cost(10, 200), "vacuum_freeze_table_age=0", "vacuum_freeze_min_age=0")},
	{name: "wraparound-h", rows: 800_000, indexes: 2, more: append(scattered(0.75, 0.08), age(90_000)), server: append([]string{"autovacuum_freeze_max_age=100000", "autovacuum_vacuum_cost_delay=4", "autovacuum_vacuum_cost_limit=150"}, autovacuum...), auto: []string{age(12_000)}},
	{name: "freeze-h", rows: 700_000, indexes: 4, more: scattered(0.85, 0.12), options: "(freeze)", settings: cost(10, 250)},
	{name: "freeze-i", rows: 1_000_000, indexes: 3, more: append([]string{"vacuum (freeze) t"}, scatteredIn(0.5, 0.5, "id > 700000")...), options: "(freeze)", settings: cost(8, 100)},
	{name: "failsafe-h", rows: 1_400_000, indexes: 2, more: append(scattered(0.95, 0.5), age(95_000)), server: []string{"autovacuum_freeze_max_age=100000", "vacuum_failsafe_age=0"}, options: "(parallel 0)", settings: append(cost(10, 220), "maintenance_work_mem=1MB"), middle: []string{age(20_000)}, after: 22 * time.Second, interval: 500 * time.Millisecond},
	{name: "analyze-h", rows: 600_000, indexes: 2, more: scattered(0.05, 0.2), options: "(analyze)", settings: cost(12, 200)},
	{name: "changed-h", rows: 900_000, indexes: 3, more: scattered(0.9, 0.2), server: append([]string{"autovacuum_vacuum_cost_delay=15"}, autovacuum...), auto: autovacuumed(noAnalyze), middle: []string{"alter system set autovacuum_vacuum_cost_delay = 6", "select pg_reload_conf()"}, after: 9 * time.Second},
	{name: "pinned-h", rows: 500_000, indexes: 2, more: scattered(0.8, 0.2), options: "(freeze)", settings: cost(10, 200), middle: pinned(200_000, 6), after: 2 * time.Second},
}

// scattered removes a share of the rows, wherever they lie.
func scattered(seed, share float64) []string { return scatteredIn(seed, share, "true") }

func scatteredIn(seed, share float64, where string) []string {
	return []string{"analyze t", fmt.Sprintf("select setseed(%g)", seed), fmt.Sprintf("delete from t where (%s) and random() < %g", where, share)}
}
