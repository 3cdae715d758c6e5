package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"example.com/vacscope/model"
)

// The format of the first line, and the newest version of it that this program knows.
// New keys do not raise the version.
const (
	Format        = "vacscope.recording"
	FormatVersion = 1
)

// Suffix is how names of recordings end.
const Suffix = ".jsonl.zst"

// Header says what a recording is of: its first line. All of it is as of the start.
type Header struct {
	Format        string `json:"format"`
	FormatVersion int    `json:"format_version"`
	// StartedAt is the server's clock at the first sample.
	StartedAt time.Time `json:"started_at"`
	// Vacscope is the version of the program that recorded.
	Vacscope string `json:"vacscope_version"`
	// CommandLine is how it was called, without secrets.
	CommandLine string `json:"command_line"`
	// Redacted tells that query texts of other sessions were left out (model.Redacted).
	Redacted bool `json:"redacted"`

	Server model.Server `json:"server"`
	// About is version(), configure options and settings that differ from their
	// defaults; nil when they could not be read.
	About *model.About `json:"about"`
	// Relations are those in sight, with their indexes and sizes.
	Relations []model.Relation `json:"relations"`
	// Client is the machine that recorded.
	Client Client `json:"client"`
	// Wanted is how often the server was to be read; nil in recordings of a vacscope that
	// did not write it.
	Wanted *model.Rates `json:"rates_wanted"`
}

// Client is the machine on which vacscope ran. What the system does not tell is absent.
type Client struct {
	// IsServers tells that the server runs on it: it was reached over a socket of the
	// file system.
	IsServers bool                   `json:"is_servers"`
	OS        string                 `json:"os"` // linux/amd64
	Kernel    model.Opt[string]      `json:"kernel"`
	Cores     int                    `json:"cores"` // that this process may use
	Memory    model.Opt[model.Bytes] `json:"memory_bytes"`
}

// Errors of Open: what a file is that is no recording which can be read.
var (
	ErrEmpty   = errors.New("the file is empty: nothing was recorded")
	ErrForeign = errors.New("the file is not a recording of vacscope")
	ErrNewer   = errors.New("the recording was written by a newer vacscope")
	ErrCut     = errors.New("the recording is cut off within its first line: nothing of it can be read")
	ErrDamaged = errors.New("the recording is damaged in its first line: nothing of it can be read")
)

// parseHeader reads the first line.
func parseHeader(line []byte) (Header, error) {
	var h Header
	var kind struct {
		Format        string `json:"format"`
		FormatVersion int    `json:"format_version"`
	}
	if err := json.Unmarshal(line, &kind); err != nil || kind.Format != Format {
		return h, ErrForeign
	}
	if kind.FormatVersion > FormatVersion {
		return h, fmt.Errorf("%w: its format_version is %d, and this one reads up to %d", ErrNewer, kind.FormatVersion, FormatVersion)
	}
	if err := json.Unmarshal(line, &h); err != nil {
		return h, fmt.Errorf("read the recording's first line: %w", err)
	}
	return h, nil
}
