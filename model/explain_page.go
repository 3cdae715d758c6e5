package model

// explainPage are the sections of the page of one vacuum, with what stands in each.
func explainPage() []Explained {
	return []Explained{
		pageSection("Statement", "as the server has it, which cuts it", Explanation{
			More:   "From the first cell on and without a frame, so that it can be copied.",
			Source: "query of pg_stat_activity", Traps: "the server keeps track_activity_query_size bytes, 1,024 by default; vacscope reads the first 1,000 characters",
		}),
		pageSection("Process", "who runs it, since when", Explanation{Source: "pg_stat_activity"}, explainedProcess()...),
		pageSection("Table", "what catalog and statistics say of it", Explanation{Source: "pg_class, pg_stat_all_tables"}, explainedTable()...),
		pageSection("Phases", "as in the pane, and what remains of the run", Explanation{
			More: "Each index pass by itself. The columns are those of the pane (i there).",
		},
			Explanation{Name: "remaining phase", What: "what is still to come, ×n: so many times", Source: "the passes to expect, from the fill of the memory for dead rows"},
			Explanation{Name: "left", What: "time of the part, at its fastest and its slowest", Unit: "time, as a range", Source: "an estimate: the last column says from what"},
			Explanation{Name: "delayed", What: "how much of it is slept on purpose", Unit: "% of process-time"},
			Explanation{Name: "how that is known", What: "what this run has shown, else sizes, else earlier vacuums"},
		),
		pageSection("Where the time goes", "of its processes; what is found and helps", Explanation{
			More:   "Process-time divided by what the samples saw and, from 18 on, the server's delay_time; it adds up to 100 %. Below it is what is slow in it: help verdicts has the rules.",
			Source: "wait events in samples, delay_time of pg_stat_progress_vacuum",
		},
			Explanation{Name: "what it does", What: "the kind of wait, or on CPU", Source: "the table of classes (i on the processes)"},
			Explanation{Name: "of the phase", What: "share of the current phase", Unit: "% of process-time"},
			Explanation{Name: "of the run", What: "share of the run, as far as it was watched", Unit: "% of process-time"},
		),
		pageSection("Memory for dead rows", "how full it is, index passes to expect", Explanation{Source: "pg_stat_progress_vacuum"}, explainedMemory()...),
		pageSection("Parallel workers", "asked, planned, launched, and why fewer", Explanation{Versions: "of autovacuum from 19 on"}, explainedParallel()...),
		pageSection("What the cost settings allow", "at most, as if work took no time", Explanation{
			More:  "A process works until its pages have cost the limit, then naps for the delay. Each process naps for its own work only.",
			Traps: "work and waits come on top: it is the most that naps leave",
		}, explainedAllowance()...),
		pageSection("Distance to the edge", "ids left until the server acts on their age", Explanation{
			More: "For the table, its database, and the oldest database where that is another; for transaction ids, and for multixacts.",
			Unit: "ids left, and below them ≈ the time at the rate of the last minutes (at most ten)", Source: "age(relfrozenxid), mxid_age(relminmxid) of pg_class; the same of pg_database",
		}, explainedEdges()...),
		pageSection("Who keeps dead rows", "those who keep it from removing them", explainedHorizon(), explainedHolders()...),
		pageSection("Options", "of the statement, the version, the table", Explanation{Source: "query of pg_stat_activity, reloptions of pg_class"},
			Explanation{Name: "stated", What: "options of the statement"},
			Explanation{Name: "defaults of 18", What: "what this version does where the statement says nothing"},
			Explanation{Name: "of the table", What: "storage parameters of the table", Source: "reloptions of pg_class", Traps: "autovacuum goes by all of them, a VACUUM only by vacuum_index_cleanup, vacuum_truncate and the like"},
			Explanation{Name: "of its owner", What: "those of the table that a TOAST table belongs to"},
		),
		pageSection("Indexes", "sizes as of the last vacuum", Explanation{
			Source: "pg_index, relpages of pg_class", Versions: "how many are done is counted from 17 on", Traps: "which one a process is at, no version tells",
		},
			Explanation{Name: "index", What: "its name"},
			Explanation{Name: "method", What: "its access method"},
			Explanation{Name: "size before", What: "as of the last vacuum or analyze", Source: "relpages x block_size"},
			Explanation{Name: "for a worker", What: "whether a parallel worker may have it, or why not", Source: "min_parallel_index_scan_size, the access method", Traps: "BRIN never; what no worker may have, the leader does"},
		),
		pageSection("Vacuums before", "what the statistics keep of earlier ones", Explanation{
			Source: "vacuum_count, last_vacuum, total_vacuum_time of pg_stat_all_tables", Versions: "how long they took: from 18 on",
		},
			Explanation{Name: "by sessions", What: "VACUUM of a session: how often, when last, mean time"},
			Explanation{Name: "by autovacuum", What: "the same of autovacuum"},
			Explanation{Name: "mean time", What: "of all vacuums since the statistics began", Versions: "18 and later"},
		),
		pageSection("Notices", "messages of the statement", Explanation{More: "Of a VACUUM that was sent from here; with VERBOSE they tell how many workers were launched."}),
		pageSection("Progress columns", "the row of the server's progress view", Explanation{
			More:   "Under the server's own names and in its own units; what this program does not know comes first.",
			Source: "pg_stat_progress_vacuum, pg_stat_progress_cluster, pg_stat_progress_repack", Versions: "n/a names the version that has it",
			Traps: "counters are as of the last read, once a second",
		}),
	}
}

