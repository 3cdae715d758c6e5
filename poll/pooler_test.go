package poll

import (
	"io"
	"net"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgproto3"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// pooler stands before a server as PgBouncer does: it refuses start-up parameters
// that it does not keep, and tells a process id that is no server process's. It
// returns the folder of its socket.
func pooler(t *testing.T, server string) string {
	t.Helper()
	folder := t.TempDir()
	listener, err := net.Listen("unix", filepath.Join(folder, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go pool(client, server)
		}
	}()
	return folder
}

func pool(client net.Conn, server string) {
	defer client.Close()
	backend := pgproto3.NewBackend(client, client)
	first, err := backend.ReceiveStartupMessage()
	startup, ok := first.(*pgproto3.StartupMessage)
	if err != nil || !ok {
		return
	}
	for name := range startup.Parameters {
		if !slices.Contains([]string{"user", "database", "application_name", "client_encoding", "datestyle", "standard_conforming_strings"}, name) {
			backend.Send(&pgproto3.ErrorResponse{Severity: "FATAL", SeverityUnlocalized: "FATAL", Code: "08P01", Message: "unsupported startup parameter: " + name})
			_ = backend.Flush()
			return
		}
	}
	upstream, err := net.Dial("unix", server)
	if err != nil {
		return
	}
	defer upstream.Close()
	frontend := pgproto3.NewFrontend(upstream, upstream)
	frontend.Send(startup)
	if frontend.Flush() != nil {
		return
	}
	for ready := false; !ready; {
		message, err := frontend.Receive()
		if err != nil {
			return
		}
		if key, ok := message.(*pgproto3.BackendKeyData); ok {
			key.ProcessID = 1
		}
		backend.Send(message)
		_, ready = message.(*pgproto3.ReadyForQuery)
	}
	if backend.Flush() != nil {
		return
	}
	go io.Copy(upstream, client)
	_, _ = io.Copy(client, upstream)
}

func TestThroughAPoolerNothingIsSetOrPrepared(t *testing.T) {
	s := pgtest.Shared(t, 18)
	v := s.HeldVacuum(t, "held")
	var socket string
	if err := s.Conn(t).QueryRow(t.Context(), "select current_setting('unix_socket_directories')").Scan(&socket); err != nil {
		t.Fatal(err)
	}
	source := openWith(t, "user=postgres dbname=postgres host="+pooler(t, filepath.Join(socket, ".s.PGSQL.5432")), Options{Interval: time.Second, TickRate: 20})
	sample := source.Beat(t.Context())
	if sample.Poll == nil || len(sample.Problems) > 0 {
		t.Fatalf("%+v", sample)
	}
	mustHave(t, sample.Poll, v.PID)
	if w := sample.Poll.Watch; w.TickRate != pooledRate || w.TickRateNote == "" {
		t.Errorf("%v ticks a second (%q)", w.TickRate, w.TickRateNote)
	}
	if !slices.ContainsFunc(sample.Events, func(e model.Event) bool { return e.Kind == model.EventNote && e.Text != "" }) {
		t.Errorf("nothing says so: %+v", sample.Events)
	}
	tick, err := source.reader.tick(t.Context())
	if err != nil || len(tick.rows) != 1 {
		t.Errorf("tick %+v, error %v", tick, err)
	}
	if st := source.reader.(*session).statements.tick; st.prepared != nil {
		t.Error("a statement is prepared")
	}
}
