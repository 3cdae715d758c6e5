package record

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"example.com/vacscope/model"
)

// ThisMachine is the machine that this runs on, and whether it is that of a server with
// an address as in model.Server.
func ThisMachine(address string) Client {
	c := Client{IsServers: strings.HasPrefix(address, "/"), OS: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.GOMAXPROCS(0)}
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil { // Linux only
		c.Kernel = model.Some(strings.TrimSpace(string(release)))
	}
	var kB int64
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kB); err == nil {
			c.Memory = model.Some(model.Bytes(kB) << 10)
		}
	}
	return c
}
