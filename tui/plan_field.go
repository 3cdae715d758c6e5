package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
)

// planField is one line of a plan that can be changed.
type planField struct {
	name  string
	what  string // one line of meaning
	value func(p *model.VacuumPlan) string
	// step goes to the next value up (1) or down (-1).
	step func(p *model.VacuumPlan, by int)
	// text takes what is typed into it; nil for a field that is only stepped.
	text func(p *model.VacuumPlan) *string
}

// edit does what a key asks for and tells whether the plan is another one now.
func (f planField) edit(p *model.VacuumPlan, msg tea.KeyMsg) bool {
	before := *p
	switch {
	case msg.Type == tea.KeyRight, msg.Type == tea.KeySpace, msg.String() == "+", f.text == nil && msg.String() == "l":
		f.step(p, 1)
	case msg.Type == tea.KeyLeft, msg.String() == "-", f.text == nil && msg.String() == "h":
		f.step(p, -1)
	case f.text == nil:
	case msg.Type == tea.KeyBackspace:
		if s := f.text(p); *s != "" {
			*s = (*s)[:len(*s)-1]
		}
	case msg.Type == tea.KeyRunes && !msg.Paste:
		if s := f.text(p); len(*s) < maxValue && isValue(msg.Runes) {
			*s += string(msg.Runes)
		}
	}
	return *p != before
}

// maxValue is how long a value of a setting can be typed.
const maxValue = 24

// isValue tells whether what was typed can stand in a number with a unit, or a word.
func isValue(typed []rune) bool {
	for _, r := range typed {
		if !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' || r == '_') {
			return false
		}
	}
	return true
}

func (f planField) line(p model.VacuumPlan, selected bool, w int) line {
	value := f.value(&p)
	s := stylePlain
	if value == asIs {
		s = styleDim
	}
	if selected {
		s = styleStrong
	}
	out := append(marker(selected), fit(plain(" "+f.name), 26)...)
	return fit(append(out, seg{value, s}), w)
}

// asIs is the value of what is not said.
const asIs = "as it is"

// planFields are the options that a server of this version has.
func planFields(versionNum int) []planField {
	fields := []planField{
		intField("PARALLEL", "at most so many workers for the indexes; as it is: as many as there are indexes for", func(p *model.VacuumPlan) *model.Opt[int] { return &p.Parallel }),
		textField("vacuum_cost_delay", "how long it naps for every cost limit of work, as 2ms; 0 never", func(p *model.VacuumPlan) *string { return &p.CostDelay }, "ms"),
		textField("vacuum_cost_limit", "the cost that a nap is for: ten times as much is ten times the speed while it mostly sleeps", func(p *model.VacuumPlan) *string { return &p.CostLimit }, ""),
		textField("maintenance_work_mem", "the memory for dead rows: what does not fit needs another pass over the indexes", func(p *model.VacuumPlan) *string { return &p.MaintenanceWorkMem }, "MB"),
		boolField("FREEZE", "freezes all rows that can be, as an aggressive vacuum does", func(p *model.VacuumPlan) *bool { return &p.Freeze }),
		boolField("ANALYZE", "collects the planner's statistics afterwards", func(p *model.VacuumPlan) *bool { return &p.Analyze }),
		heldField(),
		choiceField("INDEX_CLEANUP", "whether dead rows are removed from the indexes", indexCleanups(versionNum), func(p *model.VacuumPlan) *string { return &p.IndexCleanup }),
		optField("TRUNCATE", "whether empty pages at the table's end go back to the system, which locks readers out for a moment", func(p *model.VacuumPlan) *model.Opt[bool] { return &p.Truncate }),
	}
	if versionNum >= 140000 {
		fields = append(fields, optField("PROCESS_TOAST", "whether its TOAST table is vacuumed as well", func(p *model.VacuumPlan) *model.Opt[bool] { return &p.ProcessToast }))
	}
	if versionNum >= 160000 {
		fields = append(fields,
			optField("PROCESS_MAIN", "whether the table itself is vacuumed", func(p *model.VacuumPlan) *model.Opt[bool] { return &p.ProcessMain }),
			textField("BUFFER_USAGE_LIMIT", "the ring of buffers that it uses; 0: all of shared_buffers", func(p *model.VacuumPlan) *string { return &p.BufferUsageLimit }, "MB"))
	}
	if versionNum >= 180000 {
		fields = append(fields, boolField("track_cost_delay_timing", "has the server measure how long it sleeps; it takes a superuser", func(p *model.VacuumPlan) *bool { return &p.TrackCostDelayTiming }))
	}
	return append(fields,
		boolField("VERBOSE", "the server tells of workers and of the end; a VERBOSE one whose program has gone ends at its next message", func(p *model.VacuumPlan) *bool { return &p.Verbose }),
		boolField("DISABLE_PAGE_SKIPPING", "visits every page, also those known to be clean", func(p *model.VacuumPlan) *bool { return &p.DisablePageSkipping }),
		boolField("FULL", "writes the table anew, smaller, and locks everybody out meanwhile", func(p *model.VacuumPlan) *bool { return &p.Full }))
}

