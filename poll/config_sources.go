package poll

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgpassfile"
	"github.com/jackc/pgservicefile"
)

// addService fills in what the named service says and nobody else did. The
// driver would read the service itself, but not a system-wide file, and would send
// the client's keywords to the server; it is only told where the service stands,
// because PGSERVICE makes it look.
func (c conninfo) addService() error {
	name := cmp.Or(c["service"], os.Getenv("PGSERVICE"))
	if name == "" {
		return nil
	}
	for _, path := range c.serviceFiles() {
		file, err := pgservicefile.ReadServicefile(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("read service file %s: %w", path, err)
		}
		if service, err := file.GetService(name); err == nil {
			c["service"], c["servicefile"] = name, path
			return c.fill(service.Settings, path)
		}
	}
	err := fmt.Errorf("service %q is in none of these files: %s", name, strings.Join(c.serviceFiles(), ", "))
	if c["service"] != "" {
		return misuse{err}
	}
	return err
}

func (c conninfo) fill(settings map[string]string, path string) error {
	for keyword, value := range settings {
		if useOf(keyword) == unknown {
			return fmt.Errorf("%s: there is no connection parameter %q", path, keyword)
		}
		if _, given := c[keyword]; !given {
			c[keyword] = value
		}
	}
	return nil
}

// serviceFiles are the files in which a service is looked for, in order.
func (c conninfo) serviceFiles() []string {
	var files []string
	if path := c["servicefile"]; path != "" {
		files = append(files, path)
	} else if path := os.Getenv("PGSERVICEFILE"); path != "" {
		files = append(files, path)
	} else if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".pg_service.conf"))
	}
	if dir := os.Getenv("PGSYSCONFDIR"); dir != "" {
		files = append(files, filepath.Join(dir, "pg_service.conf"))
	}
	return files
}

// addEnvironment fills in the variables that the driver does not read, or reads
// but does not check.
func (c conninfo) addEnvironment() {
	for variable, keyword := range map[string]string{
		"PGHOSTADDR":              "hostaddr",
		"PGPASSFILE":              "passfile",
		"PGGSSENCMODE":            "gssencmode",
		"PGREQUIREPEER":           "requirepeer",
		"PGSSLMODE":               "sslmode",
		"PGSSLCRL":                "sslcrl",
		"PGSSLCRLDIR":             "sslcrldir",
		"PGSSLMINPROTOCOLVERSION": "ssl_min_protocol_version",
		"PGSSLMAXPROTOCOLVERSION": "ssl_max_protocol_version",
	} {
		if value := os.Getenv(variable); value != "" && c[keyword] == "" {
			c[keyword] = value
		}
	}
}

// usePassfile takes the password from the password file ("": ~/.pgpass), unless
// others can read the file. The driver would read it regardless, would look for
// the empty name where the database is the default one, and knows sockets only as
// localhost.
func (c *Config) usePassfile(path string) {
	if home, err := os.UserHomeDir(); path == "" && err == nil {
		path = filepath.Join(home, ".pgpass")
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("password file %q is ignored: others can read it (chmod 0600 it)", path))
		return
	}
	file, err := pgpassfile.ReadPassfile(path)
	if err != nil {
		c.Warnings = append(c.Warnings, fmt.Sprintf("password file %q is ignored: %v", path, err))
		return
	}
	all := hosts(c.pg)
	for i := range all {
		host := all[i].host
		if slices.Contains(defaultSocketFolders(), host) {
			host = "localhost"
		}
		all[i].password = file.FindPassword(host, strconv.Itoa(int(all[i].port)), c.pg.Database, c.pg.User)
	}
	c.pg.Password = all[0].password
	if slices.ContainsFunc(all, func(h hostPassword) bool { return h.password != all[0].password }) {
		c.passwords = all
	}
}

// defaultSocketFolders are those that a password file calls localhost.
func defaultSocketFolders() []string {
	return []string{"/var/run/postgresql", "/run/postgresql", "/tmp", "/private/tmp"}
}
