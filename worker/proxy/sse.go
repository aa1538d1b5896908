package proxy

import (
	"bytes"
	"errors"
	"strings"
)

// event is one server-sent event together with the very bytes that it came in,
// line ends and closing blank line included.
type event struct {
	raw  []byte
	data string // its data lines, joined by newlines
	said string // what of it a person sees
	open bool   // the stream ended before its blank line
}

// splitter cuts a stream of bytes into events. How the bytes are cut into pieces
// on the way makes no difference to the events.
type splitter struct {
	buf   []byte
	at    int // up to here buf has been looked at: whole lines of the event that grows
	limit int // bytes of one event
}

var errEvent = errors.New("an event of the stream is larger than the limit")

// feed takes the next bytes and returns the events that they complete. The last
// feed of a stream has end set: what is left then counts as an event.
func (s *splitter) feed(b []byte, end bool) (out []event, err error) {
	s.buf = append(s.buf, b...)
	for {
		size, blank, whole := s.line(end)
		if !whole {
			break
		}
		if s.at += size; blank {
			out = append(out, cut(s.buf[:s.at]))
			s.buf, s.at = s.buf[s.at:], 0
		}
	}
	if len(s.buf) > s.limit {
		return out, errEvent
	}
	if end && len(s.buf) > 0 {
		e := cut(s.buf)
		e.open = true
		out = append(out, e)
		s.buf, s.at = nil, 0
	}
	return out, nil
}

// line measures the next line with its end. A carriage return that stands last
// may be half of a line end, so it waits for the next byte.
func (s *splitter) line(end bool) (size int, blank, whole bool) {
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

// cut reads an event's fields from its bytes, of which it keeps a copy.
func cut(raw []byte) event {
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
