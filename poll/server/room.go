package server

import "os"

// FreeDisk is how many bytes a new server's folder has room for, and the folder that it
// is made in; known is false where the system does not tell.
func FreeDisk() (folder string, bytes int64, known bool) {
	folder = os.TempDir()
	bytes, known = freeIn(folder)
	return folder, bytes, known
}

// FreeMemory is how many bytes programs can take without others being swapped out, within
// what this process's group may have; known is false where the system does not tell.
func FreeMemory() (bytes int64, known bool) { return freeMemory() }