// pageSection is a section with its one line, what more there is to it, and what
// stands in it.
func pageSection(title, what string, more Explanation, of ...Explanation) Explained {
	more.Name, more.What = title, what
	return Explained{PageSubject(title), more, of}
}

func explainedProcess() []Explanation {
	return []Explanation{
		{Name: "pid", What: "of the leader; its workers are in the pane"},
		{Name: "started by", What: "a session, autovacuum, or autovacuum to prevent wraparound", Source: "started_by of the progress view", Versions: "before 19 inferred from backend_type and the statement"},
		{Name: "role", What: "who runs it", Source: "usename"},
		{Name: "application", What: "what the client calls itself", Source: "application_name"},
		{Name: "client", What: "where it comes from; local socket without an address", Source: "client_addr"},
		{Name: "session since", What: "when its session began", Source: "backend_start"},
		{Name: "statement since", What: "when its statement began", Source: "query_start", Traps: "of a command over several tables, the first table's"},
		{Name: "seen", What: "how much of it was watched"},
		{Name: "ended", What: "when, and how"},
		{Name: "waited for lock", What: "before it could begin", Traps: "at least: as long as it was seen to"},
		{Name: "the rest", What: "what this role may not see, and the grant that shows it"},
	}
}

func explainedTable() []Explanation {
	return []Explanation{
		{Name: "database", What: "in which it runs"},
		{Name: "table", What: "its name and oid", Traps: "a vacuum keeps its table when somebody renames the schema"},
		{Name: "TOAST of", What: "whose long values it holds"},
		{Name: "partition of", What: "the partitioned table that it belongs to"},
		{Name: "size before", What: "as of the last vacuum or analyze, without indexes", Source: "relpages x block_size", Traps: "size now is what this vacuum found"},
		{Name: "rows then", What: "rows as of the last vacuum or analyze", Source: "reltuples of pg_class, an estimate"},
		{Name: "rows since", What: "what the statistics count; a vacuum sets it right at its end", Source: "n_live_tup, n_dead_tup of pg_stat_all_tables"},
		{Name: "all-visible", What: "pages that a vacuum can skip; all-frozen: also one to freeze", Source: "relallvisible, relallfrozen of pg_class", Versions: "relallfrozen from 18 on", Traps: "as of the last vacuum"},
		{Name: "size now", What: "what this vacuum found, without indexes", Source: "heap_blks_total x block_size"},
		{Name: "more", What: "why the catalog's entry is missing"},
	}
}

