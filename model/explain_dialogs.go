package model

// explainWhatIf is the grid of other cost settings.
func explainWhatIf() Explained {
	return Explained{SubjectWhatIf, Explanation{
		What: "the selected run's time under other cost settings (w)",
		More: "What is slept changes with delay / limit, the work stays. For an autovacuum that follows the server's settings (from 16 on, no cost options of its table) the cells are the time left. Any other run keeps what it has: the cells are the time of a new run in its place, from block 0.",
	}, []Explanation{
		{Name: "delay", What: "a row: for how long a process naps", Unit: "milliseconds; none: never", Source: "vacuum_cost_delay, autovacuum_vacuum_cost_delay"},
		{Name: "limit", What: "a column: for how much work, as cost, it naps once", Unit: "cost units", Source: "vacuum_cost_limit, autovacuum_vacuum_cost_limit", Traps: "that of autovacuum is divided among its workers"},
		{Name: "a cell", What: "the most likely time under that delay and limit", More: "Below the table, for the cell chosen, is the range.", Unit: "time", Source: "the estimate of the whole run: its sleep x (delay / limit) to those in force, its work as it is", Traps: "a nap is a little longer than asked for, and reading faster can make the work slower"},
		{Name: "green", What: "a new run that ends before this one would"},
		{Name: "(≈16:23)", What: "the settings in force", More: "Where they are not visible, what was slept for the pages of the scan stands for them."},
		{Name: "!", What: "a page costs more than four limits", More: "The server cuts the nap at four delays, so a lower limit makes it no slower."},
	}}
}

// explainSettings is the list of settings that govern vacuums.
func explainSettings() Explained {
	return Explained{SubjectSettings, Explanation{
		What: "the settings that govern vacuums, to look at and to change (s)",
		More: "Nothing is sent before enter, and the statements are shown. Under the list: what the server says of the setting, whether the selected vacuum takes notice of a change, and why.",
	}, append([]Explanation{
		{Name: "setting", What: "its name", Source: "pg_settings"},
		{Name: "value", What: "as the watching session has it", Source: "setting of pg_settings", Traps: "another session's own SET, and what ALTER ROLE or ALTER DATABASE gave it, is visible to nobody"},
		{Name: "unit", What: "of the value", Source: "unit of pg_settings", Traps: "8kB: so many pages"},
		{Name: "source", What: "where the value comes from", Source: "source of pg_settings"},
		{Name: "restart pending", What: "the file has another value, which needs a restart", Source: "pending_restart of pg_settings"},
		{Name: "scope", What: "for whom a change is meant", More: "The server, this database, this role, the table, its TOAST table, or the next VACUUM from here. The narrowest wins.", Traps: "for a running VACUUM no change has an effect, on any version"},
	}, explainedSettings()...)}
}

// explainedSettings are what is to be known of single settings beyond what the server
// says of them.
func explainedSettings() []Explanation {
	const started = "a running VACUUM keeps what it had when it began"
	return []Explanation{
		{Name: "vacuum_cost_delay", What: "how long a VACUUM of a session naps; 0: never", Unit: "milliseconds, 0 to 100", Traps: started},
		{Name: "vacuum_cost_limit", What: "the cost of the work that a nap is for", Unit: "cost units, 1 to 10,000", Traps: started + "; each parallel worker has all of it"},
		{
			Name: "autovacuum_vacuum_cost_delay", What: "the same nap of autovacuum; -1: vacuum_cost_delay", Unit: "milliseconds",
			Versions: "a running autovacuum follows a reload from 16 on; before, it can only be slowed down and brought back up",
			Traps:    "a table with its own goes by that",
		},
		{
			Name: "autovacuum_vacuum_cost_limit", What: "the same limit of autovacuum; -1: vacuum_cost_limit", Unit: "cost units",
			Versions: "as of autovacuum_vacuum_cost_delay",
			Traps:    "divided among the workers at work: more workers make none of them faster. Tables with cost options of their own take no part",
		},
		{Name: "vacuum_cost_page_miss", What: "the cost of a page that must be read", Unit: "cost units", Versions: "2 from 14 on, 10 on 13"},
		{Name: "maintenance_work_mem", What: "memory for dead rows: what does not fit needs another pass", Unit: "kB", Versions: "up to 16 a vacuum uses at most 1 GB of it", Traps: started + "; each autovacuum worker takes as much, unless autovacuum_work_mem is set"},
		{Name: "autovacuum_work_mem", What: "the same for autovacuum; -1: maintenance_work_mem", Unit: "kB"},
		{Name: "max_parallel_maintenance_workers", What: "the most workers that one VACUUM plans", Traps: "they come out of max_parallel_workers, and that out of max_worker_processes"},
		{Name: "autovacuum_max_parallel_workers", What: "the most workers that one autovacuum plans; 0: none", Versions: "19"},
		{Name: "autovacuum_max_workers", What: "how many tables are autovacuumed at the same time", Versions: "needs a restart up to 17; from 18 on at most autovacuum_worker_slots", Traps: "they share one cost limit"},
		{Name: "vacuum_buffer_usage_limit", What: "the ring of buffers that a vacuum uses; 0: all", Unit: "kB", Versions: "16 and later: 256 kB there, 2 MB from 17 on", Traps: "a small ring makes a vacuum write WAL to disk before it can reuse a page"},
		{Name: "track_cost_delay_timing", What: "has the server measure how long vacuums nap", Versions: "18 and later", Traps: "a VACUUM takes it from its session when it begins; it takes a superuser or a grant"},
	}
}
