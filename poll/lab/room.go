package lab

import (
	"fmt"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

// Room is what an experiment needs of the machine, about.
type Room struct{ Disk, Memory model.Bytes }

// DemoRoom is what the demo and its scenarios need, whose servers have 384 MB of shared
// buffers.
func DemoRoom(scale float64) Room {
	return Room{Disk: 256<<20 + model.Bytes(scale*(400<<20)), Memory: 512 << 20}
}

// Check says what is missing, and what to try in the words of advice: "a smaller --size".
// What the system does not tell is taken for enough.
func (r Room) Check(advice string) error {
	folder, disk, known := server.FreeDisk()
	if free := model.Bytes(disk); known && free < r.Disk {
		return fmt.Errorf("about %s of disk are needed and %s has %s free; try %s, or TMPDIR=FOLDER where there is more",
			model.FormatBytes(r.Disk), folder, model.FormatBytes(free), advice)
	}
	memory, known := server.FreeMemory()
	if free := model.Bytes(memory); known && free < r.Memory {
		return fmt.Errorf("about %s of memory are needed and %s are free; try %s",
			model.FormatBytes(r.Memory), model.FormatBytes(free), advice)
	}
	return nil
}

// sharedBuffers is the size that holds what an experiment works on, within a quarter of
// the memory that is free.
func sharedBuffers(wanted model.Bytes) model.Bytes {
	const least = 128 << 20
	if free, known := server.FreeMemory(); known {
		wanted = min(wanted, model.Bytes(free/4))
	}
	return max(least, wanted)
}
