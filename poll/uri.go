package poll

import (
	"encoding/hex"
	"fmt"
	"strings"
)

const encodePassword = "percent-encode the password: %40 for @, %2F for /, %3A for :, %25 for %"

// parseURI reads postgresql://[user[:password]@][host[:port],...][/dbname][?keyword=value&...]
// by libpq's rules: user and password end at the first @ that stands before any /.
func parseURI(s string) (conninfo, error) {
	_, s, _ = strings.Cut(s, "://")
	c := conninfo{}
	if i := strings.IndexAny(s, "@/"); i >= 0 && s[i] == '@' {
		user, password, _ := strings.Cut(s[:i], ":")
		if err := c.decode(pair{"user", user}, pair{"password", password}); err != nil {
			return nil, err
		}
		s = s[i+1:]
	}
	s, query, _ := strings.Cut(s, "?")
	hosts, dbname, _ := strings.Cut(s, "/")
	if strings.Contains(hosts, "@") || strings.Contains(dbname, "@") {
		return nil, fmt.Errorf("an @ in the connection URI stands where none can: %s", encodePassword)
	}
	host, port, err := cutHosts(hosts)
	if err != nil {
		return nil, err
	}
	if !arePorts(port) {
		return nil, fmt.Errorf("a port in the connection URI is not a number from 1 to 65535: %s", encodePassword)
	}
	if err := c.decode(pair{"host", host}, pair{"port", port}, pair{"dbname", dbname}); err != nil {
		return nil, err
	}
	return c, c.query(query)
}

// pair is a keyword and its value, still percent-encoded.
type pair struct{ keyword, value string }

// decode keeps the pairs that have a value.
func (c conninfo) decode(pairs ...pair) error {
	for _, p := range pairs {
		value, err := percentDecode(p.value)
		if err != nil {
			return err
		}
		if value == "" {
			continue
		}
		if err := c.set(p.keyword, value); err != nil {
			return err
		}
	}
	return nil
}

// cutHosts takes "host:port,host:port" apart into the lists that libpq keeps; a
// host in [brackets] is an IPv6 address.
func cutHosts(s string) (host, port string, err error) {
	var hosts, ports []string
	for one := range strings.SplitSeq(s, ",") {
		name, number := one, ""
		if strings.HasPrefix(one, "[") {
			inside, after, closed := strings.Cut(one[1:], "]")
			if !closed || inside == "" || (after != "" && after[0] != ':') {
				return "", "", fmt.Errorf("the IPv6 address in the connection URI is not one in [brackets]")
			}
			name, number = inside, strings.TrimPrefix(after, ":")
		} else {
			name, number, _ = strings.Cut(one, ":")
		}
		hosts, ports = append(hosts, name), append(ports, number)
	}
	return joinGiven(hosts), joinGiven(ports), nil
}

// joinGiven joins a list; one of nothing but empty elements is not given.
func joinGiven(list []string) string {
	joined := strings.Join(list, ",")
	if strings.Trim(joined, ",") == "" {
		return ""
	}
	return joined
}

// query reads the part after "?"; it wins over the parts before it.
func (c conninfo) query(s string) error {
	if s == "" {
		return nil
	}
	for parameter := range strings.SplitSeq(s, "&") {
		keyword, value, found := strings.Cut(parameter, "=")
		if !found || strings.Contains(value, "=") {
			return fmt.Errorf(`a parameter of the connection URI is not "keyword=value"`)
		}
		if keyword == "ssl" && value == "true" { // as JDBC writes it
			keyword, value = "sslmode", "require"
		}
		value, err := percentDecode(value)
		if err != nil {
			return err
		}
		if err := c.set(keyword, value); err != nil {
			return err
		}
	}
	return nil
}

func percentDecode(s string) (string, error) {
	var b strings.Builder
	for {
		plain, rest, found := strings.Cut(s, "%")
		b.WriteString(plain)
		if !found {
			return b.String(), nil
		}
		if len(rest) < 2 {
			return "", errPercent
		}
		octet, err := hex.DecodeString(rest[:2])
		if err != nil || octet[0] == 0 {
			return "", errPercent
		}
		b.WriteByte(octet[0])
		s = rest[2:]
	}
}

var errPercent = fmt.Errorf("a %% in the connection URI is not followed by two hexadecimal digits: %s", encodePassword)
