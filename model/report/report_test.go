package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/vacscope/model"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
)

// written is what write writes.
func written(t *testing.T, write func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSnapshotDocument(t *testing.T) {
	golden.RequireEqual(t, written(t, func(b *bytes.Buffer) error { return WriteJSON(b, fullSnapshot(), true) }))
}

// A program that reads the document may rely on every key, whatever the server
// and the role give.
func TestEveryKeyIsAlwaysThere(t *testing.T) {
	bare := &model.Snapshot{
		Active:      []*model.Run{{Processes: []model.Member{{Alive: true}}}},
		Analyzes:    []model.Analyze{{}},
		LockWaits:   []model.LockWait{{}},
		LastVacuums: []model.LastVacuum{{}},
		Queue:       &model.Queue{Tables: []model.QueuedTable{{Pressures: []model.Pressure{{}}, Vacuum: true, Holders: []model.Holder{{PID: 1}}}}},
		Settings:    []model.Setting{{}},
		Problems:    []model.Problem{{}},
	}
	full := keys(t, fullSnapshot())
	if got := keys(t, bare); !slices.Equal(got, full) {
		t.Errorf("keys without values:\n%s\nkeys with values:\n%s", strings.Join(got, "\n"), strings.Join(full, "\n"))
	}
}

// keys are the paths of all keys of the document, without the columns that
// depend on the server's version.
func keys(t *testing.T, s *model.Snapshot) []string {
	t.Helper()
	var document map[string]any
	if err := json.Unmarshal([]byte(written(t, func(b *bytes.Buffer) error { return WriteJSON(b, s, false) })), &document); err != nil {
		t.Fatal(err)
	}
	paths := map[string]bool{}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				paths[path+"."+key] = true
				if key != "unknown_columns" && key != "toast_of" && key != "findings" {
					walk(path+"."+key, value)
				}
			}
		case []any:
			for _, element := range v {
				walk(path+"[]", element)
			}
		}
	}
	walk("", document)
	var sorted []string
	for path := range paths {
		sorted = append(sorted, path)
	}
	slices.Sort(sorted)
	return sorted
}

func TestListsAreNeverNull(t *testing.T) {
	got := written(t, func(b *bytes.Buffer) error { return WriteJSON(b, &model.Snapshot{}, false) })
	for _, list := range []string{"vacuums", "analyzes", "lock_waits", "settings", "problems"} {
		if !strings.Contains(got, fmt.Sprintf("%q:[]", list)) {
			t.Errorf("%s is not [] in %s", list, got)
		}
	}
}

func TestDelaySourceTellsWhyThereIsNoDelay(t *testing.T) {
	for want, delay := range map[string]model.Opt[float64]{
		"absent": model.None[float64](), "off_or_none": model.Some(0.0), "server": model.Some(0.5),
	} {
		if got := delaySource(delay); got != want {
			t.Errorf("delay %v: source %s, want %s", delay, got, want)
		}
	}
}

// The masked rows of another role give no zeros that could be taken for values.
func TestHiddenVacuumHasNullsOnly(t *testing.T) {
	hidden := newVacuum(fullSnapshot(), hiddenRun())
	if hidden.RelID.Known() || hidden.BackendStart.Known() || hidden.StatementStart.Known() || hidden.Phase.Known() || hidden.StartedBySource.Known() {
		t.Errorf("a hidden vacuum shows values: %+v", hidden)
	}
}

func TestSnapshotText(t *testing.T) {
	s := fullSnapshot()
	s.Active = append(s.Active, hiddenRun())
	got := written(t, func(b *bytes.Buffer) error { return WriteText(b, s) })
	requirePlain(t, got)
	golden.RequireEqual(t, got)
}

// A document of a stream whose connection is lost does not look like a fresh one.
func TestLostConnectionIsAProblem(t *testing.T) {
	s := fullSnapshot()
	s.Problems = nil
	s.Link = model.Link{Lost: true, Reason: "terminating connection"}
	got := written(t, func(b *bytes.Buffer) error { return WriteJSON(b, s, false) })
	if want := `"problems":[{"part":"connection","sqlstate":null,"message":"terminating connection"}]`; !strings.Contains(got, want) {
		t.Errorf("%s is not in %s", want, got)
	}
}

// "Nothing is being vacuumed" is said only by a role that would see it.
func TestSnapshotTextOfNothing(t *testing.T) {
	for seesAll, want := range map[bool]string{true: "nothing is being vacuumed", false: "no vacuum is in sight of this role"} {
		s := &model.Snapshot{Server: model.Server{SeesAll: seesAll}}
		if got := written(t, func(b *bytes.Buffer) error { return WriteText(b, s) }); !strings.Contains(got, want) {
			t.Errorf("sees all %v: %q is not in:\n%s", seesAll, want, got)
		}
	}
}

func TestRunSummary(t *testing.T) {
	run := parallelRun()
	run.End = &model.End{How: model.EndNotVisible}
	got := written(t, func(b *bytes.Buffer) error { return WriteRun(b, run) })
	requirePlain(t, got)
	golden.RequireEqual(t, got)
}

// Before 18 and without samples there is no delay to show, and no zero either.
func TestRunSummaryWithoutValues(t *testing.T) {
	run := hiddenRun()
	run.Phases = []model.Span{{Phase: "scanning heap", Pass: 1, Passes: 1}}
	got := written(t, func(b *bytes.Buffer) error { return WriteRun(b, run) })
	requirePlain(t, got)
	golden.RequireEqual(t, got)
}

// Several index passes are told apart, and merged ones named as such.
func TestRunSummaryNamesPasses(t *testing.T) {
	run := parallelRun()
	merged := run.Phases[1]
	merged.Pass, merged.Passes = 2, 129
	run.Phases = append(run.Phases, merged)
	got := written(t, func(b *bytes.Buffer) error { return WriteRun(b, run) })
	for _, want := range []string{"vacuuming indexes (1) ", "vacuuming indexes (2-130) "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
}

// Names cannot reach the terminal as commands, whatever is in them.
func TestHostileNamesAreMadeVisible(t *testing.T) {
	s := fullSnapshot()
	hostile := model.Text("\x1b]0;gone\a\u202e\n\x9b2J")
	for _, r := range s.Active {
		r.Schema, r.Table, r.Database, r.Role, r.Statement = model.Some(hostile), model.Some(hostile), hostile, model.Some(hostile), model.Some(hostile)
	}
	s.Server.Role, s.Server.Version, s.Server.Database = hostile, hostile, hostile
	s.Server.Address = string(hostile)
	s.Problems[0].Message = hostile
	s.LockWaits[0].Schema, s.LockWaits[0].Table, s.LockWaits[0].Mode = model.Some(hostile), model.Some(hostile), model.Some(hostile)
	for name, got := range map[string]string{
		"snapshot": written(t, func(b *bytes.Buffer) error { return WriteText(b, s) }),
		"run":      written(t, func(b *bytes.Buffer) error { return WriteRun(b, s.Active[0]) }),
	} {
		if strings.ContainsAny(got, "\x1b\a\u202e\u009b") || strings.Contains(got, "\x9b") {
			t.Errorf("%s passes a control on: %q", name, got)
		}
	}
}

// requirePlain fails unless text is ASCII lines that fit the report's width.
func requirePlain(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if ansi.StringWidth(line) > width {
			t.Errorf("%d columns: %q", ansi.StringWidth(line), line)
		}
		if strings.TrimRight(line, " ") != line || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("not plain: %q", line)
		}
	}
}
