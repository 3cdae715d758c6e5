package lab

// MeasuredSettings are the settings "name=value" of a throwaway server that something is
// measured on. It writes as safely as a real one, nothing is vacuumed by itself, and no
// checkpoint comes in between because of the time.
func MeasuredSettings() []string {
	return []string{
		"fsync=on",
		"autovacuum=off",
		"checkpoint_timeout=1h",
		"max_wal_size=4GB",
		"max_worker_processes=32",
		"max_parallel_workers=32",
	}
}
