package model

// explainHeader is the first line.
func explainHeader() Explained {
	return Explained{SubjectHeader, Explanation{What: "the server, whether what is seen is now, and what watching costs"}, []Explanation{
		{
			Name: "1 s · 20 Hz", What: "one read a second, 20 samples of waits",
			More:   "The rates in force, at most those asked for (--interval, --tick-rate). While nothing is vacuumed 5 samples a second look for one that starts, then the full rate holds at once (--tick-rate N: always).",
			Unit:   "time from one full read to the next; samples a second",
			Source: "this program's own schedule",
			Traps:  "where the server logs every statement there is one sample a second, and a line says why",
		},
		{
			Name: "costs", What: "server time that watching takes",
			More:   "Time that the server spent on vacscope's own statements. Reading gets slower before it passes 10 ms/s (1 %).",
			Unit:   "milliseconds per second",
			Source: "clock_timestamp() - statement_timestamp() in each of those statements, added up",
		},
		{
			Name: "12:14:43 +01", What: "the server's clock, in this machine's time zone",
			Source: "clock_timestamp()",
			Traps:  "all ages and durations go by the server's clock, never by this machine's",
		},
	}}
}

// explainMarks are the characters that mean something wherever they stand.
func explainMarks() Explained {
	return Explained{SubjectMarks, Explanation{What: "characters that mean the same wherever they stand"}, []Explanation{
		{
			Name: "≈", What: "an estimate",
			More: "In front of what is made from samples, settings or earlier behaviour, and not counted by the server (~ where the locale is not UTF-8).",
		},
		{
			Name: "≥", What: "at least that",
			More: "More was not seen, because the watching began later or the server tells no beginning.",
		},
		{
			Name: "–", What: "not given by the server",
			More:  "Or too early to tell. Never 0, never a guess; the sentences below the list, and enter, say why.",
			Traps: "what a version, a setting or a privilege hides looks alike: the page of the vacuum (enter) tells them apart",
		},
		{
			Name: "▁ to █", What: "one second: height is the time awake",
			More: "The share of that second's samples in which the process did not sleep on purpose; the colour, or the letter below, is what it mostly did then (1 to 9 where there is only ASCII).",
		},
		{Name: "⣀", What: "one second asleep throughout", More: "In the cost delay, on purpose: calm, no trouble."},
		{Name: "╌", What: "one second waiting for its workers", More: "The leader has no index left and waits in IPC/ParallelFinish: awake, and not at work."},
		{Name: "∙", What: "one second without a sample", More: "The process lived, and the server answered too slowly or not at all."},
		{Name: "blank", What: "before it began, or after it ended"},
		{
			Name: "!", What: "behind autovacuum: it prevents wraparound",
			More: "It runs even where autovacuum is off and gives way to nobody: who wants a conflicting lock on its table waits for its end. In the grid of what-if: one page costs more than four limits.",
		},
		{Name: "ᵖ", What: "of the phase, where others are of the run", More: "The time left, or the progress, of the current phase alone, beside vacuums of which the whole is known."},
		{Name: "▲", What: "left until the memory is full, and the scan stops for it", More: "Behind a time: not to the end of the phase, an index pass comes first."},
		{Name: "◂", What: "blocked by", More: "In front of who has the lock, or waits in front for it."},
		{Name: "└", What: "who waits behind the one above"},
		{Name: "▸", What: "the selected row"},
		{Name: "▶", What: "a recording is played", More: "Below it, how many times as fast as it happened; space stops it."},
		{Name: "◆", What: "where in what was seen the screen is", More: "The bar is from the first moment that can be gone back to, to the last one."},
		{Name: "●", What: "live: what is seen is now"},
		{Name: "○", What: "not live: the connection is lost, or no answer comes", More: "What is drawn is dimmed and carries its age; R connects now."},
		{Name: "‖", What: "drawing is paused, collecting goes on"},
		{Name: "╎", What: "a setting changed to what stands below (limit /3: among 3)", More: "In the chart, whoever changed it; /3: other workers joined or left those who share autovacuum's limit. L lists the changes, with the rates before and after."},
		{Name: "░", What: "what is left of a bar, or time asleep on purpose"},
	}}
}

// explainClasses are the kinds of what a process does.
func explainClasses() Explained {
	const source = "wait_event_type and wait_event of pg_stat_activity, in samples"
	return Explained{SubjectClasses, Explanation{What: "what the samples of a process are counted as"}, []Explanation{
		{
			Name: "delay", What: "asleep on purpose (cost delay)",
			More:   "The vacuum has done work worth the cost limit and naps, so as not to disturb others. It is a setting, not a trouble: vacuum_cost_delay, or autovacuum_vacuum_cost_delay.",
			Source: "Timeout/VacuumDelay",
		},
		{
			Name: "lock", What: "waits for a lock or a page's pin",
			More:     "Others are in its way: a lock on the table, a page that another session has in use, or the lock to cut off the table's empty end.",
			Source:   "Lock/*, BufferPin/*, Buffer/BufferCleanup, Timeout/VacuumTruncate",
			Versions: "the pin is BufferPin/BufferPin up to 18, Buffer/BufferCleanup on 19; VacuumTruncate has its name from 15 on",
		},
		{
			Name: "wal", What: "writes WAL or waits for it", Source: "IO/wal*, LWLock/wal*",
			Versions: "IO/WALWrite up to 16, IO/WalWrite from 17 on",
		},
		{
			Name: "io", What: "reads or writes data", Source: "IO/*, IPC/BufferIo, LWLock/BufferIO, LWLock/Aio*",
			Versions: "reads are IO/DataFileRead up to 17, IO/AioIoCompletion from 18 on",
			Traps:    "what the operating system has cached is read too fast to be seen: it counts as cpu",
		},
		{Name: "lwlock", What: "waits for a lightweight lock", More: "Several processes at the same structure in memory.", Source: "LWLock/*, Buffer/*", Traps: "who holds it the server tells nobody"},
		{Name: "leader", What: "the leader waits for its workers", More: "Its own indexes are done, and the largest of the others is not.", Source: "IPC/ParallelFinish"},
		{
			Name: "cpu", What: "runs, or code that names no wait", More: "The process is active and waits for nothing that the server has a name for.",
			Source: "wait_event NULL while state is active",
			Traps:  "a process that waits for a CPU looks the same, and so does one that is stopped",
		},
		{Name: "other", What: "another wait", Source: source, Traps: "waits that this program does not know are kept here under the server's names"},
	}}
}
