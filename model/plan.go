package model

// VacuumPlan is one VACUUM that a person wants to run. Values that are settings are
// written as PostgreSQL takes them ("2ms", "64MB"); "" leaves what the session has.
type VacuumPlan struct {
	// Schema is absent for a name that is looked up along the role's search_path.
	Schema Opt[Text]
	Table  Text

	Full, Freeze, Analyze, Verbose  bool
	SkipLocked, DisablePageSkipping bool
	IndexCleanup                    string    // auto (14+), on, off; "": as the table says
	Truncate                        Opt[bool] // absent: as the table says
	ProcessMain                     Opt[bool] // 16+
	ProcessToast                    Opt[bool] // 14+
	Parallel                        Opt[int]  // 0 to 1024; absent: as many as there are indexes for
	BufferUsageLimit                string    // 16+

	CostDelay, CostLimit, MaintenanceWorkMem string
	LockTimeout                              string
	TrackCostDelayTiming                     bool // 18+, superuser
}
