package poll

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Flags are the connection flags of the command line, as psql's -h -p -U -d -w
// -W; "" means that the flag was not given.
type Flags struct {
	Host, Port, User, Database string
	NoPassword, ForcePassword  bool
}

// Config says where and as whom to connect.
type Config struct {
	// Warnings are what psql would warn of, one line each.
	Warnings []string

	pg              *pgconn.Config
	passwordCommand string         // "": there is none
	passwords       []hostPassword // of several hosts; nil where one serves all
	// timeouts are those that the role or the database turned out to set.
	timeouts *timeouts
}

// connectTimeout ends an attempt to connect to one host when connect_timeout
// does not say otherwise.
const connectTimeout = 10 * time.Second

// ParseTarget finds out where to connect, as psql does. Target, or else -d, is a
// database name, a URI or a keyword/value string; "" means the default. What a
// connection string says wins over the flags; then come the service file, the
// environment and the defaults. A password that is given nowhere is looked for in
// the password file.
//
// The error is one line and repeats nothing that could be a piece of a password.
// Misused tells whose it is.
func ParseTarget(f Flags, target string) (*Config, error) {
	given, err := gather(f, target)
	if err != nil {
		return nil, misuse{err}
	}
	config, err := given.resolve()
	if err != nil && given.isToBlame(err) {
		err = misuse{err}
	}
	return config, err
}

// resolve adds what the service and the environment say.
func (c conninfo) resolve() (*Config, error) {
	c = maps.Clone(c)
	if err := c.addService(); err != nil {
		return nil, err
	}
	c.addEnvironment()
	if err := c.check(); err != nil {
		return nil, err
	}
	return c.config()
}

// isToBlame tells whether an error of resolve comes from these parameters: a file
// that cannot be read does not, nor what fails without them as well.
func (c conninfo) isToBlame(err error) bool {
	if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
		return false
	}
	service := conninfo{"service": c["service"], "servicefile": c["servicefile"]}
	_, without := service.resolve()
	return without == nil
}

// gather collects what flags and target say.
func gather(f Flags, target string) (conninfo, error) {
	if target != "" && f.Database != "" {
		return nil, fmt.Errorf("the database is named twice: by -d and as TARGET")
	}
	if target == "" {
		target = f.Database
	}
	if !arePorts(f.Port) {
		return nil, fmt.Errorf("-p is %q, and can be 1 to 65535", f.Port)
	}
	c := conninfo{}
	for keyword, value := range map[string]string{"host": f.Host, "port": f.Port, "user": f.User} {
		if value != "" {
			c[keyword] = value
		}
	}
	switch {
	case looksLikeURI(target):
		return nil, fmt.Errorf("the target is neither a database name nor a connection URI (postgresql://user@host:port/dbname); a name with : and @ goes into dbname='...'")
	case isConninfo(target):
		given, err := parseConninfo(target)
		if err != nil {
			return nil, err
		}
		maps.Copy(c, given)
	case target != "":
		c["dbname"] = target
	}
	return c, nil
}

// config turns the parameters into the driver's configuration.
func (c conninfo) config() (*Config, error) {
	if addr := c["hostaddr"]; addr != "" && namesNoHost(c["host"]) {
		c["host"] = addr
	}
	pg, err := pgconn.ParseConfigWithOptions(c.forDriver(), pgconn.ParseConfigOptions{
		GetSSLPassword: func(context.Context) string { return c["sslpassword"] },
	})
	if err != nil {
		return nil, parameterError{err}
	}
	if pg.User == "" {
		return nil, fmt.Errorf("no user name is given, and the system's is not known")
	}
	if pg.Database == "" {
		pg.Database = pg.User
	}
	if strings.Contains(pg.Host, "@") || strings.Contains(pg.Database, "://") {
		return nil, fmt.Errorf("a host name holds an @, or a database name is a URI: give the URI as the target, and %s", encodePassword)
	}
	if pg.ConnectTimeout == 0 && c["connect_timeout"] == "" {
		pg.ConnectTimeout = connectTimeout
	}
	pg.RuntimeParams = c.sessionSettings(pg.RuntimeParams)
	if err := cmp.Or(c.limitTLS(pg), c.useAddresses(pg), c.useKeepalives(pg)); err != nil {
		return nil, err
	}
	config := &Config{pg: pg, timeouts: &timeouts{}}
	if c["password"] != "" {
		pg.Password = c["password"]
	}
	if pg.Password == "" {
		config.usePassfile(c["passfile"])
	}
	return config, nil
}

// namesNoHost tells a host that is not given, or is the folder of a socket.
func namesNoHost(host string) bool {
	if host == "" {
		host = os.Getenv("PGHOST")
	}
	return host == "" || filepath.IsAbs(host)
}

