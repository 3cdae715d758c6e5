package poll

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/vacscope/poll/pgtest"
)

// The command gives the password at each connect; nothing that it prints is shown.
func TestThePasswordCommand(t *testing.T) {
	dir := t.TempDir()
	count := filepath.Join(dir, "count")
	for _, c := range []struct{ command, password, why string }{
		{"echo x >> " + count + "; echo 'p w'; echo other", "p w", ""},
		{"printf secret", "secret", ""},
		{"echo secret >&2; exit 3", "", "the password command failed: exit status 3"},
		{"echo secret; exit 1", "", "the password command failed: exit status 1"},
		{"true", "", "the password command printed no password on its first line"},
		{"echo; echo secret", "", "the password command printed no password on its first line"},
		{"read line && echo $line", "", "the password command failed: exit status 1"},
		{"cat /dev/tty", "", "the password command failed: exit status 1"},
		{"yes | head -n 100000", "y", ""},
	} {
		got, err := passwordOf(t.Context(), c.command)
		if got != c.password || (err != nil) != (c.why != "") || err != nil && err.Error() != c.why {
			t.Errorf("%s: %q, %v", c.command, got, err)
		}
	}
	config, err := ParseTarget(Flags{}, pgtest.Shared(t, 18).ConnString())
	if err != nil {
		t.Fatal(err)
	}
	config.SetPasswordCommand("echo x >> " + count + "; echo pw")
	for range 2 {
		source, err := Open(t.Context(), config, Options{})
		if err != nil {
			t.Fatal(err)
		}
		source.Close()
	}
	if ran, _ := os.ReadFile(count); strings.Count(string(ran), "x") != 3 {
		t.Errorf("it ran %q", ran)
	}
	config.SetPasswordCommand("echo secret; exit 1")
	if _, err := Open(t.Context(), config, Options{}); err == nil || NeedsPassword(err) || strings.Contains(err.Error(), "secret") ||
		!strings.HasSuffix(err.Error(), "the password command failed: exit status 1") {
		t.Errorf("%v", err)
	}
}

// Each of several hosts gets its own line of the password file, as in psql.
func TestSeveralHostsHaveTheirOwnPasswords(t *testing.T) {
	dir := home(t)
	write(t, filepath.Join(dir, ".pgpass"), 0o600, "a:1:*:*:one\nb:2:*:*:two\n/srv/pg:3:*:*:three\n")
	config, err := ParseTarget(Flags{User: "u"}, "host=a,b,/srv/pg port=1,2,3")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, h := range config.passwords {
		got[h.host] = h.password
	}
	if got["a"] != "one" || got["b"] != "two" || got["/srv/pg"] != "three" {
		t.Errorf("%v", got)
	}
	one, err := ParseTarget(Flags{User: "u"}, "host=b port=2")
	if err != nil || one.passwords != nil || one.pg.Password != "two" {
		t.Errorf("one host: %v, %v", one.passwords, err)
	}
}