// queueForEver is the lock_timeout of a VACUUM that takes its place in the server's
// queue for the table's lock.
const queueForEver = "0"

// heldField is what is done when somebody holds the table.
func heldField() planField {
	words := []string{"wait until it is free", "skip it (SKIP_LOCKED)", "queue for it, which cancels an autovacuum"}
	at := func(p *model.VacuumPlan) int {
		switch {
		case p.SkipLocked:
			return 1
		case p.LockTimeout == queueForEver:
			return 2
		}
		return 0
	}
	return planField{
		name: "when it is held", what: "by another VACUUM, an autovacuum, CREATE INDEX, ALTER TABLE: waiting takes no place in the server's queue",
		value: func(p *model.VacuumPlan) string { return words[at(p)] },
		step: func(p *model.VacuumPlan, by int) {
			next := (at(p) + by + len(words)) % len(words)
			p.SkipLocked, p.LockTimeout = next == 1, ""
			if next == 2 {
				p.LockTimeout = queueForEver
			}
		},
	}
}

func indexCleanups(versionNum int) []string {
	if versionNum < 140000 {
		return []string{"", "on", "off"}
	}
	return []string{"", "auto", "on", "off"}
}

// oneOf is a field with these values, each with its word; one that is none of them
// counts as the first.
func oneOf[T comparable](name, what string, values []T, words []string, of func(*model.VacuumPlan) *T) planField {
	at := func(p *model.VacuumPlan) int { return max(0, slices.Index(values, *of(p))) }
	return planField{name: name, what: what,
		value: func(p *model.VacuumPlan) string { return words[at(p)] },
		step:  func(p *model.VacuumPlan, by int) { *of(p) = values[(at(p)+by+len(values))%len(values)] },
	}
}

func boolField(name, what string, of func(*model.VacuumPlan) *bool) planField {
	return oneOf(name, what, []bool{false, true}, []string{"no", "yes"}, of)
}

func optField(name, what string, of func(*model.VacuumPlan) *model.Opt[bool]) planField {
	values := []model.Opt[bool]{{}, model.Some(true), model.Some(false)}
	return oneOf(name, what, values, []string{asIs, "on", "off"}, of)
}

func choiceField(name, what string, values []string, of func(*model.VacuumPlan) *string) planField {
	f := oneOf(name, what, values, values, of)
	f.value = written(of)
	return f
}

// written is the value of a field that is text: as it was written.
func written(of func(*model.VacuumPlan) *string) func(*model.VacuumPlan) string {
	return func(p *model.VacuumPlan) string { return cmp.Or(*of(p), asIs) }
}

func intField(name, what string, of func(*model.VacuumPlan) *model.Opt[int]) planField {
	return planField{name: name, what: what,
		value: func(p *model.VacuumPlan) string {
			if n, given := of(p).Get(); given {
				return strconv.Itoa(n)
			}
			return asIs
		},
		step: func(p *model.VacuumPlan, by int) {
			n, given := of(p).Get()
			switch {
			case !given && by > 0:
				*of(p) = model.Some(0)
			case !given:
			case n+by < 0:
				*of(p) = model.None[int]()
			default:
				*of(p) = model.Some(min(n+by, 1024))
			}
		},
	}
}

func textField(name, what string, of func(*model.VacuumPlan) *string, unit string) planField {
	return planField{name: name, what: what, text: of, value: written(of),
		step: func(p *model.VacuumPlan, by int) { *of(p) = stepped(*of(p), by, unit) },
	}
}

// stepped is the next value up or down in steps of 1, 2 and 5, with its unit kept.
func stepped(value string, by int, unit string) string {
	digits := strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	if value != "" {
		unit = value[len(digits):]
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil || value == "" {
		n = 0
	}
	next := nextOf(n, by)
	return strconv.FormatFloat(next, 'f', -1, 64) + unit
}

// nextOf is the number of 1, 2, 5, 10, 20 ... after or before n; before 1 comes 0.
func nextOf(n float64, by int) float64 {
	before := 0.0
	for scale := 1.0; scale < 1e12; scale *= 10 {
		for _, m := range []float64{1, 2, 5} {
			step := m * scale
			if by > 0 && step > n {
				return step
			}
			if by < 0 && step >= n {
				return before
			}
			before = step
		}
	}
	return n
}
