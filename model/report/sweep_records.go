package report

import (
	"io"
	"math"

	"example.com/vacscope/model"
	"example.com/vacscope/model/experiment"
)

// The name and version of the document of a sweep, as reportFormat and reportFormatVersion.
const (
	sweepFormat        = "vacscope.sweep"
	sweepFormatVersion = 1
)

// sweepDocument is the JSON form of a sweep. Every key is always there; what is not known
// is null.
type sweepDocument struct {
	Format        string                `json:"format"`
	FormatVersion int                   `json:"format_version"`
	Plan          experiment.SweepPlan  `json:"plan"`
	Server        sweepServer           `json:"server"`
	Interrupted   bool                  `json:"interrupted"`
	Rows          []sweepRecord         `json:"rows"`
	Runs          []experiment.SweepRun `json:"runs"` // in the order in which they were made
	Noise         model.Opt[float64]    `json:"noise_ratio"`
	PaysFrom      model.Opt[int64]      `json:"pays_from_index_bytes_estimate"` // null: not known, at every size or at none
	Conditions    []string              `json:"conditions"`                     // that make the times hard to believe or to compare
	Findings      []string              `json:"findings"`
	VacuumMS      float64               `json:"vacuum_ms"`
	RestoreMS     float64               `json:"restore_ms"`
	OtherMS       float64               `json:"other_ms"`
}

// sweepServer is where a sweep was measured.
type sweepServer struct {
	Version               string      `json:"version"`
	BaselineVersion       string      `json:"baseline_version"`
	Throwaway             bool        `json:"throwaway"`
	Cores                 int         `json:"cores"` // of the machine that vacscope runs on
	SharedBuffers         model.Bytes `json:"shared_buffers_bytes"`
	Warmed                bool        `json:"read_into_shared_buffers"`
	MaxMaintenanceWorkers int         `json:"max_parallel_maintenance_workers"`
	MaxWorkers            int         `json:"max_parallel_workers"`
	MaxProcesses          int         `json:"max_worker_processes"`
	DelayMS               float64     `json:"vacuum_cost_delay_ms"`
	Limit                 int64       `json:"vacuum_cost_limit"`
}

// sweepRecord is a row of a sweep. Its first columns are those of the published table.
type sweepRecord struct {
	Indexes     int                `json:"indexes"`
	Degree      int                `json:"parallel_degree"`
	BaselineMS  float64            `json:"baseline_ms"`
	TimeMS      float64            `json:"time_ms"`
	SpeedUp     float64            `json:"speed_up"`
	Rounds      int                `json:"rounds"`
	Ideal       model.Opt[float64] `json:"ideal"`
	Launched    int                `json:"launched"`
	Most        int                `json:"launched_most"`
	Planned     int                `json:"planned"`
	Runs        int                `json:"runs"`
	TimeMin     float64            `json:"time_min_ms"`
	TimeMax     float64            `json:"time_max_ms"`
	BaselineMin float64            `json:"baseline_min_ms"`
	BaselineMax float64            `json:"baseline_max_ms"`
	TableBytes  model.Bytes        `json:"table_bytes"`
	IndexBytes  model.Bytes        `json:"index_bytes"`
	Cleaned     bool               `json:"cleaned"`
}

func newSweepRecord(r experiment.SweepRow) sweepRecord {
	return sweepRecord{
		Indexes: r.Indexes, Degree: r.Degree, BaselineMS: fourth(r.Baseline.Median), TimeMS: fourth(r.Time.Median),
		SpeedUp: fourth(float64(r.SpeedUp)), Rounds: r.Rounds, Ideal: mapped(r.Ideal, func(i model.Ratio) float64 { return fourth(float64(i)) }),
		Launched: r.Launched, Most: r.Most, Planned: r.Planned, Runs: r.Time.N,
		TimeMin: fourth(r.Time.Min), TimeMax: fourth(r.Time.Max), BaselineMin: fourth(r.Baseline.Min), BaselineMax: fourth(r.Baseline.Max),
		TableBytes: r.Size, IndexBytes: r.IndexBytes, Cleaned: r.Cleaned,
	}
}

// fourth is a number to four decimals, as the published table has them.
func fourth(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// WriteSweepCSV writes the rows of a sweep as one table with a line of heads.
func WriteSweepCSV(w io.Writer, s *experiment.Sweep) error {
	table := tableOf(each(s.Rows(), newSweepRecord))
	return writeTables(w, "", table.heads, []csvTable{table})
}

// WriteSweepJSON writes a sweep as one document.
func WriteSweepJSON(w io.Writer, s *experiment.Sweep) error {
	return writeDocument(w, sweepDocument{
		Format: sweepFormat, FormatVersion: sweepFormatVersion, Plan: s.Plan, Interrupted: s.Interrupted,
		Server: sweepServer{
			Version: s.Measured.Version, BaselineVersion: s.Baseline.Version, Throwaway: !s.Place.Own, Cores: s.Place.Cores,
			SharedBuffers: s.Place.SharedBuffers, Warmed: s.Place.Warmed,
			MaxMaintenanceWorkers: s.Place.MaxMaintenanceWorkers, MaxWorkers: s.Place.MaxWorkers, MaxProcesses: s.Place.MaxProcesses,
			DelayMS: model.InMilliseconds(s.Place.Delay), Limit: s.Place.Limit,
		},
		Rows: each(s.Rows(), newSweepRecord), Runs: append([]experiment.SweepRun{}, s.Runs...),
		Noise: number(s.Noise()), PaysFrom: sweepPaysBytes(s), Conditions: orEmpty(s.Conditions()), Findings: orEmpty(sweepFindings(s).Items),
		VacuumMS: model.InMilliseconds(s.Spent.Vacuum), RestoreMS: model.InMilliseconds(s.Spent.Restore), OtherMS: model.InMilliseconds(s.Spent.Other),
	})
}

func sweepPaysBytes(s *experiment.Sweep) model.Opt[int64] {
	return mapped(s.PaysFrom().Or(experiment.PaysFrom{}).About(), func(b model.Bytes) int64 { return int64(b) })
}
