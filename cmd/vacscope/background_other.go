//go:build !unix

package main

import "context"

// stopInBackground does nothing: there is no background of a terminal.
func stopInBackground(context.Context) func() { return func() {} }
