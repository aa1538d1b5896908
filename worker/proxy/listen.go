package proxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
)

// askModel sends the conversation to the model and reads the model's turn. The parameter
// later is true if this is not the first turn for the same answer. In a stream, the
// client gets everything before the first piece of a call at once. The result tail
// contains the other events of the stream.
func (p *Proxy) askModel(ctx context.Context, o *out, q *query, body string, later bool) (r reply, tail []event, err error) {
	u := p.Upstream
	if !q.stream {
		u.Idle = u.Timeout // a whole answer may come after a long silence
	}
	path, head := "/chat/completions", http.Header(nil)
	streamed := "text/event-stream"
	if t := q.other; t != nil {
		path, head = t.targetOf()
		body, streamed = t.requestBody(body), t.streamType()
	}
	a, err := u.sendRequest(ctx, "POST", path, body, head)
	if err != nil {
		return r, nil, err
	}
	defer a.close()
	if a.StatusCode != 200 {
		return r, nil, refusedBy(a)
	}
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if (kind == streamed) != q.stream && kind != "" {
		return r, nil, fmt.Errorf("the answer has the content type %.60q, but the request did not accept this type", kind)
	}
	for name := range a.Header {
		if !later && isKeptHeader(name) {
			o.setHeader(name, a.Header.Get(name))
		}
	}
	if q.stream {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		from := io.Reader(&attended{from: a, beats: p.Gate.Beats(ctx, p.Beat), o: o})
		if q.other != nil {
			from = q.other.newStream(from)
		}
		return p.readStream(o, from, later)
	}
	body, err = a.readText()
	if err == nil && q.other != nil {
		body, err = q.other.chatAnswer(body)
	}
	if err != nil {
		return r, nil, err
	}
	if r, err = readReply(body); err == nil && len(r.calls) > 0 && r.finish == "" {
		err = errors.New("the answer has calls but no finish reason")
	}
	return r, nil, err
}

// attended is a model's stream that is read while its client is attended to: if the model
// sends nothing between two beats, the client gets a comment. Where a host tells of a
// client that has left only at the next write, a silent model would otherwise go on for
// nobody. A comment stands between whole events, because readStream has sent all that was
// read.
type attended struct {
	from  io.Reader
	beats <-chan struct{}
	o     *out
	heard bool // the model has sent something since the last beat
}

// Read reads from the stream. It returns context.Canceled if the client has left; then
// the stream may still write to b.
func (a *attended) Read(b []byte) (int, error) {
	type result struct {
		n   int
		err error
	}
	done := make(chan result, 1)
	go func() {
		n, err := a.from.Read(b)
		done <- result{n, err}
	}()
	for {
		select {
		case got := <-done:
			a.heard = true
			return got.n, got.err
		case <-a.beats:
			if !a.heard {
				a.o.sendGathered(": waiting for the model\n\n")
			}
			if a.heard = false; a.o.broken != nil {
				return 0, context.Canceled
			}
		}
	}
}

// isKeptHeader reports whether a header of the model's server is passed on to the client.
func isKeptHeader(name string) bool {
	switch {
	case name == "X-Request-Id", name == "Request-Id", len(name) > 10 && name[:10] == "Anthropic-", len(name) > 7 && name[:7] == "Openai-", len(name) > 12 && name[:12] == "X-Ratelimit-":
		return true
	}
	return false
}

// readStream reads a stream to its end and returns the reply. The result tail holds the
// events that were not passed to the client. readStream ignores data after the closing
// mark [DONE].
func (p *Proxy) readStream(o *out, a io.Reader, later bool) (r reply, tail []event, err error) {
	s, made, watch := splitter{limit: maxEvent}, assembler{}, watcher{}
	var waiting []event // these may be the beginning of a call in the text
	o.apart = false
	buffer := make([]byte, 16<<10)
	kept := 0
	for end := false; !end && !made.done; {
		n, err := a.Read(buffer)
		if end = err != nil; end && err != io.EOF {
			return r, nil, err
		}
		events, err := s.feed(buffer[:n], end)
		for i := range events {
			e, calls := &events[i], false
			if strings.TrimSpace(e.data) != "" {
				var err error
				if calls, err = made.addEvent(e.data); err != nil {
					o.sendGathered("")
					return r, nil, err
				}
				e.said = made.piece
			}
			switch {
			case calls || tail != nil:
				tail = append(append(tail, waiting...), *e)
				waiting = nil
				kept += len(e.raw)
			case watch.mustHoldBack(e.said) || len(waiting) > 0 && e.said == "":
				waiting = append(waiting, *e)
				kept += len(e.raw)
			default:
				for i := range waiting {
					o.gatherEvent(&waiting[i], &made.reply, later)
				}
				waiting, kept = nil, 0
				o.gatherEvent(e, &made.reply, later)
			}
			if made.done {
				break
			}
		}
		o.sendGathered("")
		switch {
		case err != nil:
			return r, nil, err
		case kept > maxKept:
			return r, nil, errLarge
		case o.broken != nil:
			return r, nil, context.Canceled
		}
	}
	r, err = made.wholeReply()
	return r, append(tail, waiting...), err
}

const (
	maxEvent = 4 << 20 // bytes of one event
	maxKept  = 8 << 20 // bytes of calls that are held back
)
