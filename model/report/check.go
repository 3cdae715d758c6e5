package report

import (
	"fmt"
	"io"

	"example.com/vacscope/model"
)

// The name and version of the check document.
const (
	checkFormat        = "vacscope.check"
	checkFormatVersion = 1
)

// What a finding says.
const (
	statusOK      = "ok"
	statusPartly  = "partly"
	statusNo      = "no"
	statusUnknown = "not_known" // not known here, or of no meaning here
)

// marks are how a status reads in text.
var marks = map[string]string{statusOK: "ok", statusPartly: "~", statusNo: "no", statusUnknown: "-"}

// finding is one line of a check: what the role can see or do.
type finding struct {
	Group  string     `json:"group"` // sees, can_do
	Key    string     `json:"key"`
	Status string     `json:"status"`
	Says   model.Text `json:"says"`
	// Brings are what would bring the missing: statements, or one sentence.
	Brings []model.Text `json:"brings"`

	label string // the key in words
}

// The groups of findings.
const (
	groupSees  = "sees"
	groupCanDo = "can_do"
)

// findings is the check, line by line: the same lines on every server.
func findings(c *model.Check) []finding {
	a := assessment{c, managedService(c)}
	lines := append(a.sees(), a.canDo()...)
	for i := range lines {
		if lines[i].Brings == nil {
			lines[i].Brings = []model.Text{} // [] rather than null
		}
	}
	return lines
}

// checkDocument is the JSON form of a check.
type checkDocument struct {
	Format        string                `json:"format"`
	FormatVersion int                   `json:"format_version"`
	Server        serverObject          `json:"server"`
	TLS           model.Opt[string]     `json:"tls"`
	Socket        bool                  `json:"socket"`
	Pooled        bool                  `json:"pooled"`
	Service       model.Opt[string]     `json:"managed_service"`
	Superuser     model.Opt[bool]       `json:"superuser"`
	Groups        []checkGroupObject    `json:"predefined_roles"`
	Databases     []checkDatabaseObject `json:"databases"`
	Findings      []finding             `json:"findings"`
	Problems      []problemObject       `json:"problems"`
}

type checkGroupObject struct {
	Name   model.Text `json:"name"`
	Usage  bool       `json:"usage"`
	Member bool       `json:"member"`
}

type checkDatabaseObject struct {
	Name       model.Text `json:"name"`
	MayConnect bool       `json:"may_connect"`
	Open       bool       `json:"allows_connections"`
}

// WriteCheckJSON writes the check document.
func WriteCheckJSON(w io.Writer, c *model.Check) error {
	return encode(w, checkDocument{
		Format:        checkFormat,
		FormatVersion: checkFormatVersion,
		Server:        newServer(c.Server),
		TLS:           unlessZero(c.TLS),
		Socket:        c.Socket,
		Pooled:        c.Pooled,
		Service:       unlessZero(managedService(c).name),
		Superuser:     c.Superuser,
		Groups:        each(c.Groups, func(g model.CheckGroup) checkGroupObject { return checkGroupObject(g) }),
		Databases:     each(c.Databases, func(d model.CheckDatabase) checkDatabaseObject { return checkDatabaseObject(d) }),
		Findings:      findings(c),
		Problems:      each(c.Problems, newProblem),
	}, true)
}

// WriteCheckText writes the check for a person to read.
func WriteCheckText(w io.Writer, c *model.Check) error {
	lines := []string{serverLine(c.Server)}
	group := ""
	for _, f := range findings(c) {
		if f.Group != group {
			group = f.Group
			lines = append(lines, "", map[string]string{groupSees: "sees", groupCanDo: "can do"}[group])
		}
		lines = append(lines, f.lines()...)
	}
	for _, p := range c.Problems {
		lines = append(lines, "", "not read: "+p.Part+": "+p.Message.Display())
	}
	lines = append(lines, "", "ok yes   ~ in part   no: -> is what brings it   - not known, or without meaning")
	return writeLines(w, lines)
}

// labelWidth is the width of the column of labels.
const labelWidth = 18

// lines are a finding in text: mark, label, what it says; under it what brings
// the missing, each on a line of its own, which is not broken: it can be copied.
func (f finding) lines() []string {
	head := "  " + pad(marks[f.Status], 2, true) + "  " + pad(f.label, labelWidth, true) + " "
	lines := hang(head, f.Says.Display())
	for _, b := range f.Brings {
		lines = append(lines, "      -> "+b.Display())
	}
	return lines
}

func sqlf(format string, args ...any) model.Text { return model.Text(fmt.Sprintf(format, args...)) }
