package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"example.com/vacscope/model"
)

// Suspects are never written as holders, and what was not read is no empty list.
func TestWhyAVacuumStandsStill(t *testing.T) {
	idle := model.Blocker{PID: 460001, State: model.Some[model.Text]("idle in transaction")}
	for name, c := range map[string]struct {
		held              model.HeldUp
		suspects, holders string // as JSON, pids only
		text              string
	}{
		"not read yet": {model.HeldUp{Kind: model.HeldCleanup}, "null", "null", "for at least 34.0 s, for a page that another session has in use (holder not visible)"},
		"suspects":     {model.HeldUp{Kind: model.HeldCleanup, HoldersRead: true, Holders: []model.Blocker{idle}}, "[460001]", "null", "(holder not visible; suspects: 460001)"},
		"nobody":       {model.HeldUp{Kind: model.HeldCleanup, HoldersRead: true}, "[]", "null", "(holder not visible)"},
		"in its way":   {model.HeldUp{Kind: model.HeldTruncate, HoldersRead: true, Holders: []model.Blocker{idle, {}}}, "null", "[460001,null]", "behind 460001, a prepared transaction"},
	} {
		t.Run(name, func(t *testing.T) {
			s := fullSnapshot()
			run := s.Active[0]
			c.held.Since = run.LastSeen.Add(-34 * time.Second)
			run.HeldUp = &c.held
			var document struct {
				Vacuums []struct {
					HeldUp struct {
						HeldMS            float64 `json:"held_ms"`
						Suspects, Holders []struct{ PID *int32 }
					} `json:"held_up"`
				}
			}
			if err := json.Unmarshal([]byte(written(t, func(b *bytes.Buffer) error { return WriteJSON(b, s, false) })), &document); err != nil {
				t.Fatal(err)
			}
			held := document.Vacuums[0].HeldUp
			if pids(t, held.Suspects) != c.suspects || pids(t, held.Holders) != c.holders || held.HeldMS != 34000 {
				t.Errorf("%+v", held)
			}
			if text := strings.Join(strings.Fields(written(t, func(b *bytes.Buffer) error { return WriteText(b, s) })), " "); !strings.Contains(text, c.text) {
				t.Errorf("no %q in %s", c.text, text)
			}
		})
	}
}

func pids(t *testing.T, list []struct{ PID *int32 }) string {
	t.Helper()
	if list == nil {
		return "null"
	}
	out := []*int32{}
	for _, b := range list {
		out = append(out, b.PID)
	}
	text, err := json.Marshal(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
