package report

import (
	"fmt"
	"slices"
	"strings"

	"example.com/vacscope/model"
)

// Condition is something under which the sides did not go alike, as text: what it was in
// the runs of A, and in those of B.
type Condition struct{ What, A, B string }

// conditions are those that differ between the sides, or within one.
func conditions(a, b Side) []Condition {
	inA, inB := a.conditions(), b.conditions()
	var names []string
	for _, c := range slices.Concat(inA, inB) {
		if !slices.Contains(names, c.what) {
			names = append(names, c.what)
		}
	}
	var out []Condition
	for _, name := range names {
		va, vb := valuesOf(inA, name), valuesOf(inB, name)
		if len(va) > 1 || len(vb) > 1 || !slices.Equal(va, vb) {
			out = append(out, Condition{name, orAbsent(va), orAbsent(vb)})
		}
	}
	return out
}

type condition struct{ what, value string }

func (s *Side) conditions() []condition {
	var out []condition
	for i := range s.Runs {
		out = append(out, s.Runs[i].conditions()...)
	}
	return out
}

// conditions are those of one run that can make it faster or slower.
func (r *RunReport) conditions() []condition {
	c := &r.Context
	var out []condition
	add := func(what, value string) {
		if value != "" {
			out = append(out, condition{what, value})
		}
	}
	add("database", r.Database.Display())
	add("command", r.Command)
	add("statement", shortStatement(r.Statement.Or("")))
	add("started by", strings.ReplaceAll(r.StartedBy.Or(""), "_", " "))
	add("server version", c.Server.Version.Display())
	add("version()", c.Origin.Version.Or("").Display())
	add("kernel", c.Origin.Host.Kernel.Or(""))
	if cores, known := c.Origin.Host.Cores.Get(); known {
		add("cores", fmt.Sprint(cores))
	}
	if memory, known := c.Origin.Host.Memory.Get(); known {
		add("memory", model.FormatBytes(memory))
	}
	if size, known := c.HeapBytes.Get(); known {
		add("heap", model.FormatBytes(size))
	}
	if c.Relation != nil {
		add("indexes", fmt.Sprint(len(c.Indexes)))
	}
	for _, setting := range c.Settings {
		add(setting.Name, settingValue(setting))
	}
	for _, setting := range c.Own {
		add(setting.Name+" (session)", settingValue(setting))
	}
	add("seen from its start", yesNo(r.FromStart))
	add("result", r.resultText())
	return out
}

// valuesOf are the values of a condition, each once.
func valuesOf(all []condition, what string) []string {
	var out []string
	for _, c := range all {
		if c.what == what && !slices.Contains(out, c.value) {
			out = append(out, c.value)
		}
	}
	return out
}

func orAbsent(values []string) string {
	if len(values) == 0 {
		return ascii(model.Absent)
	}
	return strings.Join(values, ", ")
}
