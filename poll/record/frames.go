package record

import (
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// frame is where one zstd frame stands in a file.
type frame struct {
	offset, size int64
	state        frameState
}

type frameState uint8

const (
	frameWhole   frameState = iota
	frameCut                // the file ends within it
	frameDamaged            // bytes of which nothing can be read
)

// frameMagic begins a zstd frame.
var frameMagic = []byte{0x28, 0xB5, 0x2F, 0xFD}

// frames finds the frames of a file by the headers of their blocks: nothing is
// decompressed. Where they do not fit, it goes on with the next frame that does; isSound
// then tells of the one before whether it is its length that is wrong.
func frames(file io.ReaderAt, size int64, isSound func(frame) bool) ([]frame, error) {
	r := &chunks{file: file}
	var out []frame
	for at := int64(0); at < size; {
		f, err := frameAt(r, at, size)
		if err != nil {
			return nil, err
		}
		if f.state == frameWhole && !r.begins(f.end(), size) && !isSound(f) {
			f.state = frameDamaged
		}
		if f.state != frameWhole {
			next, err := nextFrame(r, at+1, size)
			if err != nil {
				return nil, err
			}
			if next < size { // what seems to be cut off only has a wrong length
				f = frame{at, next - at, frameDamaged}
			}
		}
		out = append(out, f)
		at = f.end()
	}
	return out, nil
}

// end is where the frame ends.
func (f frame) end() int64 { return f.offset + f.size }

// nextFrame is where the next frame begins that is whole and stands before another or
// at the end; size where there is none.
func nextFrame(r *chunks, from, size int64) (int64, error) {
	buffer := make([]byte, chunkSize)
	for from < size {
		n, err := r.read(buffer, from)
		if err != nil {
			return 0, err
		}
		at := bytes.Index(buffer[:n], frameMagic)
		if at < 0 {
			from += int64(max(n-len(frameMagic)+1, 1))
			continue
		}
		from += int64(at)
		f, err := frameAt(r, from, size)
		if err != nil || f.state == frameWhole && r.begins(f.end(), size) {
			return from, err
		}
		from++
	}
	return size, nil
}

// frameAt is the frame that begins at a place; one that is not whole goes to the end of
// the file.
func frameAt(r *chunks, at, size int64) (frame, error) {
	rest := func(state frameState) frame { return frame{at, size - at, state} }
	start := make([]byte, zstd.HeaderMaxSize)
	n, err := r.read(start, at)
	if err != nil {
		return frame{}, err
	}
	var header zstd.Header
	switch err := header.Decode(start[:n]); {
	case errors.Is(err, io.ErrUnexpectedEOF) && at+int64(n) == size:
		return rest(frameCut), nil
	case err != nil:
		return rest(frameDamaged), nil
	}
	end, state := at+int64(header.HeaderSize)+int64(header.SkippableSize), frameWhole
	if !header.Skippable {
		if end, state, err = blocksEnd(r, end, size); err != nil || state != frameWhole {
			return rest(state), err
		}
		if header.HasCheckSum {
			end += 4
		}
	}
	if end > size {
		return rest(frameCut), nil
	}
	return frame{at, end - at, frameWhole}, nil
}

// blocksEnd is where the blocks of a frame end.
func blocksEnd(r *chunks, at, size int64) (end int64, state frameState, err error) {
	const raw, repeated, compressed = 0, 1, 2
	header := make([]byte, 3)
	for last := false; !last; {
		n, err := r.read(header, at)
		if err != nil {
			return 0, 0, err
		}
		if n < len(header) {
			return size, frameCut, nil
		}
		bits := uint32(header[0]) | uint32(header[1])<<8 | uint32(header[2])<<16
		last = bits&1 == 1
		at += int64(len(header))
		switch length := int64(bits >> 3); bits >> 1 & 3 {
		case raw, compressed:
			at += length
		case repeated:
			at++
		default:
			return size, frameDamaged, nil
		}
		if at > size {
			return size, frameCut, nil
		}
	}
	return at, frameWhole, nil
}

// chunks reads a file in large pieces: headers stand close together.
type chunks struct {
	file  io.ReaderAt
	chunk []byte // of the file, from at on
	at    int64
	room  [chunkSize]byte
}

const chunkSize = 1 << 16

// read reads what there is; the end of the file is no error.
func (c *chunks) read(p []byte, at int64) (int, error) {
	if at < c.at || at+int64(len(p)) > c.at+int64(len(c.chunk)) {
		n, err := c.file.ReadAt(c.room[:], at)
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		c.chunk, c.at = c.room[:n], at
	}
	return copy(p, c.chunk[at-c.at:]), nil
}

// begins tells whether a frame seems to begin at a place, or the file ends there.
func (c *chunks) begins(at, size int64) bool {
	start := make([]byte, min(int64(len(frameMagic)), size-at))
	_, err := c.read(start, at)
	return err == nil && bytes.HasPrefix(frameMagic, start)
}
