// Command vacscope shows a PostgreSQL VACUUM while it runs.
package main

import (
	"os"

	_ "example.com/vacscope/cmd/vacscope/early" // before bubbletea's init
)

func main() {
	os.Exit(run(os.Args[1:], os.Stderr))
}
