package report

import "example.com/vacscope/model"

// contextObject is under what conditions a run went.
type contextObject struct {
	Server       serverObject               `json:"server"`
	Version      model.Opt[model.Text]      `json:"version"`   // version()
	Configure    model.Opt[model.Text]      `json:"configure"` // options with which it was built
	Vacscope     model.Opt[string]          `json:"vacscope_version"`
	CommandLine  model.Opt[string]          `json:"command_line"`
	Kernel       model.Opt[string]          `json:"host_kernel"`
	Cores        model.Opt[int]             `json:"host_cores"`
	Memory       model.Opt[model.Bytes]     `json:"host_memory_bytes"`
	ServersHost  bool                       `json:"host_is_the_servers"`
	Settings     []settingObject            `json:"settings"`
	Own          []settingObject            `json:"session_settings"`
	Indexes      []indexObject              `json:"indexes"`
	Cached       []cachedObject             `json:"shared_buffers"`         // empty: shared_buffers_missing says why
	CachedAt     []timestamp                `json:"shared_buffers_read_at"` // at the start, at the end
	CachedNot    model.Opt[string]          `json:"shared_buffers_missing"`
	IntervalMS   float64                    `json:"interval_ms"`
	TickRate     model.PerSecond            `json:"samples_per_second"`
	WantedMS     model.Opt[float64]         `json:"interval_ms_wanted"`
	WantedRate   model.Opt[model.PerSecond] `json:"samples_per_second_wanted"`
	Reached      model.Opt[model.PerSecond] `json:"samples_per_second_reached"`
	WatchingCost model.Opt[model.Ratio]     `json:"server_time_of_watching"`
	Lost         model.Opt[string]          `json:"not_read"`
}

type indexObject struct {
	Index  model.Text  `json:"index"`
	Method model.Text  `json:"method"`
	Bytes  model.Bytes `json:"bytes_at_last_vacuum"`
}

func newContextObject(c *Context) contextObject {
	o := c.Origin
	var wantedMS model.Opt[float64]
	var wantedRate model.Opt[model.PerSecond]
	if w := o.Wanted; w != nil {
		wantedMS, wantedRate = model.Some(milliseconds(w.Interval)), model.Some(w.TickRate)
	}
	return contextObject{
		Server: newServer(c.Server), Version: o.Version, Configure: o.Configure, Vacscope: unlessZero(o.Vacscope), CommandLine: unlessZero(o.CommandLine),
		Kernel: o.Host.Kernel, Cores: o.Host.Cores, Memory: o.Host.Memory, ServersHost: o.Host.Servers,
		Settings: each(c.Settings, newSetting), Own: each(c.Own, newSetting),
		Indexes: each(c.Indexes, func(ix model.Index) indexObject {
			return indexObject{ix.Name, ix.AccessMethod, model.Bytes(ix.RelPages) * c.Server.BlockSize}
		}),
		Cached: newCachedObjects(c), CachedAt: each(c.Cached.At, toTimestamp), CachedNot: unlessZero(c.Cached.Missing),
		IntervalMS: milliseconds(c.Watch.Interval), TickRate: c.Watch.TickRate, WantedMS: wantedMS, WantedRate: wantedRate, Reached: c.Reached, WatchingCost: c.Watch.ServerTime, Lost: unlessZero(o.Lost),
	}
}
