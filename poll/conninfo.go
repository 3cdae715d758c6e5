package poll

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// conninfo is a set of connection parameters under libpq's keywords.
//
// Connection strings are parsed here and not by the driver, because the driver
// takes the keywords of the client for settings of the server, and because a
// string that is written wrongly may carry a password anywhere: the messages
// below never repeat what the string says.
type conninfo map[string]string

// use says what becomes of a parameter.
type use int

const (
	unknown use = iota
	driver      // the driver knows it
	ours        // Config does what it asks
	ignored     // of no effect on what is connected to, and how safely
	refused     // what it asks for cannot be had: connecting without would not be what was asked
)

// useOf says what becomes of a keyword of libpq's.
func useOf(keyword string) use {
	switch keyword {
	case "host", "port", "dbname", "user", "connect_timeout", "application_name", "options", "target_session_attrs",
		"sslmode", "sslcert", "sslkey", "sslcertmode", "sslrootcert", "sslsni", "sslnegotiation",
		"krbsrvname", "channel_binding", "require_auth", "min_protocol_version", "max_protocol_version":
		return driver
	case "password", "passfile", "sslpassword", "hostaddr", "service", "servicefile", "fallback_application_name",
		"ssl_min_protocol_version", "ssl_max_protocol_version", "gssencmode",
		"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count":
		return ours
	case "tcp_user_timeout", "load_balance_hosts", "client_encoding", "sslcompression", "gsslib", "gssdelegation", "sslkeylogfile", "tty", "authtype":
		return ignored
	case "requirepeer", "sslcrl", "sslcrldir", "replication", "scram_client_key", "scram_server_key",
		"oauth_issuer", "oauth_client_id", "oauth_client_secret", "oauth_scope", "oauth_ca_file":
		return refused
	}
	return unknown
}

// isConninfo tells, by libpq's rule, a connection string from a database name.
func isConninfo(target string) bool {
	return isURI(target) || strings.Contains(target, "=")
}

func isURI(target string) bool {
	return strings.HasPrefix(target, "postgresql://") || strings.HasPrefix(target, "postgres://")
}

// looksLikeURI tells a connection URI that is written wrongly: taken for a
// database name it would be sent, and come back in an error with its password.
func looksLikeURI(target string) bool {
	if isURI(target) {
		return false
	}
	if head, _, found := strings.Cut(target, "="); found {
		return strings.ContainsAny(head, ":@/") // no keyword has these
	}
	before, _, found := strings.Cut(target, "@")
	return strings.HasPrefix(target, "postgres:") || strings.HasPrefix(target, "postgresql:") ||
		strings.Contains(target, "://") || found && strings.Contains(before, ":")
}

// parseConninfo reads a URI or keyword/value string.
func parseConninfo(s string) (conninfo, error) {
	if strings.IndexByte(s, 0) >= 0 {
		return nil, fmt.Errorf("the connection string holds a zero byte")
	}
	if isURI(s) {
		return parseURI(s)
	}
	return parseKeywords(s)
}

// set keeps a parameter; the last one of a name counts.
func (c conninfo) set(keyword, value string) error {
	if useOf(keyword) == unknown {
		if c["password"] != "" || c["sslpassword"] != "" {
			// It may be a piece of the password.
			return fmt.Errorf("the connection string has a parameter that does not exist; values with blanks need quotes or percent-encoding")
		}
		return fmt.Errorf("there is no connection parameter %q", keyword)
	}
	c[keyword] = value
	return nil
}

const blanks = " \t\n\r\v\f"

// parseKeywords reads "keyword = value ..." where a value is in single quotes
// when it is empty or holds blanks, and \ takes the next character as it is.
func parseKeywords(s string) (conninfo, error) {
	c := conninfo{}
	last := "" // the keyword before, for messages
	for s = strings.TrimLeft(s, blanks); s != ""; s = strings.TrimLeft(s, blanks) {
		keyword, rest, found := strings.Cut(s, "=")
		keyword = strings.TrimRight(keyword, blanks)
		if !found || strings.ContainsAny(keyword, blanks) {
			return nil, missingEquals(last)
		}
		value, rest, err := cutValue(strings.TrimLeft(rest, blanks))
		if err != nil {
			return nil, fmt.Errorf("the value of a connection parameter %w", err)
		}
		if err := c.set(keyword, value); err != nil {
			return nil, err
		}
		last, s = keyword, rest
	}
	return c, nil
}

func missingEquals(after string) error {
	if after == "" {
		return fmt.Errorf(`the connection string does not begin with "keyword="`)
	}
	return fmt.Errorf(`what follows the value of %s in the connection string has no "=": a value with blanks stands in single quotes, and a quote in it is written \'`, after)
}

// cutValue takes a value from the beginning of s.
func cutValue(s string) (value, rest string, err error) {
	var b strings.Builder
	quoted := strings.HasPrefix(s, "'")
	if quoted {
		s = s[1:]
	}
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '\\': // one at the very end escapes nothing
		case quoted && s[i] == '\'':
			return b.String(), s[i+1:], nil
		case !quoted && strings.IndexByte(blanks, s[i]) >= 0:
			return b.String(), s[i:], nil
		default:
			b.WriteByte(s[i])
		}
	}
	if quoted {
		return "", "", fmt.Errorf("has no closing quote")
	}
	return b.String(), "", nil
}

// check refuses what cannot be done as asked, and values that are none.
func (c conninfo) check() error {
	for _, keyword := range slices.Sorted(maps.Keys(c)) {
		if useOf(keyword) == refused && c[keyword] != "" {
			return fmt.Errorf("connection parameter %s is not supported", keyword)
		}
	}
	if c["gssencmode"] == "require" {
		return fmt.Errorf("GSSAPI encryption (gssencmode=require) is not supported")
	}
	if mode := c["sslmode"]; mode != "" && !slices.Contains(sslModes, mode) {
		return fmt.Errorf("sslmode is none of %s", strings.Join(sslModes, ", "))
	}
	if !arePorts(c["port"]) {
		return fmt.Errorf("port is not a number from 1 to 65535")
	}
	return nil
}

// sslModes are libpq's; the driver checks them where it uses one only.
var sslModes = []string{"disable", "allow", "prefer", "require", "verify-ca", "verify-full"}

// arePorts tells whether a list, of which elements can be empty, holds ports only.
func arePorts(list string) bool {
	for port := range strings.SplitSeq(list, ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(port)); port != "" && (err != nil || n < 1 || n > 65535) {
			return false
		}
	}
	return true
}

// forDriver writes the parameters that the driver knows as a keyword/value string.
// It is told of no password file: Config reads that.
func (c conninfo) forDriver() string {
	told := conninfo{"passfile": os.DevNull}
	for keyword, value := range c {
		if useOf(keyword) == driver {
			told[keyword] = value
		}
	}
	if c["service"] != "" {
		told["service"], told["servicefile"] = c["service"], c["servicefile"]
	}
	var b strings.Builder
	quote := strings.NewReplacer(`\`, `\\`, `'`, `\'`)
	for _, keyword := range slices.Sorted(maps.Keys(told)) {
		fmt.Fprintf(&b, "%s='%s' ", keyword, quote.Replace(told[keyword]))
	}
	return b.String()
}
