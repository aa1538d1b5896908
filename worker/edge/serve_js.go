//go:build !batches

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall/js"

	"github.com/boundcheck/boundcheck/core/wire"
)

// server runs an http.Handler in an instance that many requests share. The platform ties
// everything that is waited for (a statement, a timer, a write) to the request that began
// it. So a goroutine waits only in awaitHost, and only for something that its own request
// began. When it continues, the platform therefore works for the goroutine's own request.
// Goroutines switch only where they wait, on one thread, so the maps need no lock.
type server struct {
	handler http.Handler
	waits   map[int]chan settled
	calls   map[int]context.CancelFunc
	last    int
}

// settled is the result of something that a goroutine has waited for.
type settled struct {
	value js.Value
	err   string
}

type hostKey struct{}

// beginRequest returns the context of request number n. The parameter host is the
// JavaScript object for this request.
func (s *server) beginRequest(n int, host js.Value) context.Context {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), hostKey{}, host))
	s.calls[n] = cancel
	return ctx
}

func (s *server) endRequest(n int) {
	if cancel := s.calls[n]; cancel != nil {
		cancel()
		delete(s.calls, n)
	}
}

// cancelRequest ends the context of a request, because the client has gone. The argument
// is the number of the request.
func (s *server) cancelRequest(args []js.Value) any {
	s.endRequest(args[0].Int())
	return nil
}

// settleWait gives a result to the call of awaitHost that waits under number n.
// JavaScript calls it as settle(n, error, value). The argument error is "" if there was
// no error.
func (s *server) settleWait(args []js.Value) any {
	n := args[0].Int()
	if to, ok := s.waits[n]; ok {
		delete(s.waits, n)
		to <- settled{args[2], args[1].String()}
	}
	return nil
}

// handleRequest starts a request. JavaScript calls it as handle(number, host, method,
// url, headers, body, length). The argument headers has one header on each line, and body
// is a Uint8Array. The argument length is the announced length, or negative if it is
// unknown.
func (s *server) handleRequest(args []js.Value) any {
	n, host := args[0].Int(), args[1]
	w := &writer{server: s, host: host, header: http.Header{}}
	w.ctx = s.beginRequest(n, host)
	r, err := newRequest(w.ctx, args[2].String(), args[3].String(), args[4].String(), args[5], args[6])
	go func() {
		defer s.endRequest(n)
		if err != nil {
			writeJSON(w, 400, wire.Fail(wire.CodeInput, "cannot read the address: "+err.Error()))
		} else {
			w.serveHandler(s.handler, r)
		}
		w.finish()
	}()
	return nil
}

func newRequest(ctx context.Context, method, address, headers string, body, length js.Value) (*http.Request, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	r := &http.Request{Method: method, URL: u, Host: u.Host, RequestURI: u.RequestURI(), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody, ContentLength: int64(length.Float())}
	for line := range strings.Lines(headers) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		r.Header.Add(name, value)
	}
	if size := body.Length(); size > 0 {
		b := make([]byte, size)
		js.CopyBytesToGo(b, body)
		r.Body = io.NopCloser(bytes.NewReader(b))
		if r.ContentLength < 0 {
			r.ContentLength = int64(size)
		}
	} else if r.ContentLength < 0 {
		r.ContentLength = 0
	}
	return r.WithContext(ctx), nil
}

// writer is a response. It holds the whole body back until the handler returns or
// flushes. After a flush, each write is sent immediately.
type writer struct {
	server *server
	ctx    context.Context
	host   js.Value
	header http.Header
	status int
	held   bytes.Buffer
	open   bool
	err    error
}

func (w *writer) serveHandler(h http.Handler, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			js.Global().Get("console").Call("error", fmt.Sprint("gate: panic: ", p))
			if !w.open {
				w.header, w.status = http.Header{}, 0
				w.held.Reset()
				writeJSON(w, 500, wire.Fail(wire.CodeInternal, "internal error; please report it with the request"))
			}
		}
	}()
	h.ServeHTTP(w, r)
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status == 0 && status >= 200 {
		w.status = status
	}
}

func (w *writer) Write(b []byte) (int, error) {
	w.WriteHeader(200)
	if w.err != nil {
		return 0, w.err
	}
	w.held.Write(b)
	if w.open {
		return len(b), w.FlushError()
	}
	return len(b), nil
}

// Flush sends the bytes that the writer has not sent yet.
func (w *writer) Flush() { w.FlushError() }

// FlushError does the same as Flush. It returns an error if the client has gone.
func (w *writer) FlushError() error {
	w.WriteHeader(200)
	if !w.open {
		w.open = true
		w.host.Call("head", w.status, w.headerText())
	}
	if w.err == nil && w.held.Len() > 0 {
		_, w.err = w.server.awaitHost(w.ctx, "write", toJS(w.held.Bytes()))
		w.held.Reset()
	}
	return w.err
}

func (w *writer) finish() {
	w.WriteHeader(200)
	if w.open {
		w.FlushError()
		w.host.Call("end")
		return
	}
	w.host.Call("respond", w.status, w.headerText(), toJS(w.held.Bytes()))
}

var oneLine = strings.NewReplacer("\r", " ", "\n", " ")

func (w *writer) headerText() string {
	var b strings.Builder
	for name, values := range w.header {
		for _, v := range values {
			b.WriteString(name + ": " + oneLine.Replace(v) + "\n")
		}
	}
	return b.String()
}
