// Package poll turns a PostgreSQL server into a stream of model.Sample.
//
// It only reads. One connection does all of it: a beat (the full read, one network
// round trip; two when a relation comes into sight) every interval, and between
// beats ticks (one statement that reads wait and phase of all vacuum processes at
// one moment) at a random point of each slot. The connection is idle between
// polls, never in a transaction.
//
// Layers, from the outside in:
//
//	config*.go, conninfo.go, uri.go   from flags, target, service file and environment to a Config
//	source.go, run.go                 the loop: samples, and connecting again
//	schedule.go, pace.go              when to read, and how often is often enough
//	session.go, columns.go, due.go    one connection: what it can read, and what is due
//	pipeline.go, row.go               statements in one round trip, and their rows
//	q_*.go                            one statement each, with its decoder
//
// Columns are probed from the catalog: a server newer than this program is read
// as the newest one known, and what it has beyond that is kept under its names.
package poll
