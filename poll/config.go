package poll

import (
	"maps"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Flags are the connection flags of the command line; a zero value means that
// the flag was not given.
type Flags struct {
	Host, Port, User, Database string
	NoPassword, ForcePassword  bool
}

// Config says where and as whom to connect.
type Config struct {
	// Warnings are things that psql would warn of, one line each.
	Warnings []string
	// NoPassword and ForcePassword are the flags: never ask, ask before the first attempt.
	NoPassword, ForcePassword bool

	pg *pgconn.Config
}

// ParseTarget makes a Config.
func ParseTarget(f Flags, target string) (*Config, error) {
	dsn := target
	if target != "" && !strings.Contains(target, "=") && !strings.Contains(target, "://") {
		dsn = "dbname='" + target + "'"
	}
	pg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	maps.Copy(pg.RuntimeParams, sessionSettings())
	return &Config{pg: pg, NoPassword: f.NoPassword, ForcePassword: f.ForcePassword}, nil
}

// sessionSettings are start-up parameters of the watching session. They win over
// what ALTER ROLE, ALTER DATABASE and PGOPTIONS set.
func sessionSettings() map[string]string {
	return map[string]string{
		"application_name":                    "vacscope",
		"statement_timeout":                   "2s", // below deadline: a slow statement costs its part, not the connection
		"lock_timeout":                        "1s",
		"idle_in_transaction_session_timeout": "10s",
		"search_path":                         "pg_catalog",
		"client_encoding":                     "UTF8",
		"datestyle":                           "ISO",
		"extra_float_digits":                  "1", // delay_time as exact as psql shows it
		"default_transaction_read_only":       "on",
		"default_transaction_isolation":       "read committed", // serializable deferrable waits
		"jit":                                 "off",
		"max_parallel_workers_per_gather":     "0", // workers are for the vacuums
	}
}

// SetPassword sets the password for the next attempts to connect.
func (c *Config) SetPassword(password string) { c.pg.Password = password }

// Address is where the server is, as a person would name it: "db1:5432", or the
// directory of the socket and the port, "/run/postgresql:5432".
func (c *Config) Address() string {
	port := strconv.Itoa(int(c.pg.Port))
	if filepath.IsAbs(c.pg.Host) {
		return c.pg.Host + ":" + port
	}
	return net.JoinHostPort(c.pg.Host, port)
}
