package stream

import (
	"bytes"
	"encoding/json"

	"github.com/boundcheck/boundcheck/core"
	"github.com/boundcheck/boundcheck/core/wire"
)

// layout is the way in which a file separates its elements.
type layout int

const (
	inLines  layout = iota // one per line
	inList                 // the elements of one list at the top level
	inValues               // consecutive objects of several lines each
)

// beginInput skips a byte order mark, and decides the layout. If the input consists of
// lines of a longer file, the layout stays inLines.
func (s *scanner) beginInput() {
	if !s.inside {
		s.detectLayout()
		return
	}
	s.skipMark()
}

func (s *scanner) skipMark() {
	for len(s.buf) < 3 && s.fillWindow() {
	}
	if bytes.HasPrefix(s.buf, []byte("\xef\xbb\xbf")) {
		s.skip(3)
	}
}

// detectLayout decides the layout from the file's first line, and from whether text
// follows it.
func (s *scanner) detectLayout() {
	s.skipMark()
	first, ok := s.skipSpace()
	if !ok {
		s.closed = true
		return
	}
	line := s.firstLine()
	whole := json.Valid(line)
	switch {
	case first == '[':
		if !whole || !s.hasTextAfter(len(line)) {
			s.layout = inList
			s.skip(1)
		}
	case first == '{' && !whole && s.hasTextAfter(len(line)) && s.buf[s.at+len(line)+1] != '{':
		s.layout = inValues
	case first != '{' && first != '"':
		s.refuseBinary()
	}
}

// refuseBinary refuses a file that is not text, such as an image. Without this check,
// each line of the file would be an error.
func (s *scanner) refuseBinary() {
	const enough = 4096
	for len(s.buf)-s.at < enough && s.fillWindow() {
	}
	head := s.buf[s.at:min(s.at+enough, len(s.buf))]
	if bytes.IndexByte(head, 0) < 0 {
		return
	}
	evaluate := func(head []byte) (any, error) {
		return core.Evaluate(core.Request{Inputs: []core.Source{{Data: head}}})
	}
	if answer, ok := wire.Guard("score", evaluate, head); !ok {
		s.closed, s.fault = true, answer
	}
}

// firstLine returns the unread text up to the first line break. If the window contains no
// line break, it returns the text up to the end of the window.
func (s *scanner) firstLine() []byte {
	for {
		if end := bytes.IndexByte(s.buf[s.at:], '\n'); end >= 0 {
			return s.buf[s.at : s.at+end]
		}
		if !s.fillWindow() {
			return s.buf[s.at:]
		}
	}
}

// hasTextAfter reports whether there is more than white space after the first n unread
// bytes. It reads more text if necessary, but only as much as fits into the window.
func (s *scanner) hasTextAfter(n int) bool {
	for {
		if len(bytes.TrimSpace(s.buf[min(s.at+n, len(s.buf)):])) > 0 {
			return true
		}
		if !s.fillWindow() {
			return false
		}
	}
}