func explainedMemory() []Explanation {
	return []Explanation{
		{Name: "used", What: "of the memory allowed, and what it will come to", Unit: "bytes; up to 16 row pointers", Source: "dead_tuple_bytes, max_dead_tuple_bytes; num_dead_tuples, max_dead_tuples up to 16"},
		{Name: "dead rows", What: "pointers collected for the next index pass", Source: "num_dead_item_ids; num_dead_tuples up to 16"},
		{Name: "index passes", What: "passes over all indexes that are done", Source: "index_vacuum_count"},
		{Name: "limited by", What: "the setting that says how much may be used", Traps: "it is taken when the vacuum begins: only the next run has more"},
	}
}

func explainedParallel() []Explanation {
	return []Explanation{
		{Name: "none", What: "why there cannot be any"},
		{Name: "asked", What: "PARALLEL n of the statement", More: "Without one, as many as there are indexes for."},
		{Name: "planned", What: "what indexes and settings allow", Source: "indexes of min_parallel_index_scan_size or more, less one for the leader; max_parallel_maintenance_workers (autovacuum_max_parallel_workers)", Traps: "≈: by the watching session's settings"},
		{Name: "launched", What: "seen in the last index pass", Source: "leader_pid of pg_stat_activity"},
		{Name: "why fewer", What: "the limit that it met", Traps: "workers of other sessions take from max_parallel_workers and max_worker_processes too"},
	}
}

func explainedAllowance() []Explanation {
	return []Explanation{
		{Name: "settings", What: "cost limit and delay in force, and where they are from", More: "Known for autovacuum: its own settings, or the table's, or else vacuum_cost_*.", Traps: "those of another session are not visible to anyone"},
		{Name: "its part", What: "how the limit is divided among the autovacuum workers", Traps: "≈: who takes part is counted from outside; tables with cost options of their own do not"},
		{Name: "joined, left", What: "workers that began or ceased to share the limit", More: "While the vacuum was watched, in two reads in a row: its part of the limit before and after, and the rates of the 10 s before and after that."},
		{Name: "no limit", What: "why nothing holds it back"},
		{Name: "that is", What: "how much work a nap is for", Unit: "cost units, which vacuum_cost_page_hit, _miss and _dirty give a page", Traps: "a nap is at most four delays, however dear the work was"},
		{Name: "here", What: "what they allow each process in this phase", More: "Pages passed for each second asleep, skipped ones included, and from that the cost units of a page.", Unit: "bytes and pages per second", Traps: "≈, as a nap is a little longer than asked for"},
		{Name: "if all pages are", What: "the same, were all pages in memory, read, or made dirty", Unit: "bytes per second, for each process", Versions: "a page read costs 2 from 14 on, 10 on 13"},
		{Name: "all together", What: "for all processes that live now"},
		{Name: "processes", What: "how many live, each with the whole allowance"},
	}
}

func explainedEdges() []Explanation {
	return []Explanation{
		{Name: "age", What: "of the oldest id that the table, or database, still needs", Unit: "ids", Source: "age(), mxid_age()"},
		{Name: "autovacuum", What: "left until autovacuum prevents wraparound, even if off", Source: "autovacuum_freeze_max_age, or less where the table has its own"},
		{Name: "failsafe", What: "left until a vacuum leaves out indexes and naps", Source: "vacuum_failsafe_age, at least 1.05 times autovacuum_freeze_max_age", Versions: "14 and later"},
		{Name: "warnings", What: "left until each statement that takes an id warns", Source: "40 million before the wrap at 2^31", Versions: "100 million on 19, 11 on 13"},
		{Name: "stop", What: "left until no id is given out: nothing can be written", Source: "3 million before the wrap at 2^31", Versions: "1 million on 13"},
		{Name: "≈ 20 hours", What: "that many ids at the rate of the last minutes", Source: "how fast ids were given out while watching", Traps: "at most ten minutes of watching: a busy hour is not in it"},
	}
}
