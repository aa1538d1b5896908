package sse

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// Upstream is the transport to a server that speaks only the old transport. Each session of a
// client has a connection of its own. Make it with NewUpstream; it is the Transport of a
// mcp.Server.
type Upstream struct {
	address *url.URL
	header  http.Header
	next    http.RoundTripper

	mu    sync.Mutex
	conns map[string]*conn
}

const (
	patience  = 30 * time.Second
	idleFor   = 30 * time.Minute // without a message or a stream of a client
	mostConns = 1000
	maxEvent  = 32 << 20
)

// NewUpstream returns the transport to the server whose stream is at an address: https, or http
// on loopback. The server gets the headers with each request.
func NewUpstream(address string, header http.Header, next http.RoundTripper) (*Upstream, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !(u.Scheme == "http" && origin.Loopback(u.Host)) {
		return nil, fmt.Errorf("invalid address %q of a server: want https://host/path, or http on loopback", address)
	}
	return &Upstream{address: u, header: header, next: next, conns: map[string]*conn{}}, nil
}

// conn is the connection of one session.
type conn struct {
	*mcp.Child
	id   string
	end  context.CancelFunc
	rest chan string  // messages that answer no request; further ones are dropped
	size atomic.Int64 // of these, in bytes: at most maxEvent
	idle *time.Timer
}

const sessionHeader = "Mcp-Session-Id"

// RoundTrip answers a request of Streamable HTTP. The message initialize opens a connection.
func (u *Upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	session := r.Header.Get(sessionHeader)
	if session == "" {
		return u.openSession(r)
	}
	u.mu.Lock()
	c := u.conns[session]
	u.mu.Unlock()
	if c == nil {
		return newAnswer(404, "", nil), nil
	}
	c.idle.Reset(idleFor)
	switch r.Method {
	case http.MethodDelete:
		u.endSession(c)
		return newAnswer(204, "", nil), nil
	case http.MethodGet:
		return u.listenToRest(r.Context(), c), nil
	}
	return c.RoundTrip(r)
}

// openSession connects to the server for the message initialize. Another message without a
// session was not sent.
func (u *Upstream) openSession(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodPost {
		return newAnswer(405, "", nil), nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxEvent))
	if err != nil {
		return nil, err
	}
	v, err := jsonval.Parse(string(body))
	if err != nil {
		return newAnswer(400, "", nil), nil
	}
	if v.Get("method").Text() != "initialize" {
		text := `{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"this server needs a session: send initialize first"}}`
		if id := v.Get("id"); id.Exists() {
			text = strings.Replace(text, "null", id.Raw(), 1)
		}
		return newAnswer(404, "application/json", []byte(text)), nil
	}
	c, err := u.openConnection(r.Context())
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	w, err := c.RoundTrip(r)
	if err != nil {
		u.endSession(c)
		return nil, err
	}
	w.Header.Set(sessionHeader, c.id)
	return w, nil
}

// openConnection opens the stream of the server, and waits for the address of its messages. The
// connection ends with the key of the request, or when the session ends.
func (u *Upstream) openConnection(ctx context.Context) (*conn, error) {
	life, end := context.WithCancel(context.WithoutCancel(ctx)) // it outlives the request
	first := time.AfterFunc(patience, end)
	defer first.Stop()
	defer context.AfterFunc(ctx, end)()
	forget := gate.OnRemoval(ctx, end)
	context.AfterFunc(life, func() { forget() })
	w, err := u.sendRequest(life, http.MethodGet, u.address.String(), "")
	if err != nil {
		end()
		return nil, err
	}
	if kind, _, _ := strings.Cut(w.Header.Get("Content-Type"), ";"); w.StatusCode != 200 || strings.TrimSpace(kind) != "text/event-stream" {
		end()
		w.Body.Close()
		return nil, fmt.Errorf("the server gave no stream of events, but the status %d", w.StatusCode)
	}
	stream := bufio.NewReader(w.Body)
	name, data, err := nextEvent(stream)
	if err == nil && name != "endpoint" {
		err = errors.New("the stream does not begin with the address of messages")
	}
	var to *url.URL
	if err == nil {
		to, err = u.address.Parse(strings.TrimSpace(data))
	}
	if err == nil && (to.Scheme != u.address.Scheme || to.Host != u.address.Host || to.User != nil) {
		err = errors.New("the server sends messages to another host, which would get its credentials")
	}
	if err != nil {
		end()
		w.Body.Close()
		return nil, err
	}
	return u.keepConnection(life, end, to.String(), w.Body, stream)
}

