package stream

import (
	"bytes"
	"fmt"
	"io"

	"github.com/boundcheck/boundcheck/core/study/lines"
	"github.com/boundcheck/boundcheck/core/wire"
)

// maxElement limits the size of one line or list element, because it must fit into memory
// to be scored.
const maxElement = 64 << 20

// window is the number of bytes that are read at once. The layout of a file is decided by
// at most as many bytes.
const window = 1 << 20

// element is one line of JSONL or one element of a list. Each is scored on its own.
type element struct {
	from, to int    // offsets of its text in the batch
	line     int    // the line at which it begins, from 1
	column   int    // the column at which it begins, from 1
	row      int    // its number in the file, from 1; 0 if its line identifies it
	fault    []byte // the error envelope of an element that cannot be read; nil for none
}

// scanner cuts a file into elements. It holds only a window of the file.
type scanner struct {
	in     io.Reader
	idle   func() // called before a read, which may block; nil for none
	limit  int    // largest size of an element in bytes
	buf    []byte
	at     int // buf[at:] is unread
	offset int // offset of buf[at] in the file
	line   int // line of buf[at], from 1
	start  int // offset of the beginning of that line
	layout layout
	rows   int
	inside bool   // the input consists of lines of a longer file
	closed bool   // nothing more can be read
	fault  []byte // why nothing more can be read; nil at the end of the file
	eof    bool
	err    error // error of a read
}

func newScanner(in io.Reader) *scanner {
	return &scanner{in: in, limit: maxElement, line: 1, buf: make([]byte, 0, window)}
}

// next reads the next element and appends its text to dst. The error is io.EOF at the end
// of the file. Any other error comes from reading the file.
func (s *scanner) next(dst []byte) ([]byte, element, error) {
	if s.rows == 0 && !s.closed {
		s.beginInput()
	}
	for !s.closed && s.err == nil {
		out, e, ok := s.readElement(dst)
		if s.err != nil {
			break
		}
		if ok {
			return out, s.numberElement(e), nil
		}
	}
	if s.err != nil {
		return dst, element{}, s.err
	}
	if s.rows == 0 && s.inside {
		return dst, element{}, io.EOF
	}
	if s.rows == 0 && s.fault == nil {
		s.fault = wire.Fail(wire.CodeInput, lines.Empty)
	}
	if s.rows == 0 {
		return dst, s.numberElement(element{line: s.line, column: 1, fault: s.fault}), nil
	}
	return dst, element{}, io.EOF
}

func (s *scanner) numberElement(e element) element {
	s.rows++
	if s.layout != inLines {
		e.row = s.rows
	}
	return e
}

// errorElement returns an element that consists of an error at the current position.
func (s *scanner) errorElement(code, message string) element {
	return element{line: s.line, column: s.offset - s.start + 1, fault: wire.Fail(code, message)}
}

// readElement reads the next element. It returns false if there is no element at the
// current position.
func (s *scanner) readElement(dst []byte) ([]byte, element, bool) {
	first, ok := s.skipSpace()
	switch {
	case s.layout == inList:
		return s.readListElement(dst, first, ok)
	case !ok:
		s.closed = true
		return dst, element{}, false
	case s.layout == inValues && (first == '{' || first == '['):
		return s.takeElement(dst, &nesting{})
	}
	return s.takeElement(dst, &rest{})
}

// readListElement reads the next element of a list and appends its text to dst. first is
// the next byte, and ok is false at the end of the file. The last result is false if the
// list has ended without an error. The returned element is an error in two cases:
//
//   - The file ends before the list ends.
//   - There is text after the end of the list.
func (s *scanner) readListElement(dst []byte, first byte, ok bool) ([]byte, element, bool) {
	if !ok {
		s.closed = true
		return dst, s.errorElement(wire.CodeInput, "the list ends without a closing bracket; the file is probably incomplete"), true
	}
	if first != ']' {
		out, e, ok := s.takeElement(dst, &nesting{listed: true})
		if s.at < len(s.buf) && s.buf[s.at] == ',' {
			s.skip(1)
		}
		return out, e, ok
	}
	s.skip(1)
	s.closed = true
	_, more := s.skipSpace()
	return dst, s.errorElement(wire.CodeInput, "unexpected text after the end of the list; the text was not read"), more
}

// takeElement reads one element and appends its bytes to dst. The cutter c finds the end
// of the element. An element that is larger than the limit becomes an error. The last
// result is always true.
func (s *scanner) takeElement(dst []byte, c cutter) ([]byte, element, bool) {
	e := element{from: len(dst), line: s.line, column: s.offset - s.start + 1}
	size, done := 0, false
	for !done {
		var n int
		n, done = c.findEnd(s.buf[s.at:])
		if size += n; size <= s.limit {
			dst = append(dst, s.buf[s.at:s.at+n]...)
		}
		s.skip(n)
		if !done && !s.fillWindow() {
			break
		}
	}
	if size > s.limit {
		e.to = e.from
		e.fault = wire.Fail(wire.CodeTooLarge, fmt.Sprintf("an element of %d bytes is over the limit of %d MiB", size, s.limit>>20))
		return dst[:e.from], e, true
	}
	e.to = e.from + len(bytes.TrimRight(dst[e.from:], " \t\r\n"))
	return dst, e, true
}

// skipSpace skips white space and returns the next byte without consuming it. It returns
// false at the end.
func (s *scanner) skipSpace() (byte, bool) {
	for {
		unread := s.buf[s.at:]
		n := len(unread) - len(bytes.TrimLeft(unread, " \t\r\n"))
		s.skip(n)
		if n < len(unread) {
			return unread[n], true
		}
		if !s.fillWindow() {
			return 0, false
		}
	}
}

// skip skips n bytes of the window.
func (s *scanner) skip(n int) {
	part := s.buf[s.at : s.at+n]
	if breaks := bytes.Count(part, []byte("\n")); breaks > 0 {
		s.line += breaks
		s.start = s.offset + bytes.LastIndexByte(part, '\n') + 1
	}
	s.at += n
	s.offset += n
}

// fillWindow reads more text into the window and keeps the unread text. It returns false
// at the end of the file, after an error, or if the window is full.
func (s *scanner) fillWindow() bool {
	if s.eof || s.err != nil {
		return false
	}
	if s.at == len(s.buf) {
		s.buf, s.at = s.buf[:0], 0
	}
	if len(s.buf) == cap(s.buf) {
		return false
	}
	if s.idle != nil {
		s.idle()
	}
	for {
		n, err := s.in.Read(s.buf[len(s.buf):cap(s.buf)])
		s.buf = s.buf[:len(s.buf)+n]
		if err == io.EOF {
			s.eof = true
		} else if err != nil {
			s.err = err
		}
		if n > 0 || err != nil {
			return n > 0 && s.err == nil
		}
	}
}
