package server

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// segmentGone removes the System V shared memory segment of a cluster whose
// postmaster was killed; otherwise the system would keep it for ever. It is false
// as long as processes of that server still end.
func segmentGone(data string) bool {
	pid, key, id, ok := segmentOf(data)
	if !ok {
		return true
	}
	// Numbers are used again, so all that is known of the segment must agree.
	var segment unix.SysvShmDesc
	_, err := unix.SysvShmCtl(id, unix.IPC_STAT, &segment)
	if err != nil || segment.Perm.Key != key || segment.Cpid != pid {
		return true
	}
	if segment.Nattch > 0 {
		return false
	}
	_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	return err == nil
}

// segmentOf reads the pid file that a killed postmaster leaves: its process id and
// its segment's key and id.
func segmentOf(data string) (pid, key int32, id int, ok bool) {
	const segmentLine = 6
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) <= segmentLine {
		return 0, 0, 0, false
	}
	var unsignedKey uint32
	_, pidErr := fmt.Sscan(lines[0], &pid)
	_, err = fmt.Sscan(lines[segmentLine], &unsignedKey, &id)
	return pid, int32(unsignedKey), id, pidErr == nil && err == nil
}
