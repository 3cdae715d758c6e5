package report

import (
	"example.com/vacscope/model"
)

// databaseObject is a row of pg_database with its ages, as last read.
type databaseObject struct {
	DatID            uint32     `json:"datid"`
	Name             model.Text `json:"database"`
	XIDAge           int64      `json:"xid_age"`
	MXIDAge          int64      `json:"mxid_age"`
	AllowConnections bool       `json:"allow_connections"`
}

func newDatabase(d model.Database) databaseObject { return databaseObject(d) }

// idRatesObject is how fast ids are used up, over a window that ends now.
type idRatesObject struct {
	XIDsPerSecond  model.Opt[model.PerSecond] `json:"xids_per_second"`
	MXIDsPerSecond model.Opt[model.PerSecond] `json:"mxids_per_second"`
	WindowMS       model.Opt[float64]         `json:"window_ms"`
}

func newIDRates(s *model.Snapshot) idRatesObject {
	perSecond := func(r model.IDRate) model.PerSecond { return r.PerSecond }
	return idRatesObject{
		XIDsPerSecond:  mapped(s.XIDRate, perSecond),
		MXIDsPerSecond: mapped(s.MXIDRate, perSecond),
		WindowMS:       mapped(s.XIDRate, func(r model.IDRate) float64 { return milliseconds(r.Window) }),
	}
}

// edgeObject is an age, and how far it is from where the server acts on it.
type edgeObject struct {
	Of       model.EdgeOf          `json:"of"` // table, database, oldest_database
	Database model.Opt[model.Text] `json:"database"`
	Counter  string                `json:"counter"` // xid, mxid
	Age      int64                 `json:"age_ids"`
	Limits   []edgeLimitObject     `json:"limits"`
}

type edgeLimitObject struct {
	Limit  string             `json:"limit"` // autovacuum, failsafe, warning, stop
	At     int64              `json:"at_ids"`
	Left   int64              `json:"left_ids"`
	LeftMS model.Opt[float64] `json:"left_ms_estimate"`
}

func newEdge(e model.Edge) edgeObject {
	counter := "xid"
	if e.Multixacts {
		counter = "mxid"
	}
	return edgeObject{
		Of: e.Of, Database: unlessZero(e.Name), Counter: counter, Age: e.Age,
		Limits: each(e.Limits, func(l model.EdgeLimit) edgeLimitObject {
			return edgeLimitObject{Limit: l.Limit, At: l.At, Left: l.Left, LeftMS: mapped(l.In, milliseconds)}
		}),
	}
}

// allowanceObject is what the cost settings allow a vacuum at most.
type allowanceObject struct {
	CostDelayMS    model.Opt[float64]         `json:"cost_delay_ms"`
	CostDelayFrom  model.Opt[string]          `json:"cost_delay_from"` // the setting, or the table's option
	CostLimit      model.Opt[int]             `json:"cost_limit"`      // after its division among workers
	CostLimitFrom  model.Opt[string]          `json:"cost_limit_from"`
	SharedBy       model.Opt[int]             `json:"limit_shared_by_workers"`
	Share          *limitShareObject          `json:"limit_share"` // null where it takes no part in one
	Changes        []limitChangeObject        `json:"limit_changes"`
	NotKnown       model.Opt[string]          `json:"not_known_because"`
	Unlimited      model.Opt[string]          `json:"unlimited_because"`
	CostPerPage    model.Opt[float64]         `json:"cost_per_page_estimate"`
	PagesPerSecond model.Opt[model.PerSecond] `json:"pages_per_second_estimate"`
	PerProcess     model.Opt[model.Bytes]     `json:"bytes_per_second_estimate"` // per process, in this phase
	Cached         model.Opt[model.Bytes]     `json:"bytes_per_second_cached"`
	Read           model.Opt[model.Bytes]     `json:"bytes_per_second_read"`
	Dirtied        model.Opt[model.Bytes]     `json:"bytes_per_second_dirtied"`
	Processes      int                        `json:"processes"`
}

// limitShareObject is how autovacuum's cost limit is divided.
type limitShareObject struct {
	Base        int     `json:"base_limit"`
	From        string  `json:"base_limit_from"`
	Each        int     `json:"limit_each"`
	Sharing     []int32 `json:"sharing_pids"`
	Exempt      []int32 `json:"exempt_pids"`
	Unread      int     `json:"tables_not_read"`
	StartedWith bool    `json:"never_above_start"`
}

func newLimitShare(b *model.LimitShare) *limitShareObject {
	if b == nil {
		return nil
	}
	return &limitShareObject{b.Base, b.From, b.Each(), each(b.Sharing, same), each(b.Exempt, same), b.Unread, b.StartedWith}
}

func same(pid int32) int32 { return pid }

func newAllowance(r *model.Run) allowanceObject {
	a := r.Allows
	o := allowanceObject{
		Share:    newLimitShare(a.Share),
		Changes:  each(r.LimitChanges, newLimitChange),
		NotKnown: unlessZero(a.WhyNot), Unlimited: unlessZero(a.Free),
		CostPerPage: a.Cost, PagesPerSecond: a.Observed, PerProcess: a.PerProcess,
		Cached: a.Cached, Read: a.Read, Dirtied: a.Dirtied, Processes: a.Processes,
	}
	if c, ok := a.Settings.Get(); ok {
		o.CostDelayMS, o.CostLimit = model.Some(milliseconds(c.Delay)), model.Some(c.Limit)
		o.CostDelayFrom, o.CostLimitFrom = model.Some(optionOf(a.DelayFrom, a.DelayOfTable)), model.Some(optionOf(a.LimitFrom, a.LimitOfTable))
		o.SharedBy = model.Some(a.Shared)
	}
	return o
}

// limitChangeObject is a change of how many workers share autovacuum's cost limit.
type limitChangeObject struct {
	At         timestamp                  `json:"at"`
	OldSharing int                        `json:"old_workers"`
	NewSharing int                        `json:"new_workers"`
	OldEach    int                        `json:"old_limit_each"`
	NewEach    int                        `json:"new_limit_each"`
	Unit       model.Opt[string]          `json:"rate_unit"`
	Before     model.Opt[model.PerSecond] `json:"per_second_before"`
	After      model.Opt[model.PerSecond] `json:"per_second_after"`
}

func newLimitChange(c model.LimitChange) limitChangeObject {
	return limitChangeObject{
		At: timestamp(c.At), OldSharing: len(c.Old.Sharing), NewSharing: len(c.New.Sharing), OldEach: c.Old.Each(), NewEach: c.New.Each(),
		Unit: unlessZero(c.Unit), Before: c.Before, After: c.After,
	}
}

// optionOf marks a name that is the table's option.
func optionOf(name string, ofTable bool) string {
	if ofTable {
		return "reloption " + name
	}
	return name
}
