package model

// explainPhases are the columns of the phases, and the facts below them.
func explainPhases() Explained {
	return Explained{SubjectPhases, Explanation{
		What: "where the run's time went so far",
		More: "A phase is known to one sample. Those of several index passes stand together; the page of the vacuum (enter) has each.",
	}, []Explanation{
		{Name: "phase", What: "in the server's words, in order; of several passes together", Source: "phase of pg_stat_progress_vacuum"},
		{
			Name: "pass", What: "the index pass it belongs to, counted from 1",
			More:   "A second pass is needed when the memory for dead rows fills up before the end of the table.",
			Source: "index_vacuum_count of pg_stat_progress_vacuum, which counts those that are over",
		},
		{Name: "from", What: "when it began", Unit: "the server's clock, in this machine's time zone", Source: "the first sample that saw it"},
		{Name: "time", What: "how long it took (≥: it was not seen from its start)", Source: "from its first sample to the first of the next phase"},
		{
			Name: "process-time", What: "the time of all its processes together",
			More:   "That the leader and the workers lived in the phase, added up: four processes for 10 s are 40 s.",
			Source: "pid and leader_pid of pg_stat_activity, in samples",
		},
		{
			Name: "delayed", What: "what they slept on purpose (cost delay), together",
			More:     "Of all processes of the vacuum. ≈: from samples.",
			Source:   "delay_time of pg_stat_progress_vacuum, else samples of Timeout/VacuumDelay",
			Versions: "the server counts it from 18 on, where track_cost_delay_timing is on in the vacuum's session",
			Traps:    "workers report about once a second; together they sleep more than the phase takes",
		},
		{Name: "share", What: "delayed, of process-time", Unit: "%", Source: "delayed / process-time", Traps: "not shown for less than 3 s"},
		{
			Name: "rate", What: "pages of the table, or indexes, on average",
			Unit:     "pages per second, indexes per minute, rows per second",
			Source:   "heap_blks_scanned, heap_blks_vacuumed, indexes_processed, heap_tuples_scanned",
			Versions: "indexes are counted from 17 on",
			Traps:    "pages skipped as all-visible count as scanned: it can be far above what is read",
		},
		{
			Name: "done", What: "pages or indexes, of how many; last: where it was last seen",
			Source: "heap_blks_scanned or heap_blks_vacuumed of heap_blks_total; indexes_processed of indexes_total",
			Traps:  "a position and no amount of work: it always ends at the total",
		},
		{
			Name: "dead rows", What: "pointers to dead rows, collected for the next index pass",
			Source:   "num_dead_item_ids of pg_stat_progress_vacuum",
			Versions: "num_dead_tuples up to 16",
			Traps:    "they keep their number through the index pass, and begin anew when the scan goes on",
		},
		{
			Name: "memory", What: "what they take, of what is allowed; index passes to expect",
			More:     "Of maintenance_work_mem, or for autovacuum of autovacuum_work_mem. ≈ full at the scan's end: how full it will be; above 100 % another pass over all indexes will come.",
			Unit:     "bytes; up to 16 row pointers",
			Source:   "dead_tuple_bytes of max_dead_tuple_bytes",
			Versions: "num_dead_tuples of max_dead_tuples up to 16, where it also ends at 1 GB; from 17 on it can be passed a little",
			Traps:    "it grows in jumps; below 1 MB and with workers the first of them is more than all (from 17 on): a pass for every page",
		},
		{Name: "table", What: "its size as the vacuum found it, without its indexes", Source: "heap_blks_total x block_size", Traps: "what is cut off at the end is not taken from it"},
		{Name: "samples", What: "how often its processes were looked at; missed: and were not", Source: "the samples, about 20 a second"},
		{Name: "seen for", What: "watching began in the middle: that much of elapsed was seen", Traps: "shares and times are of what was seen"},
	}}
}

