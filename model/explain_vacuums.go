package model

// explainVacuums are the columns of the vacuums in sight. From the phase on they are
// about the phase, until an estimate of the whole is there.
func explainVacuums() Explained {
	const progressView = "pg_stat_progress_vacuum"
	return Explained{SubjectVacuums, Explanation{
		What: "what is being vacuumed, and below it what has ended",
		More: "VACUUM, VACUUM FULL, CLUSTER, REPACK and autovacuum, of all databases. A command over several tables is one row (17 of 50: at which it is; ≥3: the third that was seen), and → lists its parts; a connection of vacuumdb is one such command.",
	}, []Explanation{
		{
			Name: "table", What: "what is vacuumed; FULL, CLUSTER and REPACK write it anew",
			More:   "With the schema, and the database where that is another. TOAST of: the table that holds another one's long values; a VACUUM does it after its owner.",
			Source: "relid of " + progressView + ", named by pg_class and pg_namespace",
			Traps:  "in another database the name is read there, or taken from autovacuum's own statement; where neither can be, the number is shown",
		},
		{
			Name: "started by", What: "you from here, a role, or autovacuum (!: never yields)",
			Source:   "backend_type and usename of pg_stat_activity; started_by of " + progressView,
			Versions: "from 19 on the server says it; before, it is inferred from the process and its statement",
		},
		{
			Name: "phase", What: "what it does now, in the server's words",
			More:   "waiting for lock: it has not begun. not visible: this role may see only that it exists. Of one that has ended, how.",
			Source: "phase of " + progressView,
			Traps:  "a phase shorter than two samples can pass unseen",
		},
		{
			Name: "progress", What: "over the whole run, never less than before; ᵖ: of its phase",
			More:     "The time that is over, of that and the time left. Before there is an estimate, and for FULL, CLUSTER and REPACK, it is headed phase progress: the position in the table, or indexes done of all (9/21 idx).",
			Unit:     "% of the time; of the phase, % of the pages or indexes",
			Source:   "made from the time left; heap_blks_scanned, heap_blks_vacuumed, indexes_processed of " + progressView,
			Versions: "indexes are counted from 17 on",
			Traps:    "pages skipped as all-visible count as scanned, so the phase's position jumps over them",
		},
		{
			Name: "left", What: "to the end of the whole run, all passes; ᵖ: of its phase",
			More: "The range holds the end about nine times in ten. It goes by what this run has shown, and before that by the sizes of the indexes and what their pages cost beside those of the table: wide, and narrower as it goes on. How many all-visible pages are skipped, the dead rows found tell. enter lists the parts, and how each is known. " +
				"Headed phase left, where the whole is not known: to the end of the phase, at its fastest and its slowest pace of the last stretches; – in phases that count nothing, before three stretches, and when nothing moves. Of one that has ended: how long ago.",
			Unit:     "time, as a range",
			Source:   "an estimate from the counters of " + progressView + ", pg_class and the samples",
			Versions: "before 17 nothing counts within an index pass: earlier passes and index sizes tell",
			Traps: "stalled 0:42: for so long nothing has moved, and no time left can be told. unchanged 0:42, or stalled?: an index pass takes longer than estimated, and for so long every sample of it was alike: it is busy, or was stopped; " +
				"nothing tells which where it sleeps nearly always, or never, and no delay_time is counted",
		},
		{
			Name: "elapsed", What: "since this vacuum began; if that was not seen, its statement",
			Source: "query_start of pg_stat_activity, and when the table was first seen",
			Traps:  "one statement can vacuum several tables, and query_start is that of the first",
		},
		{
			Name: "delayed", What: "share of the phase slept on purpose; once ended, of the run",
			More:     "Asleep in the cost delay, of the time of all its processes.",
			Unit:     "% of process-time",
			Source:   "delay_time of " + progressView + ", else samples of Timeout/VacuumDelay (≈)",
			Versions: "the server counts it from 18 on, where track_cost_delay_timing is on in the vacuum's session",
			Traps:    "not shown for less than 3 s; 75 % of 4 processes is 75 %, not 300 %",
		},
		{
			Name: "workers", What: "parallel workers: launched/planned, or those at work",
			More:     "Launched: seen in the current or last index pass. Planned: what the indexes and max_parallel_maintenance_workers allow, ≈ as it goes by the watching session's settings. Asked: PARALLEL n of the statement; without one, as many as there are indexes for. One number alone: launched, or at work where none is planned.",
			Source:   "leader_pid of pg_stat_activity; pg_class and pg_settings for the plan; the notice of a vacuum sent from here",
			Versions: "autovacuum has workers from 19 on, where autovacuum_max_parallel_workers is above 0",
			Traps:    "they live only while indexes are vacuumed or cleaned up, each pass has new ones, and each sleeps for its own work: n workers read n times as much",
		},
	}}
}

