package model

// explainedHorizon is what is to be known of who keeps dead rows from being removed.
func explainedHorizon() Explanation {
	return Explanation{
		More:     "A vacuum may remove only rows that were dead before the oldest transaction that could still see them began: the removal horizon. Here stand those who hold it back, the oldest first, with the statement that would end each.",
		Unit:     "age in transactions that began since, and time",
		Source:   "backend_xmin, backend_xid of pg_stat_activity; pg_prepared_xacts; xmin, catalog_xmin of pg_replication_slots",
		Versions: "the same in 13 to 19",
		Traps:    "what a vacuum can remove is fixed when its table begins: ending a holder helps the next vacuum only. Running vacuums are no holders. How many rows they kept only VERBOSE tells, at the end of a vacuum from here",
	}
}

// explainedHolders are the kinds of those who keep dead rows.
func explainedHolders() []Explanation {
	return []Explanation{
		{
			Name: "session", What: "a transaction with an id or a snapshot, in this database",
			More:   "An open transaction that wrote something, a long query, a cursor, repeatable read. An idle transaction in read committed that only read keeps nothing.",
			Source: "backend_xmin, backend_xid",
			Traps:  "of another database it keeps rows of the shared catalogs only",
		},
		{Name: "prepared transaction", What: "PREPARE TRANSACTION, and nobody came back to it", Source: "pg_prepared_xacts", Traps: "it has no session: it outlives a restart, until COMMIT or ROLLBACK PREPARED"},
		{Name: "replication slot", What: "a standby or a subscriber that may still need the rows", Source: "xmin, catalog_xmin of pg_replication_slots", Traps: "a logical slot keeps rows of the catalogs only; one that nobody reads from keeps them for ever, and WAL too"},
		{Name: "walsender", What: "a query on a standby with hot_standby_feedback", Source: "backend_xmin of its walsender", Traps: "it can be ended only over there"},
		{Name: "transactions", What: "how many began since: age", Unit: "transaction ids", Source: "age(backend_xmin)", Traps: "on a quiet server an old transaction has a small age: look at its time as well"},
	}
}
