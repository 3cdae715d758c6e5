package main

import (
	"bytes"
	"io"

	"example.com/vacscope/model/experiment"
)

// rowPrinter prints a sweep as it grows: as text and CSV on standard output, of which
// only the end is still to come, and for a file and other formats as messages.
type rowPrinter struct {
	flags    *sweepFlags
	results  io.Writer
	messages *progressLine
	printed  []byte // on standard output
	said     int    // rows in messages
}

func newRowPrinter(f *sweepFlags, results io.Writer, messages *progressLine) *rowPrinter {
	return &rowPrinter{flags: f, results: results, messages: messages}
}

// grows tells whether what was printed stays as it is.
func (p *rowPrinter) grows() bool {
	return p.flags.output.path == "" && (p.flags.format.format == formatText || p.flags.format.format == formatCSV)
}

// print prints the rows that are new.
func (p *rowPrinter) print(s *experiment.Sweep) error {
	if p.grows() {
		return p.grow(s, false)
	}
	rows := s.Rows()
	for _, r := range rows[min(p.said, len(rows)):] {
		p.messages.say("%s", rowText(r))
	}
	p.said = len(rows)
	return nil
}

// finish prints the rest.
func (p *rowPrinter) finish(s *experiment.Sweep) error {
	p.messages.erase()
	if p.grows() {
		return p.grow(s, true)
	}
	return p.flags.output.write(p.results, func(w io.Writer) error { return writeSweep(w, s, p.flags.format.format, true) })
}

// grow prints what has come behind what was printed.
func (p *rowPrinter) grow(s *experiment.Sweep, whole bool) error {
	var all bytes.Buffer
	if err := writeSweep(&all, s, p.flags.format.format, whole); err != nil {
		return err
	}
	more := bytes.TrimPrefix(all.Bytes(), p.printed)
	if len(more) == 0 {
		return nil
	}
	p.messages.erase()
	p.printed = all.Bytes()
	_, err := p.results.Write(more)
	return err
}