// limitTLS does what ssl_min_protocol_version and ssl_max_protocol_version ask.
func (c conninfo) limitTLS(pg *pgconn.Config) error {
	lowest, err1 := tlsVersion(c["ssl_min_protocol_version"])
	highest, err2 := tlsVersion(c["ssl_max_protocol_version"])
	if err := cmp.Or(err1, err2); err != nil {
		return err
	}
	configs := []*tls.Config{pg.TLSConfig}
	for _, fallback := range pg.Fallbacks {
		configs = append(configs, fallback.TLSConfig)
	}
	for _, config := range configs {
		if config != nil {
			config.MinVersion, config.MaxVersion = lowest, highest
		}
	}
	return nil
}

// tlsVersion reads libpq's name of a version; 0 is the library's own choice.
func tlsVersion(name string) (uint16, error) {
	switch strings.ToLower(name) {
	case "":
		return 0, nil
	case "tlsv1":
		return tls.VersionTLS10, nil
	case "tlsv1.1":
		return tls.VersionTLS11, nil
	case "tlsv1.2":
		return tls.VersionTLS12, nil
	case "tlsv1.3":
		return tls.VersionTLS13, nil
	}
	return 0, fmt.Errorf("%q is no TLS version: TLSv1, TLSv1.1, TLSv1.2 or TLSv1.3", name)
}

// useAddresses does what hostaddr asks: the names stay, for certificates and the
// password file, and are not looked up.
func (c conninfo) useAddresses(pg *pgconn.Config) error {
	if c["hostaddr"] == "" {
		return nil
	}
	hosts, addresses := []string{pg.Host}, strings.Split(c["hostaddr"], ",")
	if c["host"] != "" {
		hosts = strings.Split(c["host"], ",")
	}
	if len(hosts) != len(addresses) {
		return fmt.Errorf("there are %d hosts and %d addresses in hostaddr", len(hosts), len(addresses))
	}
	pg.LookupFunc = func(_ context.Context, host string) ([]string, error) {
		if i := slices.Index(hosts, host); i >= 0 {
			return addresses[i : i+1], nil
		}
		return []string{host}, nil
	}
	return nil
}

// sessionSettings are the start-up parameters of the watching session. They win
// over what ALTER ROLE, ALTER DATABASE and PGOPTIONS set. Of what was asked for,
// the application's name and options stay.
func (c conninfo) sessionSettings(asked map[string]string) map[string]string {
	settings := map[string]string{
		"application_name":                    "vacscope",
		"statement_timeout":                   "2s", // below deadline: a slow statement costs its part, not the connection
		"lock_timeout":                        "1s",
		"idle_in_transaction_session_timeout": "10s",
		"search_path":                         "pg_catalog",
		"client_encoding":                     "UTF8",
		"standard_conforming_strings":         "on",
		"datestyle":                           "ISO",
		"extra_float_digits":                  "1", // delay_time as exact as psql shows it
		"default_transaction_read_only":       "on",
		"default_transaction_isolation":       "read committed", // serializable deferrable waits
		"jit":                                 "off",
		"plan_cache_mode":                     "auto",
		"client_min_messages":                 "warning", // not every line of a server that debugs
		"max_parallel_workers_per_gather":     "0",       // workers are for the vacuums
	}
	if name := c["fallback_application_name"]; name != "" {
		settings["application_name"] = name
	}
	for _, keep := range []string{"application_name", "options"} {
		if value := asked[keep]; value != "" {
			settings[keep] = value
		}
	}
	return settings
}

// SetPassword sets the password for the attempts to connect that follow.
func (c *Config) SetPassword(password string) { c.pg.Password, c.passwords = password, nil }

// User is the role to connect as.
func (c *Config) User() string { return c.pg.User }

// Address is where the server is, as a person would name it: "db1:5432", or for a
// socket its folder and port, "/run/postgresql:5432"; with several hosts all of them.
func (c *Config) Address() string {
	addresses := []string{address(c.pg.Host, c.pg.Port)}
	for _, other := range c.pg.Fallbacks {
		if a := address(other.Host, other.Port); !slices.Contains(addresses, a) {
			addresses = append(addresses, a)
		}
	}
	return strings.Join(addresses, ",")
}

// addressOf is the address of the one host that a connection goes to.
func (c *Config) addressOf(conn *pgconn.PgConn) string {
	all := c.Address()
	if !strings.Contains(all, ",") {
		return all
	}
	folder, port, socket := strings.Cut(conn.Conn().RemoteAddr().String(), "/.s.PGSQL.")
	if socket {
		return folder + ":" + port
	}
	return folder
}

func address(host string, port uint16) string {
	number := strconv.Itoa(int(port))
	if filepath.IsAbs(host) {
		return host + ":" + number
	}
	return net.JoinHostPort(host, number)
}
