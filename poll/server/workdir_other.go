//go:build !unix

package server

import (
	"errors"
	"os"
)

// lockDir is not possible here, so no server is started and nothing is swept.
func lockDir(string) (*os.File, error) { return nil, errors.ErrUnsupported }