// explainNames are the phases themselves.
func explainNames() Explained {
	return Explained{SubjectNames, Explanation{What: "what a vacuum does in each phase", More: "The texts are the same in 13 to 19."}, []Explanation{
		{Name: "initializing", What: "it prepares the scan", Traps: "all counters are 0; mostly too short to be seen"},
		{
			Name: "scanning heap", What: "it reads the table, prunes, freezes, and collects dead rows",
			More:   "Pages that are all-visible are skipped. A table without indexes is cleaned in this phase alone.",
			Source: "heap_blks_scanned of heap_blks_total: a position",
			Traps:  "it stops for an index pass when the memory for dead rows is full, and goes on after it",
		},
		{
			Name: "vacuuming indexes", What: "it removes the collected dead rows from all indexes",
			More:     "The only phase, beside cleaning up indexes, with parallel workers: each takes whole indexes.",
			Source:   "indexes_processed of indexes_total",
			Versions: "nothing is counted before 17; from 14 on it is left out where less than 2 % of the pages have dead rows, and in failsafe mode",
			Traps:    "an index counts when all of it is done; which one a process is at, no version tells",
		},
		{Name: "vacuuming heap", What: "it frees the dead rows that no index points to any more", Source: "heap_blks_vacuumed of heap_blks_total: a position", Traps: "only pages with dead rows are visited, so it jumps"},
		{Name: "cleaning up indexes", What: "each index's last part: free pages, statistics", Source: "indexes_processed of indexes_total", Versions: "nothing is counted before 17", Traps: "some kinds of index are read from end to end here"},
		{
			Name: "truncating heap", What: "it cuts off the empty end of the table",
			More:   "Nobody may read or write the table for that moment. It tries for the lock for 5 s and gives up where others use the table; TRUNCATE off leaves it out.",
			Source: "Timeout/VacuumTruncate while it tries", Versions: "that wait has no name before 15",
		},
		{Name: "performing final cleanup", What: "free space map, statistics, pg_class"},
		{Name: "seq scanning heap", What: "FULL, CLUSTER, REPACK: it reads the table from end to end", Source: "heap_blks_scanned, heap_tuples_scanned of pg_stat_progress_cluster", Versions: "pg_stat_progress_repack on 19"},
		{Name: "index scanning heap", What: "CLUSTER, REPACK: it reads the table in the order of an index", Source: "heap_tuples_scanned", Traps: "no page is counted, so no time left can be told"},
		{Name: "sorting tuples", What: "CLUSTER, REPACK: it sorts the rows", Traps: "nothing counts"},
		{Name: "writing new heap", What: "CLUSTER, REPACK: it writes the sorted rows", Source: "heap_tuples_written"},
		{Name: "catch-up", What: "REPACK (CONCURRENTLY): it applies what changed meanwhile", Versions: "19"},
		{Name: "swapping relation files", What: "the new table takes the old one's place"},
		{Name: "rebuilding index", What: "FULL, CLUSTER, REPACK: each index is built anew", Source: "index_rebuild_count"},
	}}
}

// explainDelay are the lines of the chart and the numbers below it.
func explainDelay() Explained {
	return Explained{SubjectDelay, Explanation{
		What: "how the run's process-time, and what it slept of it, grew",
		More: "Both grow from the left, where the vacuum began or, with \"since\", was first seen. Of two lines far apart it worked; side by side it slept.",
	}, []Explanation{
		{Name: "process-time", What: "the time of all processes together: four for 10 s are 40 s", Source: "pid and leader_pid of pg_stat_activity, in samples"},
		{
			Name: "delayed", What: "what they slept on purpose (cost delay), together",
			More:   "≈delayed: the line is of the samples, as the server reports nothing.",
			Source: "delay_time of pg_stat_progress_vacuum, else samples of Timeout/VacuumDelay",
		},
		{
			Name: "reported", What: "delayed as the server counts it: delay_time, 18 and newer",
			More:     "A VACUUM takes track_cost_delay_timing from its session when it begins; an autovacuum follows a reload. Setting it needs a superuser or GRANT SET ON PARAMETER (for ALTER SYSTEM: GRANT ALTER SYSTEM ON PARAMETER, and pg_reload_conf()).",
			Source:   "delay_time of pg_stat_progress_vacuum",
			Versions: "18 and newer",
			Traps:    "it is 0, not absent, where track_cost_delay_timing is off; workers add theirs about once a second, so it climbs in steps",
		},
		{
			Name: "sampled", What: "delayed by samples of VacuumDelay, with its 95 % interval",
			More:   "± is half of that interval. It differs from reported by chance; because workers add theirs about once a second; because a short nap can fall between two samples; and where track_cost_delay_timing was switched on in the middle. By more than three sampling errors (the standard error: ± is about two): it is said.",
			Source: "samples of Timeout/VacuumDelay, each weighed by the time since the one before",
			Traps:  "on a busy machine it is less than what was slept",
		},
		{Name: "share", What: "delayed, of process-time", Unit: "%", Source: "reported, else sampled, of process-time"},
		{Name: "below the line", What: "phases, and the time at which each began", Traps: "short ones have no room for a name"},
	}}
}
