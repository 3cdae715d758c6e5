package tui

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"
)

// ourWords are the strings of a snapshot that the model chose, not a server.
func ourWords() []string {
	return []string{
		string(model.StateRunning), string(model.StateWaiting), string(model.StateHidden), string(model.StateEnded),
		string(model.EndCompleted), string(model.EndNotCompleted), string(model.EndGaveWay), string(model.EndNotVisible), string(model.EndLost),
		model.ViewVacuum, model.ViewAnalyze, model.ViewCluster, model.ViewRepack, model.UnitBlocks, model.UnitIndexes, string(model.EventNote),
		model.ByManual, model.ByAutovacuum, model.ByAutovacuumWraparound, "VACUUM",
	}
}

// poisoned is a snapshot in which every string that a server, an operating system
// or a person gave is the text: whatever field holds it, also one that comes later.
func poisoned(tb testing.TB, s *model.Snapshot, text string) *model.Snapshot {
	tb.Helper()
	written, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(written))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		tb.Fatal(err)
	}
	kept := ourWords()
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			if _, err := time.Parse(time.RFC3339Nano, v); err != nil && v != "" && !slices.Contains(kept, v) {
				return text
			}
		}
		return v
	}
	if written, err = json.Marshal(walk(tree)); err != nil {
		tb.Fatal(err)
	}
	var out model.Snapshot
	if err := json.Unmarshal(written, &out); err != nil {
		tb.Fatal(err)
	}
	return &out
}

// checkEverywhere draws a snapshot in every pane, zoomed, with help, filter and list of
// actions over it, and takes what leaves the program beside the screen.
func checkEverywhere(t *testing.T, s *model.Snapshot, w, h int, ascii bool) {
	t.Helper()
	a := newApp(termenv.TrueColor, ascii)
	var out bytes.Buffer
	a.options.Terminal = &out
	resize(a, w, h)
	a.Update(SnapshotMsg{s})
	press(a, "b", "o", "o")
	for range panes {
		checkFrame(t, a.View(), w, h)
		press(a, "z")
		checkFrame(t, a.View(), w, h)
		press(a, "z", "?")
		checkFrame(t, a.View(), w, h)
		press(a, "?", "tab", "a", "j")
	}
	press(a, "enter")
	checkFrame(t, a.View(), w, h)
	press(a, "esc", ":")
	checkFrame(t, a.View(), w, h)
	press(a, "esc", "/", "e")
	checkFrame(t, a.View(), w, h)
	press(a, "esc")
	checkControls(t, a.windowTitle)
	for line := range strings.Lines(a.Summary()) {
		checkControls(t, strings.TrimSuffix(line, "\n"))
		if strings.Contains(line, "\x1b") {
			t.Fatalf("an escape in the summary: %q", line)
		}
	}
	after := *s
	after.Active, after.Ended, after.LockWaits = nil, endedAll(s.Active), nil
	update(a, SnapshotMsg{&after})
	checkFrame(t, a.View(), w, h)
	update(a, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("y")})
	for sequence := range strings.SplitSeq(strings.TrimSuffix(out.String(), "\a"), "\a") {
		body, is := strings.CutPrefix(sequence, "\x1b]9;")
		if !is {
			body, is = strings.CutPrefix(sequence, "\x1b]52;c;")
		}
		if !is && sequence != "" || strings.ContainsFunc(body, isDangerous) {
			t.Fatalf("beside the screen was written %q", sequence)
		}
	}
}

// endedAll are the runs, over.
func endedAll(runs []*model.Run) []*model.Run {
	var out []*model.Run
	for _, r := range runs {
		over := *r
		over.State, over.End = model.StateEnded, &model.End{At: fixtureNow, How: model.EndCompleted}
		out = append(out, &over)
	}
	return out
}

// FuzzView puts a text wherever a server's text can be, in every state of the screen.
func FuzzView(f *testing.F) {
	all := states()
	var names []string
	for name, s := range all {
		if s != nil && len(s.LockWaits) < 100 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for i, text := range hostileNames() {
		f.Add(string(text), uint(i), 80, 24, i%2 == 0)
		f.Add(string(text), uint(i+len(names)/2), 120, 40, false)
	}
	f.Fuzz(func(t *testing.T, text string, state uint, w, h int, ascii bool) {
		s := poisoned(t, all[names[state%uint(len(names))]], text)
		checkEverywhere(t, s, 1+abs(w)%200, 1+abs(h)%60, ascii)
	})
}

// Every state with each hostile text at 80x24: nothing acts on the terminal, and
// every line is as wide as it should be.
func TestHostileTextAnywhereIsHarmless(t *testing.T) {
	texts := hostileNames()
	for name, s := range states() {
		if s == nil || len(s.LockWaits) >= 100 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			text := texts[len(name)%len(texts)]
			checkEverywhere(t, poisoned(t, s, string(text)), 80, 24, false)
			checkEverywhere(t, poisoned(t, s, "\x1b]0;x\a\u202e\n\x7f\u009b"), 80, 24, true)
		})
	}
}
