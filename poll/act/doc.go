// Package act is everything that changes a server which this program did not
// start: it starts VACUUMs, each on a connection of its own, and cancels them.
//
// All of it goes through a Gate, which refuses when the program is read-only and
// reports every statement sent as an event. Nothing outside this package changes a
// server, but for the throwaway server's own.
package act
