package main

import (
	"slices"
	"time"
)

var deadFifth = remove("id % 5 = 0")

// kinds are the runs by which the estimates were made, and those that were held out
// from that.
var kinds = slices.Concat(tuned, heldOut, fresh)

// tuned are those by which the estimates were made.
var tuned = []kind{
	{name: "throttled-a", indexes: 4, more: deadFifth, settings: cost(10, 200)},
	{name: "throttled-b", rows: 400_000, indexes: 7, more: remove("id % 3 = 0"), settings: cost(5, 100)},
	{name: "throttled-c", rows: 800_000, indexes: 2, more: remove("id % 40 = 0"), settings: cost(20, 500)},
	{name: "parallel-a", indexes: 8, more: deadFifth, options: "(parallel 3)", settings: append(cost(10, 200), "max_parallel_maintenance_workers=3")},
	{name: "parallel-b", rows: 400_000, indexes: 6, more: deadFifth, options: "(parallel 2)", settings: append(cost(10, 150), "max_parallel_maintenance_workers=2")},
	{name: "passes-a", rows: 1_500_000, indexes: 3, more: remove("id % 3 = 0"), options: "(parallel 0)", settings: append(cost(10, 1000), "maintenance_work_mem=1MB")},
	{name: "passes-b", rows: 1_000_000, indexes: 2, more: remove("id % 2 = 0"), options: "(parallel 0)", settings: append(cost(10, 600), "maintenance_work_mem=1MB")},
	{name: "visible-a", rows: 1_500_000, indexes: 3, more: frozen("id between 300000 and 420000 or id between 900000 and 1000000"), settings: cost(10, 100)},
	{name: "visible-b", rows: 1_000_000, indexes: 2, more: frozen("id between 800000 and 900000"), settings: cost(10, 100)},
	{name: "huge-a", rows: 600_000, indexes: 3, more: append([]string{"create index on t ((pad || a1 || pad))"}, deadFifth...), settings: cost(10, 250)},
	{name: "huge-b", rows: 400_000, indexes: 4, more: append([]string{"create index on t ((a2 || pad || pad || id))"}, deadFifth...), options: "(parallel 2)", settings: append(cost(10, 200), "max_parallel_maintenance_workers=2")},
	// with dead rows that lie anywhere, and known to the statistics
	{name: "throttled-d", rows: 500_000, indexes: 3, more: scattered(0.12, 0.2), settings: cost(10, 200)},
	{name: "huge-c", rows: 450_000, indexes: 3, more: append([]string{"create index on t ((pad || a1 || pad))"}, scattered(0.52, 0.25)...), settings: cost(10, 250)},
	{name: "visible-c", rows: 1_100_000, indexes: 3, more: append([]string{"vacuum (freeze) t"}, scatteredIn(0.22, 0.4, "id between 600000 and 800000")...), settings: cost(10, 120)},
	{name: "cold-a", rows: 500_000, indexes: 3, more: append(deadFifth, cold()...), settings: cost(10, 250)},
	{name: "cold-b", rows: 400_000, indexes: 5, more: append(remove("id % 3 = 0"), cold()...), settings: cost(10, 200), options: "(parallel 2)"},
	{name: "bare-a", rows: 1_000_000, more: deadFifth, settings: cost(10, 200)},
	{name: "bypass-a", rows: 1_000_000, indexes: 3, more: remove("id % 6000 = 0"), settings: cost(10, 100)},
	{name: "free-a", rows: 3_000_000, indexes: 6, more: deadFifth, settings: []string{"vacuum_cost_delay=0", "maintenance_work_mem=256MB"}, options: "(parallel 0)", interval: 500 * time.Millisecond},
	{name: "free-b", rows: 4_000_000, indexes: 3, more: remove("id % 3 = 0"), settings: []string{"vacuum_cost_delay=0", "maintenance_work_mem=256MB"}, options: "(parallel 0)", interval: 500 * time.Millisecond},
	// past the system's cache, which a folder in memory does not take
	{name: "direct-a", rows: 900_000, pad: 700, more: deadFifth, server: []string{"debug_io_direct=data", "shared_buffers=1MB"}, settings: []string{"vacuum_cost_delay=0"}, interval: 500 * time.Millisecond},

	// autovacuum, by its defaults and by settings of its own
	{name: "auto-a", rows: 1_000_000, pad: 400, indexes: 2, more: deadFifth, server: autovacuum, auto: autovacuumed(noAnalyze)},
	{name: "auto-b", rows: 500_000, indexes: 4, more: remove("id % 4 = 0"), server: autovacuum, auto: autovacuumed(noAnalyze + ", autovacuum_vacuum_cost_delay = 10, autovacuum_vacuum_cost_limit = 150")},
	{name: "autopasses-a", rows: 1_500_000, indexes: 2, more: remove("id % 3 = 0"), server: append([]string{"autovacuum_work_mem=1MB", "autovacuum_vacuum_cost_limit=120"}, autovacuum...), auto: autovacuumed(noAnalyze)},
	{name: "autoparallel-a", rows: 600_000, indexes: 8, more: deadFifth, server: append([]string{"autovacuum_max_parallel_workers=3", "max_parallel_workers=16", "max_worker_processes=16", "autovacuum_vacuum_cost_delay=10"}, autovacuum...), auto: autovacuumed(noAnalyze + ", autovacuum_parallel_workers = 3")},
	// all pages that are not frozen: by age, against wraparound, and asked for
	{name: "aggressive-a", rows: 800_000, indexes: 3, more: visible("id % 50 = 0 and id < 400000"), settings: append(cost(10, 300), "vacuum_freeze_table_age=0", "vacuum_freeze_min_age=0")},
	{name: "wraparound-a", rows: 700_000, indexes: 3, more: append(remove("id % 10 = 0"), age(90_000)), server: append([]string{"autovacuum_freeze_max_age=100000", "autovacuum_vacuum_cost_delay=5", "autovacuum_vacuum_cost_limit=200"}, autovacuum...), auto: []string{age(12_000)}},
	{name: "wraparound-b", rows: 600_000, indexes: 2, more: append(visible("id between 1000 and 60000"), age(90_000)), server: append([]string{"autovacuum_freeze_max_age=100000", "autovacuum_vacuum_cost_delay=5", "autovacuum_vacuum_cost_limit=100"}, autovacuum...), auto: []string{age(12_000)}},
	{name: "freeze-a", rows: 600_000, indexes: 3, more: deadFifth, options: "(freeze)", settings: cost(10, 200)},
	{name: "freeze-b", rows: 1_200_000, indexes: 2, more: frozen("id between 500000 and 700000"), options: "(freeze)", settings: cost(10, 100)},
	{name: "freeze-c", rows: 800_000, indexes: 2, more: visible("id between 100000 and 140000"), options: "(freeze)", settings: cost(10, 250)},
	// failsafe, from the start and in the middle
	{name: "failsafe-a", rows: 8_000_000, indexes: 1, more: append(deadFifth, age(110_000)), server: []string{"autovacuum_freeze_max_age=100000", "vacuum_failsafe_age=0"}, settings: cost(10, 200), interval: 500 * time.Millisecond},
	{name: "failsafe-b", rows: 1_500_000, indexes: 2, more: append(remove("id % 2 = 0"), age(95_000)), server: []string{"autovacuum_freeze_max_age=100000", "vacuum_failsafe_age=0"}, options: "(parallel 0)", settings: append(cost(10, 250), "maintenance_work_mem=1MB"), middle: []string{age(20_000)}, after: 20 * time.Second, interval: 500 * time.Millisecond},
	// an ANALYZE follows
	{name: "analyze-a", rows: 500_000, indexes: 3, more: deadFifth, options: "(analyze)", settings: cost(10, 200)},
	{name: "analyze-b", rows: 700_000, indexes: 2, more: deadFifth, server: append([]string{"autovacuum_vacuum_cost_delay=5"}, autovacuum...), auto: autovacuumed("")},
	// what others do in the middle
	{name: "changed-a", rows: 800_000, indexes: 3, more: deadFifth, server: append([]string{"autovacuum_vacuum_cost_delay=4"}, autovacuum...), auto: autovacuumed(noAnalyze), middle: []string{"alter system set autovacuum_vacuum_cost_delay = 12", "select pg_reload_conf()"}, after: 5 * time.Second},
	{name: "changed-b", rows: 1_200_000, indexes: 3, more: deadFifth, server: append([]string{"autovacuum_vacuum_cost_delay=20"}, autovacuum...), auto: autovacuumed(noAnalyze), middle: []string{"alter system set autovacuum_vacuum_cost_delay = 5", "select pg_reload_conf()"}, after: 12 * time.Second},
	{name: "pinned-a", rows: 600_000, indexes: 3, more: deadFifth, options: "(freeze)", settings: cost(10, 250), middle: pinned(300_000, 8), after: 2 * time.Second},

	// one table under several settings, for what-if: plain, with many indexes, mostly
	// all-visible, and in parallel
	same("base", 10, 100), same("w1", 5, 100), same("w2", 10, 250), same("w3", 20, 125), same("w4", 2, 80), same("w5", 0, 100),
	sameMany("base", 10, 250), sameMany("w1", 5, 200), sameMany("w2", 10, 600), sameMany("w3", 20, 300), sameMany("w4", 2, 100),
	sameVisible("base", 20, 100), sameVisible("w1", 10, 100), sameVisible("w2", 20, 250), sameVisible("w3", 20, 70), sameVisible("w4", 5, 80),
	sameParallel("base", 10, 150), sameParallel("w1", 5, 150), sameParallel("w2", 10, 400), sameParallel("w3", 20, 200), sameParallel("w4", 2, 50),
}

func same(name string, delay, limit int) kind {
	return kind{name: "same-" + name, indexes: 3, more: remove("id % 4 = 0"), settings: cost(delay, limit)}
}

func sameMany(name string, delay, limit int) kind {
	return kind{name: "samemany-" + name, rows: 400_000, indexes: 12, more: remove("id % 6 = 0"), options: "(parallel 0)", settings: cost(delay, limit)}
}

func sameVisible(name string, delay, limit int) kind {
	return kind{name: "samevisible-" + name, rows: 1_200_000, indexes: 3, more: frozen("id between 400000 and 520000"), settings: cost(delay, limit)}
}

func sameParallel(name string, delay, limit int) kind {
	return kind{name: "sameparallel-" + name, rows: 500_000, indexes: 7, more: deadFifth, options: "(parallel 3)", settings: append(cost(delay, limit), "max_parallel_maintenance_workers=3")}
}
