package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"syscall/js"
	"time"
)

// await has the request's host do something and waits for it: host.METHOD(n,
// args…) begins, settle(n, …) ends it. The host keeps the time, since no timer of
// Go's fires in a shared instance.
func (s *server) await(ctx context.Context, method string, args ...any) (js.Value, error) {
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

// query is a d1.Send. What went wrong is the operator's to read.
func (s *server) query(ctx context.Context, query, params string) (string, error) {
	rows, err := s.await(ctx, "query", query, params)
	if err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err() // the client has gone: nobody's trouble
		}
		js.Global().Get("console").Call("error", "gate: the store: "+err.Error())
		return "", err
	}
	return rows.String(), nil
}

func (s *server) sleep(ctx context.Context, d time.Duration) {
	s.await(ctx, "sleep", max(1, d.Milliseconds()))
}

// transport sends webhooks. Of an answer it gives the status alone.
type transport struct{ *server }

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var headers strings.Builder
	for name := range r.Header {
		headers.WriteString(name + ": " + oneLine.Replace(r.Header.Get(name)) + "\n")
	}
	status, err := t.await(r.Context(), "fetch", r.Method, r.URL.String(), headers.String(), toJS(body))
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status.Int(), Header: http.Header{}, Body: http.NoBody, Request: r}, nil
}
