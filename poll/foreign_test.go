package poll

import (
	"strings"
	"testing"
	"unicode/utf8"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// A refusal is told by its SQLSTATE in any language: the part is paused as one that the
// role has no right to, and the server's words are shown as they came.
func TestARefusalInAForeignLanguage(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.MakeTable(t, pgtest.Table{Name: "locked", Rows: 100})
	s.LockHold(t, "locked", "share")
	v := s.Vacuum(t, "locked", "").Waiting(t, "Lock")
	s.Role(t, "monitor", "pg_monitor")
	s.Exec(t, "revoke select on pg_locks from public")
	defer s.Exec(t, "grant select on pg_locks to public")
	source := open(t, s.Foreign(t, "monitor"))
	sample := source.Beat(t.Context())
	mustHave(t, sample.Poll, v.PID)
	refused := 0
	for _, p := range sample.Problems {
		if p.SQLState != insufficientPrivilege || !strings.HasPrefix(string(p.Message), "\xe9") || !strings.HasPrefix(p.Message.Display(), `\xE9`) {
			t.Errorf("%+v", p)
		}
		refused++
	}
	if refused == 0 {
		t.Error("nothing was refused")
	}
	for part, failed := range source.reader.(*session).failing {
		if failed.pause < firstPauseWithoutTheRight {
			t.Errorf("%s is asked for again after %v", part, failed.pause)
		}
	}
}

// A refused connection is said in the server's words, in which nothing acts on a terminal.
func TestARefusedConnectionInAForeignLanguage(t *testing.T) {
	s := pgtest.Shared(t, 18)
	config, err := ParseTarget(Flags{}, s.Foreign(t, "postgres")+" dbname=nowhere")
	if err != nil {
		t.Fatal(err)
	}
	_, err = connect(t.Context(), config)
	want := model.Text(pgtest.InForeign("FATAL")+": "+pgtest.InForeign(`database "nowhere" does not exist`)).Display() + " (SQLSTATE 3D000)"
	if err == nil || !strings.HasSuffix(err.Error(), want) || !utf8.ValidString(err.Error()) {
		t.Errorf("%v, want %s", err, want)
	}
}
