package poll

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/pgtest"
)

// link is a way to a server that can be made slow, silent, and lead elsewhere.
type link struct {
	folder string // of its socket

	mu     sync.Mutex
	server string // the folder of the server's socket
	delay  time.Duration
	silent bool // nothing passes, and nobody is told
	open   []net.Conn
}

func newLink(t *testing.T, s *pgtest.Server) *link {
	t.Helper()
	l := &link{folder: t.TempDir(), server: s.SocketDir}
	listener, err := net.Listen("unix", filepath.Join(l.folder, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		listener.Close()
		l.cut()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			l.join(client)
		}
	}()
	return l
}

// set changes the link.
func (l *link) set(change func(*link)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

// cut ends the connections that there are.
func (l *link) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.open {
		c.Close()
	}
	l.open = nil
}

func (l *link) join(client net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	server, err := net.Dial("unix", filepath.Join(l.server, ".s.PGSQL.5432"))
	if err != nil {
		client.Close()
		return
	}
	l.open = append(l.open, client, server)
	go l.pass(client, server)
	go l.pass(server, client)
}

func (l *link) pass(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	for b := make([]byte, 64<<10); ; {
		n, err := from.Read(b)
		if err != nil {
			return
		}
		l.mu.Lock()
		delay, silent := l.delay, l.silent
		l.mu.Unlock()
		if silent {
			_, _ = io.Copy(io.Discard, from)
			return
		}
		time.Sleep(delay)
		if _, err := to.Write(b[:n]); err != nil {
			return
		}
	}
}

func (l *link) source(t *testing.T, options Options) *Source {
	t.Helper()
	return openWith(t, "user=postgres dbname=postgres host="+l.folder, options)
}

func has(s model.Sample, kind model.EventKind, words string) bool {
	return slices.ContainsFunc(s.Events, func(e model.Event) bool { return e.Kind == kind && strings.Contains(string(e.Text), words) })
}

// A link that lets nothing through is told, in this order: no answer, what is shown
// keeps its age; lost; and back when it works again.
func TestAHalfOpenLink(t *testing.T) {
	s := pgtest.Shared(t, 18)
	v := s.HeldVacuum(t, "held")
	l := newLink(t, s)
	var tracker model.Tracker
	var told []string
	tell := func(what string) {
		if len(told) == 0 || told[len(told)-1] != what {
			told = append(told, what)
		}
	}
	runUntil(t, l.source(t, Options{Interval: time.Second, TickRate: 20, TickRateGiven: true}), "the vacuum again", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		switch {
		case snapshot.Link.Lost:
			tell("lost")
			l.set(func(l *link) { l.silent = false })
		case snapshot.Overdue().Known():
			tell("no answer")
			if snapshot.Now.Sub(snapshot.At) < leastAge || len(snapshot.Active) != 1 {
				t.Errorf("what is shown is %v old: %+v", snapshot.Now.Sub(snapshot.At), snapshot.Active)
			}
		case sample.Poll != nil:
			tell("live")
			mustHave(t, sample.Poll, v.PID)
			if len(told) == 1 {
				l.set(func(l *link) { l.silent = true })
			}
		}
		return len(told) == 4
	})
	if want := []string{"live", "no answer", "lost", "live"}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

const leastAge = 2 * time.Second

// Over a link that is slow the ticks are fewer, and it is said why.
func TestASlowLinkIsReadLessOften(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.HeldVacuum(t, "held")
	l := newLink(t, s)
	l.set(func(l *link) { l.delay = 50 * time.Millisecond })
	runUntil(t, l.source(t, Options{Interval: time.Second, TickRate: 20, TickRateGiven: true}), "fewer ticks, and why", func(sample model.Sample) bool {
		if sample.Poll == nil {
			return false
		}
		w := sample.Poll.Watch
		return w.TickRate > 0 && w.TickRate <= 5 && strings.Contains(w.TickRateNote, "a round trip takes")
	})
}

// Another server, of another major, that comes to the same address is probed anew,
// and no process of the first is taken for one of the second.
func TestAnotherMajorAtTheSameAddress(t *testing.T) {
	for _, order := range [][2]int{{14, 18}, {18, 13}, {17, 19}} {
		t.Run(fmt.Sprintf("pg%d then pg%d", order[0], order[1]), func(t *testing.T) { majorsInTurn(t, order[0], order[1]) })
	}
}

func majorsInTurn(t *testing.T, before, after int) {
	first, second := pgtest.Shared(t, before), pgtest.Shared(t, after)
	v := first.HeldVacuum(t, "held")
	w := second.HeldVacuum(t, "held")
	l := newLink(t, first)
	var tracker model.Tracker
	noted, ended := false, false
	runUntil(t, l.source(t, Options{Interval: 200 * time.Millisecond}), "the vacuum of the other server", func(sample model.Sample) bool {
		snapshot := tracker.Step(sample)
		noted = noted || has(sample, model.EventNote, "another server")
		if sample.Poll == nil || len(snapshot.Active) == 0 {
			return false
		}
		if sample.Poll.Server.VersionNum/10000 == before {
			mustHave(t, sample.Poll, v.PID)
			l.set(func(l *link) { l.server = second.SocketDir })
			l.cut()
			return false
		}
		p := mustHave(t, sample.Poll, w.PID)
		if p.Progress.DelayTime.Known() != (after >= 18) || p.Progress.IndexesTotal.Known() != (after >= 17) {
			t.Errorf("progress %+v", p.Progress)
		}
		ended = len(snapshot.Ended) == 1 && snapshot.Ended[0].Key.PID == v.PID && snapshot.Active[0].Key.PID == w.PID
		return true
	})
	if !noted || !ended {
		t.Errorf("told %t, the first server's vacuum has ended %t", noted, ended)
	}
}

// A role whose connections are used up is tried ever more seldom, and taken up again
// when one is free.
func TestConnectionLimitReachedWhileWatching(t *testing.T) {
	s := pgtest.Shared(t, 18)
	s.Role(t, "one_only", "pg_monitor")
	s.Exec(t, "alter role one_only connection limit 1")
	source := openWith(t, s.ConnStringFor("one_only", "postgres"), Options{Interval: 200 * time.Millisecond, NoOtherDatabases: true})
	retries := 0
	runUntil(t, source, "a connection again", func(sample model.Sample) bool {
		switch {
		case sample.Seq == 1:
			s.Exec(t, "alter role one_only connection limit 0", "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'one_only'")
		case has(sample, model.EventRetry, "too many connections"):
			if retries++; retries == 4 {
				s.Exec(t, "alter role one_only connection limit 1")
			}
		}
		return retries > 0 && sample.Poll != nil
	})
	if retries < 4 {
		t.Errorf("%d attempts are told", retries)
	}
}