// explainEndings are what can be said of a vacuum that is over.
func explainEndings() Explained {
	return Explained{SubjectEndings, Explanation{
		What: "what can be known of a vacuum that is over",
		More: "The server tells only who sent it how it ended; from outside, the statistics do. It stays in the list until newer ones push it out.",
	}, []Explanation{
		{
			Name: "completed", What: "it vacuumed the table to its end",
			Source: "the command's tag, where it was sent from here; else vacuum_count or autovacuum_count of pg_stat_all_tables rose, or the table's row in pg_class was brought up to date",
		},
		{Name: "not completed", What: "the table's count of vacuums did not rise", Source: "vacuum_count, autovacuum_count", Traps: "who cancelled it, and why, only the server's log has"},
		{Name: "cancelled", What: "somebody cancelled it", Source: "SQLSTATE 57014 of one that was sent from here"},
		{Name: "failed", What: "it ended with an error", Source: "the server's message and SQLSTATE, of one that was sent from here"},
		{
			Name: "gave way", What: "an autovacuum that somebody had waited for, probably",
			More:   "It did not complete, and a session that it had blocked for about deadlock_timeout got its lock. Autovacuum starts it again from block 0.",
			Source: "pg_locks, and autovacuum_count that did not rise",
		},
		{Name: "ended, result not visible", What: "whether it completed cannot be seen", More: "Its table's counts cannot be read (another database), or could be those of another vacuum; VACUUM FULL does not count."},
		{Name: "lost", What: "it ended while nobody watched, or the server restarted"},
		{Name: "5.1 s ago", What: "when it ended", Source: "the server's clock when it was last seen"},
	}}
}

// explainLast are the columns of the list that is shown while no vacuum runs.
func explainLast() Explained {
	const statistics = "pg_stat_all_tables"
	return Explained{SubjectLast, Explanation{
		What: "while none runs: the tables of this database vacuumed last",
		More: "By its statistics. The screen wakes by itself when a vacuum begins.",
	}, []Explanation{
		{Name: "last vacuums", What: "while none runs: tables of this database, by its statistics", Source: statistics, Traps: "VACUUM FULL does not count"},
		{Name: "when", What: "when the table's last vacuum ended", Source: "last_vacuum, last_autovacuum of " + statistics},
		{Name: "ago", What: "how long ago that was", Source: "the server's clock"},
		{Name: "by", What: "whether it was manual or autovacuum", Source: "the later of last_vacuum and last_autovacuum"},
		{Name: "vacuums", What: "how many of that kind there were, since statistics began", Source: "vacuum_count, autovacuum_count of " + statistics, Traps: "pg_stat_reset() and a crash begin anew"},
		{
			Name: "mean time", What: "how long one of that kind took on average (18 and later)",
			Unit: "time on the clock, naps included", Source: "total_vacuum_time, total_autovacuum_time of " + statistics, Versions: "18 and later",
		},
	}}
}
