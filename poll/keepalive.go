package poll

import (
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// useKeepalives does what keepalives, keepalives_idle, keepalives_interval and
// keepalives_count ask of TCP connections. What they leave open, or say as 0, is the
// system's choice, as in libpq. Without any of them probes are sent after 15 s, which
// keeps a firewall from forgetting a connection over which little is read.
func (c conninfo) useKeepalives(pg *pgconn.Config) error {
	number, given := map[string]int{"keepalives": 1}, false
	for _, keyword := range []string{"keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count"} {
		if c[keyword] == "" {
			continue
		}
		n, err := strconv.Atoi(c[keyword])
		if err != nil {
			return fmt.Errorf("%s is not a whole number", keyword)
		}
		number[keyword], given = n, true
	}
	if given {
		pg.DialFunc = keepaliveDialer(number, pg.ConnectTimeout).DialContext
	}
	return nil
}

func keepaliveDialer(number map[string]int, timeout time.Duration) *net.Dialer {
	if number["keepalives"] == 0 {
		return &net.Dialer{Timeout: timeout, KeepAlive: -1}
	}
	chosen := func(keyword string) int {
		if n := number[keyword]; n > 0 {
			return n
		}
		return -1 // the system's
	}
	seconds := func(keyword string) time.Duration {
		if n := chosen(keyword); n > 0 {
			return time.Duration(n) * time.Second
		}
		return -1
	}
	return &net.Dialer{Timeout: timeout, KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: seconds("keepalives_idle"), Interval: seconds("keepalives_interval"), Count: chosen("keepalives_count"),
	}}
}
