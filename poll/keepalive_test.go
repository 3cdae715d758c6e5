//go:build linux

package poll

import (
	"net"
	"strings"
	"syscall"
	"testing"
)

// What keepalives* ask holds on the socket.
func TestKeepalives(t *testing.T) {
	home(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for _, c := range []struct {
		asked     string
		on, idle  int
		interval  int
		count     int
		systemToo bool // what is not given is the system's
	}{
		{"", 1, 15, 15, 9, false},
		{"keepalives=0 keepalives_idle=30", 0, 0, 0, 0, true},
		{"keepalives_idle=33 keepalives_interval=7 keepalives_count=4", 1, 33, 7, 4, false},
		{"keepalives=1 keepalives_idle=44 keepalives_count=0", 1, 44, 0, 0, true},
	} {
		t.Run(c.asked, func(t *testing.T) {
			config, err := ParseTarget(Flags{}, "host=127.0.0.1 user=u "+c.asked)
			if err != nil {
				t.Fatal(err)
			}
			conn, err := config.pg.DialFunc(t.Context(), "tcp", listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			read := func(level, option int) int {
				n, raw := 0, must(conn.(*net.TCPConn).SyscallConn())
				if err := raw.Control(func(fd uintptr) { n, err = syscall.GetsockoptInt(int(fd), level, option) }); err != nil {
					t.Fatal(err)
				}
				return n
			}
			if on := read(syscall.SOL_SOCKET, syscall.SO_KEEPALIVE); on != c.on {
				t.Errorf("SO_KEEPALIVE is %d, want %d", on, c.on)
			}
			for option, want := range map[int]int{syscall.TCP_KEEPIDLE: c.idle, syscall.TCP_KEEPINTVL: c.interval, syscall.TCP_KEEPCNT: c.count} {
				if got := read(syscall.IPPROTO_TCP, option); got != want && !(want == 0 && c.systemToo) {
					t.Errorf("option %d is %d, want %d", option, got, want)
				}
			}
		})
	}
	if _, err := ParseTarget(Flags{}, "host=127.0.0.1 user=u password=secret keepalives_idle=soon"); err == nil || strings.Contains(err.Error(), "soon") || !strings.Contains(err.Error(), "keepalives_idle") {
		t.Errorf("keepalives_idle=soon: %v", err)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
