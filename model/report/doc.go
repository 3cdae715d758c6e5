// Package report writes what the model knows for people and programs: the
// snapshot document as JSON, and plain text. It is pure: a writer and a value of
// the model go in, nothing else is read.
//
// Text is made of ASCII (server names apart, which are written as Text.Display
// shows them), without terminal sequences, and fits 79 columns where names do.
// Times in it are UTC and say so.
package report
