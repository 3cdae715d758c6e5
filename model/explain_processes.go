package model

// explainProcesses are the columns of the processes, and of one process's waits.
func explainProcesses() Explained {
	const samples = "wait_event_type and wait_event of pg_stat_activity, sampled with the phase in one statement"
	return Explained{SubjectProcess, Explanation{
		What: "what each process of the run waits for, and waited for",
		More: "A count of samples is not a duration: short waits are seen by chance.",
	}, []Explanation{
		{Name: "pid", What: "of the process", Source: "pid of pg_stat_activity"},
		{
			Name: "role", What: "leader, parallel worker, or decode: REPACK's decoding worker",
			Source: "leader_pid and backend_type of pg_stat_activity",
		},
		{Name: "now", What: "what it waited for at the last sample, or on CPU", More: "ended: a worker whose index pass is over.", Source: samples},
		{
			Name: "last n s", What: "a cell for each second, the newest on the right",
			More: "Its height is the share of that second's samples awake, its colour or letter what the process did when awake. A throttled process looks calm, one that suffers looks full. Of a run that has ended, its own last seconds.",
			Unit: "one cell is one second", Source: samples,
		},
		{Name: "phase", What: "the same as a bar", More: "In narrow panes, in place of the seconds: the current phase, a kind of wait for each colour or letter.", Source: samples},
		{
			Name: "≈% of phase", What: "what it does in this phase, by samples",
			More: "Share of the process's samples per kind of wait (? has the legend), each weighed by the time since the one before.",
			Unit: "%", Source: samples,
			Traps: "a worker that has ended keeps that of its pass",
		},
		{Name: "≈% of run", What: "and in the whole run", Unit: "%", Source: samples},
		{Name: "samples", What: "how often it was looked at in the whole run", Unit: "samples, about 20 a second", Traps: "while several vacuums run they share the samples: all are seen in each"},
		{Name: "missed", What: "samples that were planned and not taken", More: "The server answered too slowly or not at all."},
		{
			Name: "workers", What: "parallel workers: asked for, planned by the server, launched",
			More:   "Asked: PARALLEL n of the statement; without one, as many as there are indexes for. Planned: at most one less than there are indexes of min_parallel_index_scan_size, and at most max_parallel_maintenance_workers. Launched: seen.",
			Source: "the statement, pg_class, pg_settings, leader_pid of pg_stat_activity",
			Traps:  "≈ planned goes by the watching session's settings: that session's own are visible to nobody",
		},
		{Name: "class", What: "the kind of wait that the event is counted as", Source: "the table of classes"},
		{Name: "this phase", What: "share of the process's samples in this phase", Unit: "%", Source: samples},
		{Name: "whole run", What: "share of the process's samples in the run", Unit: "%", Source: samples},
		{Name: "on CPU", What: "active, and waiting for nothing that the server has named", Source: "wait_event NULL while state is active"},
	}}
}

// explainLocks are the columns of the lock waits.
func explainLocks() Explained {
	const lockTable = "pg_locks"
	return Explained{SubjectLocks, Explanation{
		What: "who waits for a lock, as a tree, and the waits that are over",
		More: "Those whose chain contains a vacuum or a table being vacuumed; a lists all. Waits are looked at with every full read, once a second: shorter ones are seen by chance, and none is made up. On 19 pg_stat_lock counts every wait that lasts over deadlock_timeout; log_lock_waits writes them to the server's log.",
	}, []Explanation{
		{Name: "when", What: "now; of a wait that is over, its beginning (month-day)", Source: "the server's clock"},
		{
			Name: "waits", What: "for how long (≥: since it was seen; …: begins)",
			Source:   "waitstart of " + lockTable,
			Versions: "≥ before 14, where the server does not tell, and in the first moment",
			Traps:    "a wait that is over lasted at least until it was last seen; one that was seen once can have been as short as that",
		},
		{Name: "pid", What: "who waits; └: behind the one it stands under", Source: "pid of " + lockTable},
		{Name: "statement", What: "what the session that waits runs", Source: "query of pg_stat_activity", Traps: "not visible: of a session that this role may not see the lock table still tells that it waits"},
		{
			Name: "wants", What: "the lock mode it asks for, or the page it is to clean",
			More:   "ShareUpdateExclusive is what VACUUM, ANALYZE, CREATE INDEX CONCURRENTLY and some ALTER TABLE take: it lets readers and writers in. AccessExclusive lets nobody in.",
			Source: "mode of " + lockTable,
		},
		{Name: "on", What: "the table, or the kind of lock", Source: "relation and locktype of " + lockTable},
		{
			Name: "blocked by", What: "who has the lock or is in front, what it does; +n others",
			More:   "Pids, of the holder or of who waits in front. A vacuum that is to clean a page which another session has in use waits too; who that is the server tells nobody: suspects have a lock on the table, those that do nothing in an open transaction first.",
			Source: "pg_blocking_pids(), of at most 50 who wait; state and query of pg_stat_activity",
			Traps:  "an autovacuum is cancelled for who waits for it, a VACUUM never; suspects can be wrong",
		},
	}}
}
