package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// configLine is one line "name = value" of the configuration file.
type configLine struct {
	place       string // file and line, for messages
	name, value string
}

// configPath is where the configuration file is looked for; "" where the system
// does not tell.
func configPath() string {
	dir, err := os.UserConfigDir()
	if named := os.Getenv("XDG_CONFIG_HOME"); filepath.IsAbs(named) {
		dir, err = named, nil // on every system
	}
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "vacscope", "config")
}

// readConfig reads the configuration file; one that is not there is empty. It is
// parsed here and by no library: the format is that of one flag a line, and those of
// the file formats that there are libraries for have sections, types and quotes,
// which a value such as "Odd Schema"."table" would have to get past.
func readConfig(known map[string]bool) ([]configLine, error) {
	path := configPath()
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the configuration file: %w", err)
	}
	return parseConfig(path, string(text), known)
}

func parseConfig(path, text string, known map[string]bool) ([]configLine, error) {
	var lines []configLine
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, value, is := strings.Cut(line, "=")
		l := configLine{fmt.Sprintf("%s:%d", path, number), strings.TrimSpace(name), strings.TrimSpace(value)}
		switch {
		case isSecret(l):
			return nil, usageErrorf("%s: passwords do not belong here; they go into .pgpass, or come from where --password-command asks", l.place)
		case !is || !settingName.MatchString(l.name): // what else stands there is not repeated
			return nil, usageErrorf("%s: a line is of the form name = value", l.place)
		case !known[l.name]:
			return nil, usageErrorf("%s: there is no setting %q; see vacscope help config", l.place, l.name)
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// settingName is how names of flags look.
var settingName = regexp.MustCompile(`^[a-z][a-z-]*$`)

// passwordWord finds what gives a password in keywords and values, or in a query.
var passwordWord = regexp.MustCompile(`(?i)\b(ssl)?password\s*=`)

// isSecret tells whether a line gives a password: by its name, or within a
// connection string. It is then repeated nowhere.
func isSecret(l configLine) bool {
	name := strings.ToLower(l.name)
	if name == "password-command" {
		return false
	}
	if name == "password" || name == "pgpassword" || passwordWord.MatchString(l.value) {
		return true
	}
	_, rest, isURI := strings.Cut(l.value, "://")
	if !isURI {
		return false
	}
	if u, err := url.Parse(l.value); err == nil {
		_, has := u.User.Password()
		return has
	}
	userinfo, _, has := strings.Cut(rest, "@") // one that the library does not understand
	return has && strings.Contains(userinfo, ":")
}
