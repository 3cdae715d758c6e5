package lab

import (
	"fmt"

	"example.com/vacscope/model"
)

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

// delayTiming is the setting "name=value" with which the server counts how long vacuums
// sleep, from 18 on.
func delayTiming(major int) []string {
	if major < 18 {
		return nil
	}
	return []string{"track_cost_delay_timing=on"}
}

// indexedWorkMem holds the dead rows of one index pass.
const indexedWorkMem = 256 << 20

// indexedSettings are those of a server on which an indexed table of a size is vacuumed
// with up to a degree: room for it in memory, and workers for small indexes too.
func indexedSettings(size model.Bytes, degree int) []string {
	return []string{
		fmt.Sprintf("shared_buffers=%dMB", indexedBuffers(size)>>20),
		fmt.Sprintf("maintenance_work_mem=%dMB", indexedWorkMem>>20),
		fmt.Sprintf("max_worker_processes=%d", degree+8),
		fmt.Sprintf("max_parallel_workers=%d", degree),
		fmt.Sprintf("max_parallel_maintenance_workers=%d", degree),
		"min_parallel_index_scan_size=0",
	}
}

// indexedBuffers holds a table and its indexes of a size, where there is memory for it.
func indexedBuffers(size model.Bytes) model.Bytes { return sharedBuffers(size * 5 / 4) }
