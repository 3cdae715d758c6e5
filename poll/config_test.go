package poll

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// parsed is what a target comes to, in the terms of a person.
type parsed struct{ address, user, database, password string }

func (c *Config) parsed() parsed {
	return parsed{c.Address(), c.pg.User, c.pg.Database, c.pg.Password}
}

// home is an empty home folder, and no PG* variable is set (pgtest.Main).
func home(t *testing.T) string {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	return dir
}

// Checked against psql 19 with the same flags, target and environment.
func TestTargetsAreReadAsPsqlReadsThem(t *testing.T) {
	dir := home(t)
	write(t, filepath.Join(dir, ".pg_service.conf"), 0o600, "[prod]\nhost=svc\nport=5999\nuser=boss\npassword=fromservice\nkeepalives_idle=30\n")
	for _, c := range []struct {
		name   string
		flags  Flags
		target string
		env    string // NAME=value ...
		want   parsed
	}{
		{"bare word is a database", Flags{Host: "h", User: "u"}, "appdb", "", parsed{"h:5432", "u", "appdb", ""}},
		{"-d", Flags{Host: "h", Port: "5433", User: "u", Database: "d"}, "", "", parsed{"h:5433", "u", "d", ""}},
		{"-d takes a URI", Flags{Database: "postgres://u:pw@h:1/d"}, "", "", parsed{"h:1", "u", "d", "pw"}},
		{"database defaults to the user", Flags{Host: "h", User: "u"}, "", "", parsed{"h:5432", "u", "u", ""}},
		{"URI wins over flags", Flags{Host: "x", Port: "9", User: "y"}, "postgresql://u@h/d", "", parsed{"h:9", "u", "d", ""}},
		{"keywords win over flags", Flags{Host: "x", User: "y"}, "host=h dbname = d", "", parsed{"h:5432", "y", "d", ""}},
		{"flags win over the environment", Flags{Host: "h", User: "u"}, "d", "PGHOST=x PGUSER=y PGDATABASE=z PGPORT=7", parsed{"h:7", "u", "d", ""}},
		{"environment", Flags{}, "", "PGHOST=h PGUSER=u PGDATABASE=d PGPORT=7 PGPASSWORD=pw", parsed{"h:7", "u", "d", "pw"}},
		{"service", Flags{}, "service=prod dbname=d", "", parsed{"svc:5999", "boss", "d", "fromservice"}},
		{"service wins over the environment, flags over it", Flags{Port: "1"}, "d", "PGSERVICE=prod PGHOST=x PGPASSWORD=y", parsed{"svc:1", "boss", "d", "fromservice"}},
		{"socket folder", Flags{Host: "/run/pg", User: "u"}, "d", "", parsed{"/run/pg:5432", "u", "d", ""}},
		{"socket folder in a URI", Flags{}, "postgres://u@%2Frun%2Fpg:5433/d", "", parsed{"/run/pg:5433", "u", "d", ""}},
		{"host in the query", Flags{}, "postgresql:///d?host=/run/pg&user=u", "", parsed{"/run/pg:5432", "u", "d", ""}},
		{"IPv6", Flags{}, "postgres://u@[::1]:5433/d", "", parsed{"[::1]:5433", "u", "d", ""}},
		{"hostaddr names the host when nothing else does", Flags{User: "u"}, "hostaddr=10.0.0.7", "", parsed{"10.0.0.7:5432", "u", "u", ""}},
		{"quoted values", Flags{Host: "h"}, `user='a b' password='it\'s \\' dbname=d`, "", parsed{"h:5432", "a b", "d", `it's \`}},
		{"a password like a URI", Flags{Host: "h", User: "u"}, "password='a:b@c://d' dbname='x:y@z'", "", parsed{"h:5432", "u", "x:y@z", "a:b@c://d"}},
		{"percent-encoded", Flags{}, "postgres://u:p%40ss%25@h/d%20b", "", parsed{"h:5432", "u", "d b", "p@ss%"}},
		{"# in a password", Flags{}, "postgres://u:a#b?c@h/d", "", parsed{"h:5432", "u", "d", "a#b?c"}},
		{"client's keywords", Flags{Host: "h", User: "u"}, "keepalives=1 tcp_user_timeout=10 gssencmode=prefer load_balance_hosts=random client_encoding=auto dbname=d", "", parsed{"h:5432", "u", "d", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for pair := range strings.FieldsSeq(c.env) {
				name, value, _ := strings.Cut(pair, "=")
				t.Setenv(name, value)
			}
			config, err := ParseTarget(c.flags, c.target)
			if err != nil {
				t.Fatal(err)
			}
			if got := config.parsed(); got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			for name := range config.pg.RuntimeParams {
				if strings.HasPrefix(name, "keepalives") || name == "tcp_user_timeout" || name == "load_balance_hosts" {
					t.Errorf("the client's keyword %s goes to the server", name)
				}
			}
		})
	}
}

func TestBadTargetsGiveOneLineWithoutTheSecret(t *testing.T) {
	home(t)
	for _, target := range []string{
		"postgres://u:p@sec%et@127.0.0.1/db",
		"postgres://u:p@sec.et@127.0.0.1/db",
		"postgres://u:sec/et@127.0.0.1/db",
		"postgres://u:12/sec@127.0.0.1/db",
		"postgres://u:sec%@127.0.0.1/db",
		"postgres://u:sec%zzet@127.0.0.1/db",
		"postgres://u@h:sec/db",
		"postgres://u:sec:et@h:70000/db",
		"postgres://u:p@h/d?password=sec&et=x",
		"postgres://u:p@h/d?sec",
		"postgresql:/alice:sec@h/db",
		"postgres:alice:sec@h/db",
		"alice:sec@h/db",
		"mysql://alice:sec@h/db",
		"postgresql:/alice:sec@h/db?sslmode=disable",
		"host=h password='it''sec'",
		"host=h password='sec",
		"host=h password=it sec",
		"host=h password=a sec=b",
		"host=u:sec@h",
		"dbname='postgres://u:sec@h/d'",
	} {
		_, err := ParseTarget(Flags{User: "u"}, target)
		if err == nil {
			t.Errorf("%s: accepted", target)
			continue
		}
		if text := err.Error(); strings.Contains(text, "sec") || strings.Contains(text, "\n") {
			t.Errorf("%s: %q", target, text)
		}
	}
}

func TestWhatCannotBeHadIsRefusedNotDropped(t *testing.T) {
	home(t)
	for _, target := range []string{
		"host=h requirepeer=postgres", "host=h sslcrl=/x", "host=h gssencmode=require", "host=h replication=database",
		"host=h nonsense=1", "postgres://h/d?nonsense=1", "host=h ssl_min_protocol_version=SSLv3", "service=nowhere",
		"host=a,b hostaddr=10.0.0.1", "host=h sslmode=nonsense", "host=h port=0", "host=h port=x",
	} {
		if _, err := ParseTarget(Flags{User: "u"}, target); err == nil {
			t.Errorf("%s: accepted", target)
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %q has several lines", target, err)
		}
	}
	if _, err := ParseTarget(Flags{Database: "a"}, "b"); err == nil {
		t.Error("two databases: accepted")
	}
}

func TestWhatIsToBlameForABadParameter(t *testing.T) {
	dir := home(t)
	write(t, filepath.Join(dir, ".pg_service.conf"), 0o600, "[good]\nuser=u\n[bad]\nnonsense=1\n[badport]\nport=x\n")
	for _, c := range []struct {
		flags       Flags
		target, env string
		misused     bool
		message     string
	}{
		{Flags{Port: "abc"}, "", "", true, `-p is "abc", and can be 1 to 65535`},
		{Flags{Port: "65536"}, "postgres://u@h/d", "", true, `-p is "65536", and can be 1 to 65535`},
		{Flags{Database: "a"}, "b", "", true, "the database is named twice: by -d and as TARGET"},
		{Flags{}, "port=abc", "", true, "port is not a number from 1 to 65535"},
		{Flags{}, "postgres://u@h:abc/d", "", true, "a port in the connection URI is not a number from 1 to 65535: " + encodePassword},
		{Flags{}, "prt=5432", "", true, `there is no connection parameter "prt"`},
		{Flags{}, "sslmode=x", "", true, "sslmode is none of disable, allow, prefer, require, verify-ca, verify-full"},
		{Flags{}, "host=h sslcertmode=x", "", true, ""},
		{Flags{}, "host=a,b port=1,2,3", "", true, ""},
		{Flags{}, "service=nowhere", "", true, ""},
		{Flags{}, "service=good sslmode=x", "", true, ""},
		{Flags{}, "host=h sslmode=verify-ca sslrootcert=/nonexistent", "", false, ""},
		{Flags{}, "service=bad", "", false, ""},
		{Flags{}, "service=badport", "", false, "port is not a number from 1 to 65535"},
		{Flags{}, "d", "PGSERVICE=nowhere", false, ""},
		{Flags{}, "d", "PGPORT=abc", false, ""},
		{Flags{}, "host=h", "PGSSLMODE=x", false, ""},
	} {
		t.Run(strings.TrimSpace(c.flags.Port+" "+c.target+" "+c.env), func(t *testing.T) {
			if name, value, set := strings.Cut(c.env, "="); set {
				t.Setenv(name, value)
			}
			_, err := ParseTarget(c.flags, c.target)
			if err == nil {
				t.Fatal("accepted")
			}
			if Misused(err) != c.misused || c.message != "" && err.Error() != c.message {
				t.Errorf("command line to blame: %t, %q", Misused(err), err)
			}
		})
	}
}

// A server that speaks no TLS says so with one byte.
func TestAServerWithoutTLSIsSaidOnce(t *testing.T) {
	home(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.ReadFull(conn, make([]byte, 8)) // its request for TLS
			_, _ = conn.Write([]byte("N"))
			_ = conn.Close()
		}
	}()
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	config, err := ParseTarget(Flags{Host: host, Port: port, User: "dba"}, "sslmode=require")
	if err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), config, Options{})
	want := "connect to " + listener.Addr().String() + " as dba: the server does not do TLS (SSL), which sslmode asks for; sslmode=prefer connects without"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestPasswordFile(t *testing.T) {
	dir := home(t)
	path := filepath.Join(dir, ".pgpass")
	lines := "h:5432:u:u:default\nh:5432:d:u:ford\nlocalhost:*:*:u:socket\n/srv/pg:*:*:u:folder\nh:*:*:c\\:d:a\\:b\\\\c\n"
	for _, c := range []struct {
		name     string
		mode     os.FileMode
		target   string
		password string
		warned   bool
	}{
		{"database", 0o600, "host=h user=u dbname=d", "ford", false},
		{"database defaulted to the user", 0o600, "host=h user=u", "default", false},
		{"default socket folder is localhost", 0o600, "host=/tmp user=u", "socket", false},
		{"another socket folder is itself", 0o600, "host=/srv/pg user=u", "folder", false},
		{"escaped colons", 0o600, "host=h user=c:d", `a:b\c`, false},
		{"readable by others", 0o640, "host=h user=u dbname=d", "", true},
		{"not asked when there is a password", 0o644, "host=h user=u password=x", "x", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			write(t, path, c.mode, lines)
			config, err := ParseTarget(Flags{}, c.target)
			if err != nil {
				t.Fatal(err)
			}
			if got := config.pg.Password; got != c.password || (len(config.Warnings) > 0) != c.warned {
				t.Errorf("password %q, warnings %q", got, config.Warnings)
			}
		})
	}
}

func TestServiceFileOfTheSystem(t *testing.T) {
	home(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pg_service.conf"), 0o644, "[all]\nhost=h\nuser=u\nhostaddr=10.0.0.7\n")
	t.Setenv("PGSYSCONFDIR", dir)
	t.Setenv("PGSERVICE", "all")
	config, err := ParseTarget(Flags{}, "d")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := config.parsed(), (parsed{"h:5432", "u", "d", ""}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if found, err := config.pg.LookupFunc(t.Context(), "h"); err != nil || len(found) != 1 || found[0] != "10.0.0.7" {
		t.Errorf("the host's address is %v, %v", found, err)
	}
}

func write(t *testing.T, path string, mode os.FileMode, content string) {
	t.Helper()
	os.Remove(path)
	if err := os.WriteFile(path, []byte(content), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
