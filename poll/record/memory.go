package record

import (
	"bytes"
	"fmt"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"

	"example.com/vacscope/model"
)

// Memory keeps a stream's latest samples as a recording does, packed and in frames, in
// the process's memory. Its methods can be called from any goroutine.
type Memory struct {
	limit int // bytes of the frames

	mu      sync.Mutex
	z       *zstd.Encoder
	unz     *zstd.Decoder
	frames  []packed // those that were dropped hold nothing
	dropped int
	bytes   int
	before  model.Standing // after the samples that were dropped
	open    []model.Sample // of the frame that goes on

	text bytes.Buffer // of a frame, and packed; used again
	room []byte
}

// packed is a frame of lines, and when its first sample was taken.
type packed struct {
	began time.Time
	lines []byte // compressed
}

// NewMemory keeps at most so many bytes: what is older is dropped.
func NewMemory(limit int) (*Memory, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(window), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("keep samples: %w", err)
	}
	unz, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, fmt.Errorf("keep samples: %w", err)
	}
	return &Memory{limit: limit, z: z, unz: unz}, nil
}

// Add keeps a sample, and tells whether it is the first of a frame.
func (m *Memory) Add(s model.Sample) (first bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.open) > 0 && ends(m.open[0].At, s.At) {
		m.pack()
	}
	m.open = append(m.open, s)
	return len(m.open) == 1
}

// ends tells whether a frame that began with a sample ends before another one.
func ends(began, next time.Time) bool {
	age := next.Sub(began)
	return age >= frameTime || age < 0
}

// pack makes a frame of the samples that are open. A sample that has no form in JSON,
// which none should be, is as if it were dropped.
func (m *Memory) pack() {
	m.text.Reset()
	for _, s := range m.open {
		if row, err := lineOf(sampleLine(s)); err == nil {
			m.text.Write(row)
		}
	}
	m.room = m.z.EncodeAll(m.text.Bytes(), m.room[:0])
	m.frames = append(m.frames, packed{m.open[0].At, bytes.Clone(m.room)}) // no larger than it need be
	m.bytes += len(m.room)
	m.open = m.open[:0:0]
	for m.bytes > m.limit && m.dropped < len(m.frames)-1 {
		m.drop()
	}
}

// drop drops the first frame that is left. What stands after it is kept.
func (m *Memory) drop() {
	samples, _ := m.unpack(m.frames[m.dropped].lines) // what cannot be read says nothing
	for _, s := range samples {
		m.before.Take(s)
	}
	m.bytes -= len(m.frames[m.dropped].lines)
	m.frames[m.dropped].lines = nil
	m.dropped++
}

// Frames is how many frames there are, those that were dropped and the one that is not
// full among them.
func (m *Memory) Frames() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.frames)
	if len(m.open) > 0 {
		n++
	}
	return n
}

// Dropped is how many of the first frames were dropped.
func (m *Memory) Dropped() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dropped
}

// Frame are the samples of a frame; none of one that was dropped.
func (m *Memory) Frame(n int) ([]model.Sample, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n == len(m.frames) {
		return append([]model.Sample(nil), m.open...), nil
	}
	return m.unpack(m.frames[n].lines)
}

// unpack reads the samples of a frame; none of one that was dropped.
func (m *Memory) unpack(lines []byte) ([]model.Sample, error) {
	if lines == nil {
		return nil, nil
	}
	text, err := m.unz.DecodeAll(lines, nil)
	if err != nil {
		return nil, fmt.Errorf("read kept samples: %w", err)
	}
	var samples []model.Sample
	for row := range bytes.Lines(text) {
		l, err := parseLine(row)
		if err != nil {
			return nil, fmt.Errorf("read kept samples: %w", err)
		}
		samples = append(samples, l.Sample)
	}
	return samples, nil
}
