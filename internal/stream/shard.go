package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Shard is one of Of parts of the input. Index counts from 0. The inputs are cut into
// ranges of equal size, at the ends of lines. A line belongs to the shard in which it
// begins. A file that is compressed or contains a list is not cut. It belongs to the shard
// in which it begins. If Of is 0, the shard is all of the input.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// ReadShard reads the value of --shard, such as 0/8.
func ReadShard(text string) (Shard, error) {
	i, n, ok := strings.Cut(text, "/")
	index, err := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || errors.Join(err, err2) != nil || index < 0 || index >= of {
		return Shard{}, fmt.Errorf("invalid --shard %q; want I/N with I from 0 to N-1, as in 0/8", text)
	}
	return Shard{index, of}, nil
}

// part is a shard's part of a file: the lines that begin in [from, to).
type part struct {
	from, to int64
	opening  bool // the file begins in the shard
	whole    bool // the shard holds the whole file
}

// shardParts returns this shard's part of each file.
func (o *setup) shardParts() []part {
	out := make([]part, len(o.inputs))
	total, at := o.totalBytes(), int64(0)
	for i, f := range o.inputs {
		if o.Shard.Of < 2 || o.As != "" {
			out[i] = part{opening: true, whole: true}
			continue
		}
		// Quotient and remainder are multiplied separately, so that no product overflows.
		index, of := int64(o.Shard.Index), int64(o.Shard.Of)
		bound := func(i int64) int64 { return total/of*i + total%of*i/of }
		first, last := bound(index), bound(index+1)
		if index == of-1 {
			last++ // so that an empty file at the end belongs to the last shard
		}
		p := part{from: min(max(first-at, 0), f.bytes), to: min(max(last-at, 0), f.bytes), opening: first <= at && at < last}
		p.whole = p.opening && p.to == f.bytes
		out[i] = p
		at += f.bytes
	}
	return out
}

// isEmpty reports whether no part of the file belongs to the shard.
func (p *part) isEmpty() bool { return !p.opening && p.from >= p.to }

// isCuttable reports whether a file can be cut at the ends of lines. The reader in may
// contain only the beginning of the file.
func isCuttable(in io.Reader) (bool, error) {
	s := newScanner(in)
	for len(s.buf) < 2 && s.fillWindow() {
	}
	if bytes.HasPrefix(s.buf, []byte("\x1f\x8b")) {
		return false, s.err
	}
	for !bytes.Contains(s.buf, []byte("\n")) && len(s.buf) < 512 && s.fillWindow() {
	}
	if !beginsLikeJSON(s.buf[:min(len(s.buf), 512)]) {
		return false, s.err
	}
	s.detectLayout()
	return s.layout == inLines && !s.closed, s.err
}

// lineRange is a reader for the lines that begin in a range of a file. The reader in
// starts one byte before the range, or at offset 0 if the range starts there.
type lineRange struct {
	in    io.Reader
	left  int64 // bytes up to the end of the range
	skip  bool  // the rest of the line that begins before the range is still to be skipped
	last  byte
	ended bool
}

func newLineRange(in io.Reader, p part) *lineRange {
	return &lineRange{in: in, left: p.to - p.from, skip: p.from > 0, last: '\n'}
}

func (r *lineRange) Read(b []byte) (int, error) {
	for {
		if r.ended || len(b) == 0 {
			return 0, io.EOF
		}
		n, err := r.in.Read(b)
		n = r.keepBytes(b[:n])
		if n > 0 || err != nil {
			return n, err
		}
	}
}

// keepBytes moves the bytes of b that belong to the range to the beginning of b. It
// returns the number of these bytes.
func (r *lineRange) keepBytes(b []byte) int {
	text := b
	if r.skip {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			r.left -= int64(len(text))
			if r.left < 0 { // the open line ends after the range
				r.ended = true
			}
			return 0
		}
		r.skip = false
		r.left -= int64(i) // i includes the byte before the range, which stands for the line break
		text = text[i+1:]
		if r.left <= 0 {
			r.ended = true
			return 0
		}
	}
	switch n := int64(len(text)); {
	case n <= r.left:
		r.left -= n
	default:
		// The line that is open at the end belongs to the range.
		end := int(r.left)
		open := end == 0 && r.last != '\n' || end > 0 && text[end-1] != '\n'
		r.left = 0
		if open {
			i := bytes.IndexByte(text[end:], '\n')
			if i < 0 {
				break // the line continues, so all of text belongs to it
			}
			end += i + 1
		}
		text, r.ended = text[:end], true
	}
	if len(text) > 0 {
		r.last = text[len(text)-1]
	}
	return copy(b, text)
}
