package report

import (
	"fmt"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
)

// title is the command, the relation and how it ended.
func (r *RunReport) title() string {
	return fmt.Sprintf("%s of %s: %s", r.Command, r.Name(), r.resultText())
}

func (r *RunReport) resultText() string {
	how, ended := r.Result.Get()
	if !ended {
		return "it goes on"
	}
	if r.SQLState != "" {
		return string(how) + " (" + r.SQLState + ")"
	}
	return string(how)
}

// seen is since when it was seen.
func (r *RunReport) seen() string {
	out := r.From.UTC().Format(timeLayout)
	if !r.FromStart {
		out += ", not from its start"
	}
	return out
}

// took is how long it took, as far as it was seen.
func (r *RunReport) took() string {
	out := clock(r.Elapsed) + " +- " + uncertainty(r.Uncertain+r.Within) + " s"
	if !r.FromStart {
		out = "at least " + out
	}
	return out
}

func shortStatement(t model.Text) string { return ansi.Truncate(t.Display(), maxStatement, "...") }
