//go:build !batches

package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall/js"
	"time"
)

// awaitHost calls a method of the request's JavaScript object and waits for the result.
// JavaScript calls the method settle when the result is known. awaitHost has no time
// limit, so JavaScript must end a method that takes too long.
func (s *server) awaitHost(ctx context.Context, method string, args ...any) (js.Value, error) {
	host, ok := ctx.Value(hostKey{}).(js.Value)
	if !ok {
		return js.Undefined(), errors.New("not within a request")
	}
	if err := ctx.Err(); err != nil {
		return js.Undefined(), err
	}
	s.last++
	n, ended := s.last, make(chan settled, 1)
	s.waits[n] = ended
	host.Call(method, append([]any{n}, args...)...)
	got := <-ended
	if got.err != "" {
		return js.Undefined(), errors.New(got.err)
	}
	return got.value, nil
}

// queryD1 sends a statement to the database and returns its rows. It has the form of
// d1.Send. If a statement fails, queryD1 writes the reason to the log for the operator.
func (s *server) queryD1(ctx context.Context, query, params string) (string, error) {
	rows, err := s.awaitHost(ctx, "query", query, params)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err() // the client has gone: nobody's trouble
		}
		js.Global().Get("console").Call("error", "gate: the store: "+err.Error())
		return "", err
	}
	return rows.String(), nil
}

func (s *server) sleepInHost(ctx context.Context, d time.Duration) {
	s.awaitHost(ctx, "sleep", max(1, d.Milliseconds()))
}

// transport is an http.RoundTripper that sends the requests of the proxies and the
// webhooks. It reads the body of an answer piece by piece, from the JavaScript object of
// the request.
type transport struct{ *server }

// slow is the longest time until an answer begins, for a request without a deadline.
const slow = 2 * time.Minute

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	limit := slow
	if deadline, ok := r.Context().Deadline(); ok {
		limit = max(time.Millisecond, min(time.Until(deadline), 10*time.Minute))
	}
	got, err := t.awaitHost(r.Context(), "open", r.Method, r.URL.String(), headerLines(r.Header), toJS(body), limit.Milliseconds())
	if err != nil {
		return nil, err
	}
	status := got.Get("status").Int()
	w := &http.Response{StatusCode: status, Status: strconv.Itoa(status) + " " + http.StatusText(status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, ContentLength: -1, Request: r}
	for line := range strings.Lines(got.Get("headers").String()) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		w.Header.Add(name, value)
	}
	w.Body = &pulled{t: t, ctx: r.Context(), body: got.Get("body")}
	return w, nil
}

// headerLines returns headers as text, one on each line. It omits the header
// Accept-Encoding, because the platform does the compression.
func headerLines(h http.Header) string {
	var b strings.Builder
	for name, values := range h {
		for _, v := range values {
			if name != "Accept-Encoding" {
				b.WriteString(name + ": " + oneLine.Replace(v) + "\n")
			}
		}
	}
	return b.String()
}

// pulled is the body of an answer. It reads the body piece by piece from the JavaScript
// object of the request.
type pulled struct {
	t    transport
	ctx  context.Context
	body js.Value
	rest []byte
	end  error
}

func (p *pulled) Read(b []byte) (int, error) {
	for len(p.rest) == 0 && p.end == nil {
		piece, err := p.t.awaitHost(p.ctx, "pull", p.body)
		switch {
		case err != nil:
			p.end = err
		case piece.IsNull():
			p.end = io.EOF
		default:
			p.rest = make([]byte, piece.Length())
			js.CopyBytesToGo(p.rest, piece)
		}
	}
	if len(p.rest) == 0 {
		return 0, p.end
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

func (p *pulled) Close() error {
	if host, ok := p.ctx.Value(hostKey{}).(js.Value); ok {
		host.Call("drop", p.body)
	}
	p.rest, p.end = nil, io.ErrClosedPipe
	return nil
}
