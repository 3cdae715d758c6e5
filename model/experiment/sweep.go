package experiment

import (
	"slices"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/model/report/statistics"
)

// Sweep is what `vacscope lab sweep` measured: how long one VACUUM takes with more and
// more indexes that are equal, and with more and more parallel workers.
type Sweep struct {
	Plan     SweepPlan
	Measured ServerPrograms
	// Baseline are the programs with which the baseline is measured; those of Measured
	// unless two were compared.
	Baseline ServerPrograms
	Place    SweepPlace
	Runs     []SweepRun // in the order in which they were made
	// Interrupted tells that not all runs were made.
	Interrupted bool
	Spent       SweepSpent
}

// SweepPlan is what is to be measured. All is compared before a sweep is gone on with.
type SweepPlan struct {
	Sizes   []model.Bytes `json:"size_bytes"` // of the table, without indexes
	Dirty   model.Ratio   `json:"dirty"`      // the share of its rows that is dead
	Indexes []int         `json:"indexes"`
	Degrees []int         `json:"parallel"` // of VACUUM (PARALLEL n)
	Runs    int           `json:"runs"`     // of each measurement
	// CostDelay and CostLimit are set in the session, "": as the server has them.
	CostDelay string `json:"vacuum_cost_delay"`
	CostLimit string `json:"vacuum_cost_limit"`
	// Settings are those given for the server, as "name=value".
	Settings []string `json:"settings"`
	// Programs are the names and versions of the server programs, measured and baseline.
	Programs []string `json:"programs"`
}

// SweepPlace is where it was measured.
type SweepPlace struct {
	Own   bool // on a server that vacscope did not start
	Cores int  // of this machine
	// SharedBuffers is the server's; Warmed is whether table and indexes were read into
	// them before each VACUUM.
	SharedBuffers model.Bytes
	Warmed        bool
	// The server's limits for workers.
	MaxMaintenanceWorkers, MaxWorkers, MaxProcesses int
	// Delay and Limit are in force in the session: a nap, and the cost that it is for.
	Delay time.Duration
	Limit int64
}

// SweepCell is one thing that is measured, Runs times.
type SweepCell struct {
	Size     model.Bytes `json:"size_bytes"`
	Indexes  int         `json:"indexes"`
	Degree   int         `json:"parallel_degree"` // of the baseline 0
	Baseline bool        `json:"baseline"`
}

// SweepRun is one VACUUM.
type SweepRun struct {
	SweepCell
	Run int `json:"run"` // from 1 on
	// TookMS is from sending the statement to its end, by the clock of vacscope.
	TookMS float64 `json:"took_ms"`
	// Planned and Launched are workers for the indexes, as the server says; 0 where it
	// says nothing, which it does without any.
	Planned  int `json:"workers_planned"`
	Launched int `json:"workers_launched"`
	// IndexBytes is the size of one index, 0 without any.
	IndexBytes model.Bytes `json:"index_bytes"`
	// Cleaned tells whether the table was clean afterwards: nobody kept its dead rows.
	Cleaned bool `json:"cleaned"`
}

// SweepSpent is where the time of a sweep went.
type SweepSpent struct {
	Vacuum  time.Duration // in VACUUM
	Restore time.Duration // making the states of the table, and restoring them
	Other   time.Duration
}

// Steps are the runs of a plan in the order in which they are made. All of one table
// stand together; its runs alternate, so that what drifts reaches all cells alike.
func (p SweepPlan) Steps() []SweepRun {
	var steps []SweepRun
	for _, size := range p.Sizes {
		for _, indexes := range p.Indexes {
			for run := 1; run <= p.Runs; run++ {
				steps = append(steps, SweepRun{SweepCell: SweepCell{size, indexes, 0, true}, Run: run})
				for _, degree := range p.Degrees {
					steps = append(steps, SweepRun{SweepCell: SweepCell{size, indexes, degree, false}, Run: run})
				}
			}
		}
	}
	return steps
}