// keepConnection makes the connection whose messages go to an address and come from a stream.
func (u *Upstream) keepConnection(life context.Context, end context.CancelFunc, to string, body io.Closer, stream *bufio.Reader) (*conn, error) {
	c := &conn{id: rand.Text() + rand.Text(), end: end, rest: make(chan string, 1000)}
	u.mu.Lock()
	full := len(u.conns) >= mostConns
	if !full {
		u.conns[c.id] = c
	}
	u.mu.Unlock()
	if full {
		end()
		body.Close()
		return nil, errors.New("too many sessions are open")
	}
	lines, in := io.Pipe()
	c.Child = mcp.NewChild(poster{u, life, to, end}, lines, c.keepMessage, func(string) {})
	c.idle = time.AfterFunc(idleFor, func() { u.endSession(c) })
	context.AfterFunc(life, func() { u.endSession(c); body.Close() })
	go func() {
		defer u.endSession(c)
		for {
			name, data, err := nextEvent(stream)
			if err != nil {
				in.CloseWithError(err)
				return
			}
			if name == "message" || name == "" {
				io.WriteString(in, strings.ReplaceAll(data, "\n", " ")+"\n") // JSON has no line feed in a string
			}
		}
	}()
	return c, nil
}

// keepMessage keeps a message that answers no request until the client listens, if there is room.
func (c *conn) keepMessage(message string) {
	if c.size.Add(int64(len(message))) <= maxEvent {
		select {
		case c.rest <- message:
			return
		default:
		}
	}
	c.size.Add(-int64(len(message)))
}

// endSession ends a connection and forgets it.
func (u *Upstream) endSession(c *conn) {
	u.mu.Lock()
	delete(u.conns, c.id)
	u.mu.Unlock()
	c.idle.Stop()
	c.end()
}

// listenToRest returns the stream of messages that answer no request.
func (u *Upstream) listenToRest(ctx context.Context, c *conn) *http.Response {
	read, write := io.Pipe()
	go func() {
		defer write.Close()
		beat := time.NewTicker(idleFor / 3)
		defer beat.Stop()
		if _, err := io.WriteString(write, ": listening\n\n"); err != nil { // clients wait for the first bytes
			return
		}
		for {
			select {
			case m := <-c.rest:
				c.size.Add(-int64(len(m)))
				if _, err := io.WriteString(write, "data: "+strings.ReplaceAll(m, "\n", " ")+"\n\n"); err != nil {
					return
				}
			case <-beat.C:
				c.idle.Reset(idleFor)
			case <-c.Gone():
				return
			case <-ctx.Done():
				return
			}
		}
	}()
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: read}
}

// sendRequest sends one request to the server, with the operator's headers.
func (u *Upstream) sendRequest(ctx context.Context, method, to, body string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if r.Header.Set("User-Agent", "boundcheck-gate"); method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	} else {
		r.Body, r.ContentLength = nil, 0
		r.Header.Set("Accept", "text/event-stream")
	}
	r.Header.Set("Accept-Encoding", "identity")
	for name, v := range u.header {
		r.Header[name] = v
	}
	return u.next.RoundTrip(r)
}

// poster sends each line that is written as one message. If the server does not take one,
// the connection ends, because nobody knows what became of it.
type poster struct {
	up   *Upstream
	life context.Context
	to   string
	end  context.CancelFunc
}

func (p poster) Write(line []byte) (int, error) {
	ctx, cancel := context.WithTimeout(p.life, patience)
	defer cancel()
	w, err := p.up.sendRequest(ctx, http.MethodPost, p.to, string(bytes.TrimSpace(line)))
	if err == nil {
		io.Copy(io.Discard, io.LimitReader(w.Body, 1<<20))
		w.Body.Close()
		if w.StatusCode < 200 || w.StatusCode > 299 {
			err = fmt.Errorf("the server refused a message with the status %d", w.StatusCode)
		}
	}
	if err != nil {
		p.end()
		return 0, err
	}
	return len(line), nil
}

func newAnswer(status int, kind string, body []byte) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(bytes.NewReader(body))}
}

// nextEvent reads the next event with data. One that is cut off is none. O(n).
func nextEvent(r *bufio.Reader) (name, data string, err error) {
	var lines []string
	size := 0
	for {
		text, err := nextLine(r, maxEvent-size)
		if err != nil {
			return "", "", err
		}
		size += len(text)
		text = strings.TrimRight(text, "\r\n")
		field, value, _ := strings.Cut(text, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case text == "" && len(lines) > 0:
			return name, strings.Join(lines, "\n"), nil
		case text == "":
			name, size = "", 0
		case field == "event":
			name = value
		case field == "data":
			lines = append(lines, value)
		}
	}
}

// nextLine reads a line of at most some bytes, with its end.
func nextLine(r *bufio.Reader, most int) (string, error) {
	var text []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(text)+len(part) > most {
			return "", errors.New("an event is too large")
		}
		if text = append(text, part...); !errors.Is(err, bufio.ErrBufferFull) {
			return string(text), err
		}
	}
}
