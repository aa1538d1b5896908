package proxy

import (
	"bytes"
	"errors"
	"strings"
)

// event is one server-sent event together with its original bytes, including line ends
// and the blank line at its end.
type event struct {
	raw  []byte
	data string // its data lines, joined by newlines
	said string // the part of it that a person sees
	open bool   // the stream ended before its blank line
}

// splitter splits a stream of bytes into events. The events do not depend on how the
// bytes arrive in pieces.
type splitter struct {
	buf   []byte
	at    int // end of the whole lines of the current event that have been examined
	limit int // largest size of one event in bytes
}

var errEvent = errors.New("an event of the stream is larger than the limit")

// feed adds bytes and returns the events that are now complete. The parameter end must be
// true in the last call for a stream. The remaining bytes then count as an event.
func (s *splitter) feed(b []byte, end bool) (out []event, err error) {
	s.buf = append(s.buf, b...)
	for {
		size, blank, whole := s.findLineEnd(end)
		if !whole {
			break
		}
		if s.at += size; blank {
			out = append(out, parseEvent(s.buf[:s.at]))
			s.buf, s.at = s.buf[s.at:], 0
		}
	}
	if len(s.buf) > s.limit {
		return out, errEvent
	}
	if end && len(s.buf) > 0 {
		e := parseEvent(s.buf)
		e.open = true
		out = append(out, e)
		s.buf, s.at = nil, 0
	}
	return out, nil
}

// findLineEnd finds the end of the next line. The result size is the length of the line
// with its end. The result blank is true if the line is empty, and whole is false if the
// end has not arrived yet. A carriage return as the last byte counts as an end only if
// the parameter end is true.
func (s *splitter) findLineEnd(end bool) (size int, blank, whole bool) {
	rest := s.buf[s.at:]
	i := bytes.IndexAny(rest, "\r\n")
	switch {
	case i < 0:
		return 0, false, false
	case rest[i] == '\n':
		return i + 1, i == 0, true
	case i+1 < len(rest) && rest[i+1] == '\n':
		return i + 2, i == 0, true
	case i+1 < len(rest) || end:
		return i + 1, i == 0, true
	}
	return 0, false, false
}

// parseEvent parses the fields of an event from its bytes. The result has a copy of the
// bytes.
func parseEvent(raw []byte) event {
	e, has := event{raw: append([]byte(nil), raw...)}, false
	text := strings.TrimPrefix(string(raw), "\ufeff")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	for line := range strings.SplitSeq(text, "\n") {
		name, value, _ := strings.Cut(line, ":")
		if name != "data" {
			continue
		}
		if has {
			e.data += "\n"
		}
		e.data += strings.TrimPrefix(value, " ")
		has = true
	}
	return e
}
