package poll

import (
	"strings"
	"testing"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// On a managed service, whose own database is closed, the owner's role watches without a
// refusal, and no database is connected to in which nothing is vacuumed.
func TestAManagedServiceIsWatchedWithoutARefusal(t *testing.T) {
	s := pgtest.Start(t, 18, "log_connections=on")
	s.Role(t, "boss", "pg_monitor", "pg_signal_backend")
	s.Database(t, "rdsadmin", "")
	s.Database(t, "unused", "")
	s.Exec(t, "revoke connect on database rdsadmin from public")
	v := s.HeldVacuum(t, "held")
	source := open(t, s.ConnStringFor("boss", "postgres"))
	beats := 0
	runUntil(t, source, "ten beats", func(sample model.Sample) bool {
		if len(sample.Problems) > 0 {
			t.Errorf("refused: %+v", sample.Problems)
		}
		if sample.Poll != nil {
			mustHave(t, sample.Poll, v.PID)
			beats++
		}
		return beats == 10
	})
	for line := range strings.Lines(s.Log()) {
		if strings.Contains(line, "boss") && (strings.Contains(line, "rdsadmin") || strings.Contains(line, "unused")) || strings.Contains(line, "FATAL") {
			t.Error(line)
		}
	}
}
