package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"example.com/vacscope/model"
)

// Origin is what is known of a stream beside its samples: who took it, and where.
type Origin struct {
	// File is the recording's name; "" for a stream that is none.
	File string
	// CommandLine is how the recording was started, Vacscope the version of the
	// program that made it.
	CommandLine, Vacscope string
	// Version is version(), with compiler and platform; Configure the options with
	// which the server was built (pg_config; absent without the right to read it).
	Version, Configure model.Opt[model.Text]
	// Host is where the recording was made, which is the server's host only over a local
	// socket.
	Host Host
	// Settings are those that differ from their defaults, of all the server has; nil
	// where only those that the samples carry are known.
	Settings []model.Setting
	// Wanted is how often the server was to be read; nil where that is not known.
	Wanted *model.Rates
	// Lost says what of the recording could not be read; "" for a whole one.
	Lost string
}

// Host is a machine.
type Host struct {
	Kernel  model.Opt[string]
	Cores   model.Opt[int]
	Memory  model.Opt[model.Bytes]
	Servers bool // the server runs on it
}

// Context is under what conditions a run went.
type Context struct {
	Part
	Origin Origin
	Server model.Server
	// Settings are those that differ from their defaults, by name, without those of
	// clients, locale and paths.
	Settings []model.Setting
	// Own are the settings that were set for the vacuuming session itself; known only of
	// runs that vacscope started.
	Own []model.Setting
	// Changes are settings of the server that changed while it went on.
	Changes []model.RunChange
	// Waited is how long it was seen waiting for its table lock, before the time that it
	// took; absent when it was not.
	Waited model.Opt[time.Duration]
	// HeapBytes is the size of the table as the vacuum found it.
	HeapBytes model.Opt[model.Bytes]
	Relation  *model.Relation // nil without the catalog
	Indexes   []model.Index
	Cached    Cached
	Parallel  model.Parallel
	Watch     model.Watch
	// Reached is how many samples of the leader were taken per second; absent for less
	// than model.MinShareWindow.
	Reached model.Opt[model.PerSecond]
	Samples model.Count
}

func newContext(s *model.Snapshot, r *model.Run, o Origin) Context {
	c := Context{
		Origin: o, Server: s.Server, HeapBytes: r.HeapBytes, Relation: r.Relation, Indexes: r.Indexes,
		Parallel: r.Parallel, Watch: r.Watch, Samples: r.Samples, Changes: r.Changes, Waited: r.WaitedForLock,
		Reached: reached(r), Cached: newCached(s, r),
	}
	settings := o.Settings
	if settings == nil {
		settings = s.Settings
	}
	for _, setting := range settings {
		if matters(setting) {
			c.Settings = append(c.Settings, setting)
		}
	}
	if r.Own != nil {
		for _, setting := range r.Own.Settings {
			if setting.Source == "session" {
				c.Own = append(c.Own, setting)
			}
		}
	}
	return c
}

// section is the conditions as people read them.
func (c *Context) section(r *RunReport) Section {
	s := Section{Name: "context", Title: "Context", Missing: c.Missing}
	add := func(what, value string) {
		if value != "" {
			s.Facts = append(s.Facts, Fact{what, value})
		}
	}
	add("statement", text(r.Statement, shortStatement))
	add("started by", fmt.Sprintf("%s, pid %d, database %s", startedBy(r.StartedBy, r.Role), r.PID, r.Database.Display()))
	add("seen", r.seen())
	add("took", r.took())
	if waited, did := c.Waited.Get(); did {
		add("waited", "for its table lock, at least "+model.FormatDuration(waited)+" before that")
	}
	add("table", c.tableSize())
	add("workers", workersText(c.Parallel))
	add("server", c.serverText())
	if options, known := c.Origin.Configure.Get(); known {
		add("configure", options.Display())
	}
	add("host", c.Origin.Host.text())
	add("recorded", c.recordedText())
	add("watching", c.watchText())
	add("cached", c.Cached.Missing)
	add("not read", c.Origin.Lost)
	if len(c.Settings) > 0 {
		s.Grids = append(s.Grids, settingGrid("Settings that differ from their defaults", c.Settings))
	}
	if len(c.Own) > 0 {
		s.Grids = append(s.Grids, settingGrid("Set for the vacuuming session", c.Own))
	}
	if len(c.Changes) > 0 {
		s.Grids = append(s.Grids, c.changeGrid())
	}
	if len(c.Indexes) > 0 {
		s.Grids = append(s.Grids, c.indexGrid())
	}
	if len(c.Cached.At) > 0 {
		s.Grids = append(s.Grids, c.Cached.grid(r.Name(), c.Indexes, c.Server.BlockSize))
	}
	return s
}

