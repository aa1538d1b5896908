// Package worker is Boundcheck's HTTP API as an http.Handler: scoring, the
// gate's stateless check and the health route. It runs natively in "boundcheck
// serve" and, through worker/edge, on Cloudflare Workers.
//
// What is answered is decided in package api; this package only carries it.
// Nothing here may link http.Client, httputil or text/template: they would add
// a megabyte to the edge's binary.
package worker

import (
	"bytes"
	"io"
	"net/http"
	"strconv"

	"github.com/boundcheck/boundcheck/worker/api"
)

// Options change how requests are answered; the zero value is right.
type Options = api.Options

// Handler answers POST /v1/score, POST /v1/check and GET /healthz. It answers any other
// request with an error envelope.
func Handler(opts Options) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeAnswer(w, opts.Answer(api.Request{
			Method:   r.Method,
			Path:     r.URL.Path,
			Encoding: r.Header.Get("Content-Encoding"),
			Length:   r.ContentLength,
			Read:     bodyReader(r),
			Context:  r.Context(),
		}))
	})
}

// bodyReader returns a function that reads the body into one buffer of the announced
// size. If the request's Body is nil, bodyReader returns nil.
func bodyReader(r *http.Request) func(max int) ([]byte, error) {
	if r.Body == nil {
		return nil
	}
	return func(max int) ([]byte, error) {
		var b bytes.Buffer
		if 0 < r.ContentLength && r.ContentLength < int64(max) {
			b.Grow(int(r.ContentLength) + bytes.MinRead) // MinRead more, or the end is only found by growing
		}
		_, err := b.ReadFrom(io.LimitReader(r.Body, int64(max)))
		return b.Bytes(), err
	}
}

// writeAnswer writes an answer. It also writes the body for HEAD requests, because
// net/http drops this body and the edge's handler needs it.
func writeAnswer(w http.ResponseWriter, a api.Answer) {
	h := w.Header()
	for _, kv := range a.Header {
		h.Set(kv.Name, kv.Value)
	}
	h.Set("Content-Length", strconv.Itoa(len(a.Body)))
	w.WriteHeader(a.Status)
	w.Write(a.Body) // an error here means HEAD, or that the client has gone
}
