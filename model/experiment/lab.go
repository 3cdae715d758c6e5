package experiment

import (
	"slices"
	"time"

	"example.com/vacscope/model"
)

// Lab is what `vacscope lab` measured: sides that ran one workload in turn, every run
// from the same prepared state.
type Lab struct {
	Workload string // as it is called on the command line
	Summary  string // what it does, as a clause
	// Clients, Duration and Scale are those that were asked for. Duration is 0 where the
	// workload ends by itself.
	Clients  int
	Duration time.Duration
	Scale    float64
	Options  []string // of the workload, as "name=value"
	Seed     uint64
	Settings []string // of the servers of all sides, as "name=value"
	Command  []string // of the workload that runs one
	Runs     int      // of each side that were asked for
	Expected Expected
	Sides    []Side
}

// Expected is what a workload is to bring about, without which a comparison tells
// little.
type Expected struct {
	Freezing   bool // vacuums freeze pages
	Aggressive bool // a vacuum is aggressive
	HOT        bool // updates need no index entries
}

// Side is one combination of settings and server programs.
type Side struct {
	Name string // "patched, high limit"; unique in its Lab
	// Settings are those that make the side, as "name=value".
	Settings []string
	Programs ServerPrograms
	Runs     []Run // in the order in which they were made
}

// Compared are the runs that are compared: those that were not cut short, else those that
// were.
func (s Side) Compared() []Run {
	whole := slices.DeleteFunc(slices.Clone(s.Runs), func(r Run) bool { return r.Cut })
	if len(whole) == 0 {
		return s.Runs
	}
	return whole
}

// ServerPrograms is what a server says of the programs it runs.
type ServerPrograms struct {
	Name    string // as --programs names them; "" where there is one set of them
	Version string // server_version: "18.4"
	Major   int
	// Configure are the words that its build was configured with; absent where the server
	// does not tell (pg_config).
	Configure       model.Opt[string]
	DebugAssertions bool
	// Fsync and FullPageWrites are the settings in force.
	Fsync, FullPageWrites bool
}

// Run is one run of a workload.
type Run struct {
	Number   int           // in which place it was run, of all runs from 1 on
	At       time.Time     // when it began
	Duration time.Duration // how long the workload ran
	Cut      bool          // it was ended before its time
	Remarks  []string      // what the workload says of it, as clauses
	Measures
}
