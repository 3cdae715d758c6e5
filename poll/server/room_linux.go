package server

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

func freeMemory() (bytes int64, known bool) {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		var kB int64
		if n, _ := fmt.Sscanf(line, "MemAvailable: %d kB", &kB); n == 1 {
			bytes, known = kB<<10, true
		}
	}
	if limit, ok := freeInGroup(); ok && (!known || limit < bytes) {
		return limit, true
	}
	return bytes, known
}

// freeInGroup is what the control group (version 2) that a container sees as its own has
// left; what it keeps of files can go.
func freeInGroup() (bytes int64, limited bool) {
	read := func(name string) (int64, bool) {
		text, err := os.ReadFile("/sys/fs/cgroup/" + name)
		n, numberErr := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is none
		return n, err == nil && numberErr == nil
	}
	most, limited := read("memory.max")
	used, known := read("memory.current")
	if !limited || !known {
		return 0, false
	}
	stat, err := os.ReadFile("/sys/fs/cgroup/memory.stat")
	if err != nil {
		return 0, false
	}
	var files int64
	for line := range strings.Lines(string(stat)) {
		if n, _ := fmt.Sscanf(line, "file %d", &files); n == 1 {
			break
		}
	}
	return most - used + files, true
}
