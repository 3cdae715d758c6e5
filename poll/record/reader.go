package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"example.com/vacscope/model"
)

// maxFrame bounds what a frame may hold: a Writer's hold some frameBytes.
const maxFrame = 256 << 20

// Reader reads a recording. Its methods can be called from any goroutine.
type Reader struct {
	file   io.ReaderAt
	close  func() error
	size   int64
	header Header
	first  int // bytes of the first line
	frames []frame

	mu   sync.Mutex
	z    *zstd.Decoder
	read []contents // of each frame, as far as it was read
	own  int        // frames up to the one in which another recording begins
}

// contents is what was found in a frame.
type contents struct {
	read     bool
	damaged  bool      // nothing of it can be used
	badLines int       // that are no samples
	ends     bool      // it has the recording's last line
	other    *Header   // of another recording, which begins in it and is not read
	server   time.Time // of its first sample that is from another server; zero for none
	from, to time.Time // of its first and last sample; zero for none
}

// Open opens a recording. The error says what the file is, if it is none that can be
// read: ErrEmpty, ErrForeign, ErrNewer, ErrCut, ErrDamaged.
func Open(path string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the recording: %w", err)
	}
	r, err := openFile(file)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), file.Close())
	}
	r.close = file.Close
	return r, nil
}

func openFile(file *os.File) (*Reader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, ErrForeign
	}
	return NewReader(file, info.Size())
}

// NewReader reads a recording of a size from anything.
func NewReader(file io.ReaderAt, size int64) (*Reader, error) {
	if size == 0 {
		return nil, ErrEmpty
	}
	r := &Reader{file: file, size: size}
	var err error
	r.z, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxFrame))
	if err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	isSound := func(f frame) bool {
		text, err := r.text(f)
		return text != nil && err == nil
	}
	if r.frames, err = frames(file, size, isSound); err != nil {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	r.read, r.own = make([]contents, len(r.frames)), len(r.frames)
	if err := r.readHeader(); err != nil {
		return nil, err
	}
	return r, nil
}

// readHeader reads the first line.
func (r *Reader) readHeader() error {
	text, err := r.text(r.frames[0])
	if err != nil {
		return err
	}
	first, _, whole := bytes.Cut(text, newline)
	switch {
	case whole:
	case r.frames[0].state == frameCut:
		return ErrCut
	case text == nil && (&chunks{file: r.file}).begins(0, r.size):
		return ErrDamaged
	default:
		return ErrForeign
	}
	r.first = len(first) + len(newline)
	r.header, err = parseHeader(first)
	return err
}

var newline = []byte("\n")

// Close closes the file.
func (r *Reader) Close() error {
	r.z.Close()
	if r.close == nil {
		return nil
	}
	return r.close()
}

// Header is the recording's first line.
func (r *Reader) Header() Header { return r.header }

// Frames is how many frames there are. Each can be read alone; together they hold the
// samples in their order.
func (r *Reader) Frames() int { return len(r.frames) }

// Samples are the samples from a frame on. An error, that of reading the file, ends
// them.
func (r *Reader) Samples(from int) iter.Seq2[model.Sample, error] {
	return func(yield func(model.Sample, error) bool) {
		for n := from; n < len(r.frames); n++ {
			samples, err := r.Frame(n)
			if err != nil {
				yield(model.Sample{}, err)
				return
			}
			for _, s := range samples {
				if !yield(s, nil) {
					return
				}
			}
		}
	}
}

// Frame are the samples of one frame; none, where nothing of it can be read: Lost then
// says so, and the first sample of the frame after it has the events of a gap. The
// error is that of reading the file.
func (r *Reader) Frame(n int) ([]model.Sample, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n >= r.own {
		return nil, nil
	}
	text, err := r.text(r.frames[n])
	if err != nil {
		return nil, err
	}
	c := contents{read: true, damaged: text == nil}
	var samples []model.Sample
	if n == 0 {
		text = text[r.first:]
	}
	for row := range bytes.Lines(text) {
		samples = r.take(row, &c, samples)
		if c.other != nil {
			r.own = n + 1
			break
		}
	}
	if len(samples) > 0 {
		c.from, c.to = samples[0].At, samples[len(samples)-1].At
		if n > 0 && r.isDamaged(n-1) {
			samples[0].Events = append(gap(c.from), samples[0].Events...)
		}
	}
	r.read[n] = c
	return samples, nil
}

// Contains tells whether a text stands in the recording's lines: much quicker than reading
// its samples. The error is that of reading the file.
func (r *Reader) Contains(text string) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, f := range r.frames {
		lines, err := r.text(f)
		if err != nil || bytes.Contains(lines, []byte(text)) {
			return err == nil, err
		}
	}
	return false, nil
}

// isDamaged tells that nothing of a frame can be used, as far as that is known: some are
// seen to be by their headers, others when they are read.
func (r *Reader) isDamaged(n int) bool {
	return r.frames[n].state == frameDamaged || r.read[n].damaged
}

// take adds the sample of a line.
func (r *Reader) take(row []byte, c *contents, samples []model.Sample) []model.Sample {
	if !bytes.HasSuffix(row, newline) {
		return samples // the file is cut off within it
	}
	l, err := parseLine(row)
	switch {
	case err != nil:
		c.badLines++
	case l.Format != "":
		if other, err := parseHeader(row); err == nil {
			c.other = &other
		} else {
			c.badLines++
		}
	case l.End.Known():
		c.ends = true
	default:
		if now := l.Poll; now != nil && r.isOther(now.Server) && c.server.IsZero() {
			c.server = l.At
		}
		samples = append(samples, l.Sample)
	}
	return samples
}

// isOther tells of another server than the one at the start.
func (r *Reader) isOther(s model.Server) bool {
	was := r.header.Server.SystemIdentifier
	return was != "" && s.SystemIdentifier != "" && s.SystemIdentifier != was
}

// gap are the events of a time of which nothing can be read.
func gap(at time.Time) []model.Event {
	return []model.Event{
		{At: at, Kind: model.EventLost, Text: "the recording is damaged before this"},
		{At: at, Kind: model.EventConnected},
	}
}

// text decompresses a frame; nil where it is damaged. Of one that is cut off it is what
// there is. The error is that of reading the file.
func (r *Reader) text(f frame) ([]byte, error) {
	if f.state == frameDamaged {
		return nil, nil
	}
	packed := make([]byte, f.size)
	if _, err := r.file.ReadAt(packed, f.offset); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the recording: %w", err)
	}
	if err := r.z.Reset(bytes.NewReader(packed)); err != nil {
		return nil, nil
	}
	text, err := io.ReadAll(io.LimitReader(r.z, maxFrame))
	if err != nil && f.state == frameWhole { // what its checksum does not vouch for can be anything
		return nil, nil
	}
	return text, nil
}
