package main

import (
	"strings"

	"example.com/vacscope/tui"
)

// keysText is the help topic that lists all keys of the screen.
func keysText() string {
	var b strings.Builder
	b.WriteString(`# All keys of the screen

What a key cannot do now it says, with what would make it possible; ? on the
screen lists the keys of the place one is at, and : finds any of them by some
letters of what it does.

`)
	const column, width = 14, 78
	for _, key := range tui.KeyTable() {
		hanging(&b, "  "+key[0], key[1], column, width)
	}
	b.WriteString(`
"paused" is after space, and always in a recording (vacscope replay): the
screen then shows another moment of what was seen, and a line under its first
one says which. What is watched is kept in memory: half an hour of a busy
vacuum, many hours of a quiet server.
`)
	return b.String()
}
