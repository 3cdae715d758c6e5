package record

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"

	"example.com/vacscope/model"
)

// When the file gets what was written: at a sample this long after the last one that
// did it. Between samples of a stream there is a second at most.
const flushEvery = 500 * time.Millisecond

// A frame is ended by the first sample this long after its first one, or behind this
// many bytes of lines.
const (
	frameTime  = 10 * time.Second
	frameBytes = 4 << 20
)

// window is how far back the compression looks: a frame is seldom longer.
const window = 1 << 20

// Writer writes a recording. It is for one goroutine. After an error it writes nothing
// more; what was written before can be read.
type Writer struct {
	to      io.WriteCloser
	z       *zstd.Encoder
	inFrame int       // bytes of lines in the frame that is open; 0: none is
	frameAt time.Time // of its first sample
	flushed time.Time // the last sample that the file has for certain
	written int64     // bytes of the file
	samples int
	err     error
}

// Create makes a recording's file, for its owner alone. One that exists is an error
// (fs.ErrExist), or is replaced with force.
func Create(path string, h Header, force bool) (*Writer, error) {
	if force {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
			if err := os.Remove(path); err != nil {
				return nil, fmt.Errorf("replace the recording: %w", err)
			}
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%s exists (%w)", path, fs.ErrExist)
	}
	if err != nil {
		return nil, fmt.Errorf("create the recording: %w", err)
	}
	w, err := NewWriter(file, h)
	if err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(path))
	}
	return w, nil
}

// NewWriter writes a recording to anything, its header at once. Format and version of
// the header are filled in.
func NewWriter(to io.WriteCloser, h Header) (*Writer, error) {
	w := &Writer{to: to}
	var err error
	w.z, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(window))
	if err != nil {
		return nil, fmt.Errorf("compress the recording: %w", err)
	}
	h.Format, h.FormatVersion = Format, FormatVersion
	if err := errors.Join(w.writeLine(h), w.endFrame()); err != nil { // a frame of its own
		return nil, w.err
	}
	return w, nil
}

// Write adds a sample.
func (w *Writer) Write(s model.Sample) error {
	if w.err != nil {
		return w.err
	}
	if w.inFrame > frameBytes || ends(w.frameAt, s.At) {
		if err := w.endFrame(); err != nil {
			return err
		}
	}
	if w.inFrame == 0 {
		w.frameAt = s.At
	}
	if err := w.writeLine(sampleLine(s)); err != nil {
		return err
	}
	w.samples++
	if age := s.At.Sub(w.flushed); age >= 0 && age < flushEvery {
		return nil
	}
	w.flushed = s.At
	return w.failed(w.z.Flush())
}

// Size is how long the file is, in bytes, without what waits to be flushed.
func (w *Writer) Size() int64 { return w.written }

// Close ends the recording.
func (w *Writer) Close() error {
	if w.err == nil {
		w.err = errors.Join(w.writeLine(ending{w.samples}), w.endFrame())
	}
	closed := w.to.Close()
	err := errors.Join(w.err, closed)
	w.err = errClosed
	return err
}

var errClosed = errors.New("the recording is closed")

// writeLine adds a line to the frame, which it begins where none is open.
func (w *Writer) writeLine(v any) error {
	text, err := lineOf(v)
	if err != nil {
		return w.failed(err)
	}
	if w.inFrame == 0 {
		w.z.Reset(counted{w})
	}
	w.inFrame += len(text)
	_, err = w.z.Write(text)
	return w.failed(err)
}

// endFrame ends the frame, if one is open.
func (w *Writer) endFrame() error {
	if w.inFrame == 0 {
		return nil
	}
	w.inFrame = 0
	return w.failed(w.z.Close())
}

// failed keeps the first error.
func (w *Writer) failed(err error) error {
	if err != nil && w.err == nil {
		w.err = fmt.Errorf("write the recording: %w", err)
	}
	return w.err
}

// counted counts what goes to the file.
type counted struct{ *Writer }

func (c counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.written += int64(n)
	return n, err
}
