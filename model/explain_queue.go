package model

// explainQueue are the columns of what comes next.
func explainQueue() Explained {
	const statistics = "pg_stat_all_tables"
	return Explained{SubjectQueue, Explanation{
		What:     "the tables that autovacuum has something to do with",
		More:     "Of the connected database: those at half of a threshold or more, those with options of their own, and the oldest; what hurts most first. Below them, how far databases and the oldest tables are from where the server acts on their age.",
		Source:   "pg_class, " + statistics + ", pg_settings, pg_locks, read every minute, less often where that is dear",
		Versions: "from 19 on the order is that of the server's scores, in which autovacuum goes; before, it goes through pg_class as that is stored",
		Traps:    "other databases are not in it; up to 14 a session that is idle may keep its counts to itself",
	}, []Explanation{
		{Name: "table", What: "its name; a TOAST table counts by itself", Source: "relname of pg_class"},
		{
			Name: "due for", What: "what autovacuum would do with it now",
			More:     "both: vacuum and analyze. wraparound: it must be vacuumed, also where autovacuum is off. nothing: past a threshold that does not count, because something is off. not yet: below its thresholds.",
			Versions: "from 19 on the server says it: do_vacuum, do_analyze, for_wraparound of pg_stat_autovacuum_scores",
		},
		{
			Name: "because of", What: "the count that is fullest",
			More:   "Dead rows and inserted rows make autovacuum vacuum, changed rows analyze, ages vacuum against wraparound.",
			Source: "n_dead_tup, n_ins_since_vacuum, n_mod_since_analyze of " + statistics + "; age(relfrozenxid), mxid_age(relminmxid)",
		},
		{Name: "count", What: "how many there are", Unit: "rows, or ids", Traps: "estimates of the statistics, which begin anew after pg_stat_reset() and a crash"},
		{
			Name: "threshold", What: "above it autovacuum acts",
			More:     "Threshold plus scale factor times rows, by the table's options, else the settings. A TOAST table without options goes by those of its table.",
			Source:   "autovacuum_vacuum_threshold, _scale_factor, autovacuum_vacuum_insert_, autovacuum_analyze_, autovacuum_freeze_max_age; reltuples of pg_class",
			Versions: "from 18 on at most autovacuum_vacuum_max_threshold dead rows, and inserts by the share of pages that are not frozen",
			Traps:    "the threshold of multixact ids can be lower while their members fill the disk",
		},
		{Name: "full", What: "count / threshold: 87 %, ×24 is 24 times the threshold"},
		{
			Name: "now", What: "who works on it, or what keeps autovacuum from it",
			More:   "locked: somebody has, or waits for, a lock on it, and autovacuum passes it over each time; to prevent wraparound it waits. no worker free: as many work as may, in all databases.",
			Source: "pg_locks; the progress views; autovacuum_max_workers, from 18 on within autovacuum_worker_slots",
		},
		{Name: "score", What: "the server's own: the highest goes first", Source: "pg_stat_autovacuum_scores", Versions: "19 and later"},
	}}
}