// Spread is what several measurements of the same say, in milliseconds.
type Spread struct {
	N                int
	Median, Min, Max float64
}

// SweepRow is one line of a sweep.
type SweepRow struct {
	Size            model.Bytes
	Indexes, Degree int
	IndexBytes      model.Bytes // of one index, 0 without any
	Baseline, Time  Spread
	// SpeedUp is the baseline's median time by this one's.
	SpeedUp model.Ratio
	// Launched and Most are the fewest and the most workers that its runs launched.
	Launched, Most int
	Planned        int // the most
	// Rounds is how many indexes the busiest process takes, with the fewest workers.
	Rounds int
	// Ideal is the speed-up if the time for the indexes followed the rounds, and nothing
	// else changed; absent before the table without indexes was measured, which tells what
	// the rest takes.
	Ideal   model.Opt[model.Ratio]
	Cleaned bool
}

// Conditions are those of Lab.Conditions, of the server programs.
func (s *Sweep) Conditions() []string {
	sides := []Side{{Name: "the server", Programs: s.Measured}}
	if s.Baseline != s.Measured {
		sides = []Side{{Name: s.Measured.Name, Programs: s.Measured}, {Name: s.Baseline.Name, Programs: s.Baseline}}
	}
	return Lab{Sides: sides}.Conditions()
}

// Rows are the lines of what was measured so far. A line stands when its runs and those
// of its baseline are complete; of a sweep that was interrupted with those it has.
func (s *Sweep) Rows() []SweepRow {
	var rows []SweepRow
	for _, size := range s.Plan.Sizes {
		rest := s.spread(SweepCell{size, 0, 0, true})
		for _, indexes := range s.Plan.Indexes {
			baseline := s.spread(SweepCell{size, indexes, 0, true})
			for _, degree := range s.Plan.Degrees {
				row := s.row(SweepCell{size, indexes, degree, false}, baseline)
				if row.Time.N == 0 || baseline.N == 0 || !s.Interrupted && min(row.Time.N, baseline.N) < s.Plan.Runs {
					continue
				}
				if rest.N > 0 {
					row.Ideal = model.Some(idealSpeedUp(rest.Median, baseline.Median, indexes, row.Rounds))
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

func (s *Sweep) row(cell SweepCell, baseline Spread) SweepRow {
	row := SweepRow{Size: cell.Size, Indexes: cell.Indexes, Degree: cell.Degree, Baseline: baseline, Time: s.spread(cell), Cleaned: true}
	for i, r := range s.runs(cell) {
		row.IndexBytes = r.IndexBytes
		row.Most, row.Planned = max(row.Most, r.Launched), max(row.Planned, r.Planned)
		if i == 0 || r.Launched < row.Launched {
			row.Launched = r.Launched
		}
		row.Cleaned = row.Cleaned && r.Cleaned
	}
	row.Rounds = model.Rounds(cell.Indexes, row.Launched)
	if row.Time.N > 0 {
		row.SpeedUp = model.Ratio(baseline.Median / row.Time.Median)
	}
	return row
}

func (s *Sweep) runs(cell SweepCell) []SweepRun {
	return slices.DeleteFunc(slices.Clone(s.Runs), func(r SweepRun) bool { return r.SweepCell != cell })
}

func (s *Sweep) spread(cell SweepCell) Spread {
	var times []float64
	for _, r := range s.runs(cell) {
		times = append(times, r.TookMS)
	}
	sum := statistics.Summarize(times).Or(statistics.Summary{})
	return Spread{sum.N, sum.Median, sum.Min, sum.Max}
}

// idealSpeedUp is that of a vacuum of which rest is not for the indexes, when these take
// as long as their rounds.
func idealSpeedUp(rest, baseline float64, indexes, rounds int) model.Ratio {
	if indexes == 0 || baseline <= rest {
		return 1
	}
	ideal := rest + (baseline-rest)*float64(rounds)/float64(indexes)
	return model.Ratio(baseline / ideal)
}
