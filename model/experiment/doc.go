// Package experiment is what an experiment on a throwaway server measured: data, and
// arithmetic on it. It holds neither a clock nor I/O.
package experiment