func (c *Context) tableSize() string {
	if size, known := c.HeapBytes.Get(); known {
		return model.FormatBytes(size)
	}
	return ""
}

func (c *Context) serverText() string {
	if version, known := c.Origin.Version.Get(); known {
		return version.Display()
	}
	return "PostgreSQL " + c.Server.Version.Display()
}

func (c *Context) recordedText() string {
	if c.Origin.Vacscope == "" {
		return ""
	}
	return "vacscope " + c.Origin.Vacscope + ": " + c.Origin.CommandLine
}

// watchText is how often it was read, how often that was wanted, and what it cost. What is
// in force is as it was last.
func (c *Context) watchText() string {
	text := func(r model.Rates) string {
		return fmt.Sprintf("every %s, %s samples a second", model.FormatDuration(r.Interval), model.FormatRate(r.TickRate))
	}
	inForce := model.Rates{Interval: c.Watch.Interval, TickRate: c.Watch.TickRate}
	out := text(inForce)
	switch wanted := c.Origin.Wanted; {
	case wanted == nil:
	case *wanted == inForce:
		out += " as wanted"
	default:
		out = "wanted " + text(*wanted) + "; last " + out
	}
	if reached, known := c.Reached.Get(); known && c.Watch.TickRate > 0 {
		out += " (" + model.FormatRate(reached) + " reached)"
	}
	if cost, known := c.Watch.ServerTime.Get(); known {
		out += fmt.Sprintf(", costs the server %.1f ms/s", 1000*float64(cost))
	}
	return out + "; " + model.FormatCounted(c.Samples.Missed, "sample", "samples") + " missed"
}

// reached is how many samples of the leader were taken per second of its phases.
func reached(r *model.Run) model.Opt[model.PerSecond] {
	samples, wall := 0, time.Duration(0)
	for i := range r.Phases {
		wall += r.Phases[i].Wall
		for _, w := range r.Phases[i].Waits {
			if w.PID == r.Key.PID {
				samples += w.Samples
			}
		}
	}
	if wall < model.MinShareWindow {
		return model.None[model.PerSecond]()
	}
	return model.Some(model.PerSecond(float64(samples) / wall.Seconds()))
}

func (c *Context) indexGrid() Grid {
	g := newGrid("Indexes", "index", "method", "#size")
	for _, ix := range c.Indexes {
		g.add(ix.Name.Display(), ix.AccessMethod.Display(), model.FormatBytes(model.Bytes(ix.RelPages)*c.Server.BlockSize))
	}
	return g
}

// changeGrid are the settings that changed meanwhile.
func (c *Context) changeGrid() Grid {
	g := newGrid("Changed while it ran", "at (UTC)", "name", "from", "to", "follows")
	for _, change := range c.Changes {
		g.add(change.At.UTC().Format("15:04:05"), change.New.Name, settingValue(change.Old), settingValue(change.New), text(change.Follow.Follows, yesNo))
	}
	return g
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func settingGrid(title string, settings []model.Setting) Grid {
	g := newGrid(title, "name", "setting", "source")
	for _, s := range settings {
		g.add(s.Name, settingValue(s), s.Source.Display())
	}
	return g
}

// settingValue is a setting's value as it can be set again, with the size that a number
// of blocks stands for.
func settingValue(s model.Setting) string {
	value := model.Text(s.Written()).Display()
	kilobytes, blocks := strings.CutSuffix(s.Unit.Or(""), "kB")
	size, err := strconv.Atoi(kilobytes)
	n, notNumber := strconv.ParseInt(string(s.Setting), 10, 64)
	if !blocks || err != nil || notNumber != nil || n <= 0 {
		return value
	}
	return value + " (" + model.FormatBytes(model.Bytes(n)*model.Bytes(size)<<10) + ")"
}

func (h Host) text() string {
	var parts []string
	if kernel, known := h.Kernel.Get(); known {
		parts = append(parts, kernel)
	}
	if cores, known := h.Cores.Get(); known {
		parts = append(parts, model.FormatCounted(cores, "core", "cores"))
	}
	if memory, known := h.Memory.Get(); known {
		parts = append(parts, model.FormatBytes(memory))
	}
	if len(parts) > 0 && !h.Servers {
		parts = append(parts, "not known to be the server's")
	}
	return strings.Join(parts, ", ")
}
