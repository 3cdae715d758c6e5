// Command capture runs VACUUMs of known kinds on throwaway servers and writes what
// watching them gave, as gzipped JSON Lines of samples: the ground truth of the
// estimates of the time left (model/testdata/runs).
//
//	go run ./.ci/capture FOLDER MAJOR KIND...
//
// Server programs are looked for as the tests do. A machine that does other work makes
// the runs of no use that are not throttled.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"example.com/vacscope/model"
	"example.com/vacscope/poll/server"
)

func main() {
	server.RunHelperIfAsked()
	server.ClearEnvironment()
	log.SetFlags(log.Ltime)
	if err := run(os.Args[1:]); err != nil {
		log.Fatal(err)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("usage: capture FOLDER MAJOR KIND...")
	}
	major, err := strconv.Atoi(args[1])
	if err != nil {
		return fmt.Errorf("major version: %w", err)
	}
	programs, err := server.Find(filepath.Join(cmp.Or(os.Getenv("VACSCOPE_POSTGRES_DIR"), server.CacheDir()), args[1], "bin"), major)
	if err != nil {
		return err
	}
	for _, name := range args[2:] {
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name == name })
		if i < 0 {
			return fmt.Errorf("there is no kind %s", name)
		}
		if err := kinds[i].capture(programs, args[0]); err != nil {
			return fmt.Errorf("%s on %d: %w", name, major, err)
		}
	}
	return nil
}

// capture makes a server with the table, vacuums it, and writes what was seen.
func (k kind) capture(programs server.Programs, folder string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	s, err := server.Start(ctx, server.Config{Programs: programs, Settings: append([]string{"autovacuum=off"}, k.server...)})
	if err != nil {
		return err
	}
	defer s.Stop()
	conn, err := connect(ctx, s)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if err := execute(ctx, conn, k.statements(programs.Major)); err != nil {
		return err
	}
	samples, err := k.watched(ctx, s, func() error { return k.vacuum(ctx, s, conn) })
	if err != nil {
		return err
	}
	name := filepath.Join(folder, fmt.Sprintf("%s-%d.jsonl.gz", k.name, programs.Major))
	size, err := write(name, samples)
	log.Printf("%s: %d samples, %d bytes", name, len(samples), size)
	return err
}

// write leaves out settings that are as they were, and what no estimate looks at.
func write(name string, samples []model.Sample) (size int, err error) {
	var buffer bytes.Buffer
	z, _ := gzip.NewWriterLevel(&buffer, gzip.BestCompression)
	out := json.NewEncoder(z)
	var last []byte
	for _, s := range samples {
		if s.Poll != nil {
			p := *s.Poll
			s.Poll = &p
			if settings, _ := json.Marshal(p.Settings); bytes.Equal(settings, last) {
				p.Settings = nil
			} else if p.Settings != nil {
				last = settings
			}
			p.Server.Address, p.Server.SystemIdentifier, p.Databases, p.LastVacuums, p.Horizon = "", "", nil, nil, nil
		}
		if err := out.Encode(s); err != nil {
			return 0, err
		}
	}
	if err := z.Close(); err != nil {
		return 0, err
	}
	return buffer.Len(), os.WriteFile(name, buffer.Bytes(), 0o644)
}
