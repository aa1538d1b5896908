package proxy

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// Upstream is a server with OpenAI's HTTP API.
type Upstream struct {
	URL       string            // root of its API, such as https://host/v1; http is allowed on loopback or without a key
	Key       string            // "" sends none
	Model     string            // for an auxiliary model; the main server uses the client's
	Transport http.RoundTripper // never follows redirects
	Timeout   time.Duration     // time limit of a whole answer; 0 means 10 minutes
	Idle      time.Duration     // time without a byte after which a stream ends; 0 means 5 minutes
	Limit     int               // largest size of an answer in bytes; 0 means 32 MiB
}

// checkSettings sets the defaults and returns an error for invalid settings.
func (u *Upstream) checkSettings() error {
	at, err := url.Parse(strings.TrimRight(u.URL, "/"))
	if err != nil || at.Host == "" || at.User != nil || at.RawQuery != "" || at.Scheme != "https" && at.Scheme != "http" {
		return errors.New("invalid upstream: want https://host/v1, without a key in it")
	}
	if at.Scheme == "http" && u.Key != "" && !origin.Loopback(at.Host) {
		return errors.New("invalid upstream: the key would be sent unencrypted. Use https, or http on loopback")
	}
	if u.URL = at.String(); at.Path == "" {
		u.URL += "/v1"
	}
	if u.Transport == nil {
		return errors.New("missing transport for the upstream")
	}
	if u.Timeout == 0 {
		u.Timeout = 10 * time.Minute
	}
	if u.Idle == 0 {
		u.Idle = 5 * time.Minute
	}
	if u.Limit == 0 {
		u.Limit = 32 << 20
	}
	return nil
}

var (
	errSlow  = errors.New("the model's server did not answer in time")
	errLarge = errors.New("the model's answer is over the limit")
)

// answer is a response of the server whose body is read within limits.
type answer struct {
	*http.Response
	body  io.Reader
	left  int
	idle  *time.Timer
	quiet time.Duration
	ctx   context.Context
	stop  context.CancelCauseFunc
}

// sendRequest sends one request and returns the answer. The caller must close the answer.
// The parameter head has further headers, or is nil. A server that speaks Anthropic's
// or Gemini's API gets the key in the form of that API.
func (u *Upstream) sendRequest(ctx context.Context, method, path string, body string, head http.Header) (*answer, error) {
	ctx, stop := context.WithCancelCause(ctx)
	a := &answer{ctx: ctx, left: u.Limit, quiet: u.Idle, stop: stop}
	a.idle = time.AfterFunc(u.Idle, func() { stop(errSlow) })
	whole := time.AfterFunc(u.Timeout, func() { stop(errSlow) })
	context.AfterFunc(ctx, func() { whole.Stop() })
	r, err := http.NewRequestWithContext(ctx, method, u.URL+path, strings.NewReader(body))
	if err != nil {
		stop(nil)
		return nil, err
	}
	if r.Header.Set("Accept-Encoding", "gzip"); method == "POST" {
		r.Header.Set("Content-Type", "application/json")
	}
	for name, v := range head {
		r.Header[name] = v
	}
	switch {
	case u.Key == "":
		r.Header.Del(googKey)
	case head[googKey] != nil:
		r.Header.Set(googKey, u.Key)
	case head["Anthropic-Version"] != nil && !strings.HasPrefix(u.Key, "sk-ant-oat"):
		r.Header.Set("X-Api-Key", u.Key)
	default:
		r.Header.Set("Authorization", "Bearer "+u.Key)
	}
	if a.Response, err = u.Transport.RoundTrip(r); err != nil {
		defer stop(nil)
		return nil, a.endCause(errors.New("the model's server cannot be reached"))
	}
	a.body = a.Response.Body
	switch e := strings.ToLower(strings.TrimSpace(a.Header.Get("Content-Encoding"))); e {
	case "", "identity":
	case "gzip":
		a.body = &lazyGzip{from: a.Response.Body}
	default:
		a.close()
		return nil, fmt.Errorf("the model's server answered in the encoding %.40q, which the gate did not ask for", e)
	}
	return a, nil
}

func (a *answer) close() {
	a.stop(nil)
	a.idle.Stop()
	a.Response.Body.Close()
}

// endCause returns the time-out or the cancellation that ended the answer. If there was
// neither, it returns err.
func (a *answer) endCause(err error) error {
	if c := context.Cause(a.ctx); c != nil && (errors.Is(c, errSlow) || errors.Is(c, context.Canceled)) {
		return c
	}
	return err
}

// Read reads from the body and starts the idle time-out again. It returns an error if the
// answer is larger than its limit.
func (a *answer) Read(b []byte) (int, error) {
	n, err := a.body.Read(b)
	a.idle.Reset(a.quiet)
	if a.left -= n; a.left < 0 {
		return 0, errLarge
	}
	if err != nil && err != io.EOF {
		err = a.endCause(errors.New("the model's server closed the connection in the middle of its answer"))
	}
	return n, err
}

// readText reads the whole body as a text.
func (a *answer) readText() (string, error) {
	text, err := a.readBody()
	return string(text), err
}

// readBody reads the whole body.
func (a *answer) readBody() ([]byte, error) {
	var b bytes.Buffer
	_, err := b.ReadFrom(a)
	return b.Bytes(), err
}

// lazyGzip starts to unpack at the first read, because the header of the compressed
// stream may come much later than the answer's.
type lazyGzip struct {
	from io.Reader
	z    *gzip.Reader
	err  error
}

func (l *lazyGzip) Read(b []byte) (int, error) {
	if l.z == nil && l.err == nil {
		l.z, l.err = gzip.NewReader(l.from)
	}
	if l.err != nil {
		return 0, l.err
	}
	return l.z.Read(b)
}

// readUnpacked returns the body of a request, which may be compressed. The parameter
// limit is the largest size in bytes.
func readUnpacked(r *http.Request, limit int) ([]byte, *problem) {
	tooLarge := &problem{status: 413, kind: badRequest, code: "too_large", message: fmt.Sprintf("the body is over the limit of %d bytes", limit)}
	if r.ContentLength > int64(limit) {
		return nil, tooLarge
	}
	from := io.Reader(r.Body)
	switch e := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))); e {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, badRequestProblem("the body is not gzip, although its header says so")
		}
		from = z
	default:
		return nil, &problem{status: 415, kind: badRequest, message: fmt.Sprintf("cannot read a body in the encoding %.40q; send it uncompressed or as gzip", e)}
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(from, int64(limit)+1)); err != nil {
		return nil, badRequestProblem("cannot read the body")
	}
	if b.Len() > limit {
		return nil, tooLarge
	}
	return b.Bytes(), nil
}
