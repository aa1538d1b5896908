// Package sse speaks the transport of the Model Context Protocol's revision 2024-11-05, HTTP
// with server-sent events: a client opens a stream, whose first event says where to post
// messages, and the answers come on the stream. Front lets such clients use the gate, and
// Upstream lets the gate use such servers. Both translate to Streamable HTTP, so that every
// message goes through the same handler. This is for the native gate: its sessions are in
// memory.
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
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/mcp"
)

// The ends of the paths of the old transport, below that of a server.
const (
	streamEnd   = "/sse"
	messagesEnd = "/messages"
)

// Front serves clients of the old transport at /mcp/NAME/sse, and passes everything else to
// the handler of Streamable HTTP. Make it with NewFront.
type Front struct {
	next *mcp.Handler
	beat time.Duration

	mu       sync.Mutex
	sessions map[string]*session
}

// NewFront returns the front of a handler.
func NewFront(next *mcp.Handler) *Front {
	return &Front{next: next, beat: next.Beat, sessions: map[string]*session{}}
}

// session is one client's stream.
type session struct {
	id, server string // server is the path of Streamable HTTP
	who        machine.Principal
	life       context.Context
	out        chan string // messages for the client
	flying     chan struct{}

	mu    sync.Mutex
	inner string // the session's id in Streamable HTTP; "" before the answer to initialize
}

// The limits of clients.
const (
	mostSessions = 1000
	mostOfKey    = 100 // sessions of one key
	mostFlying   = 64  // requests of a session at one time
)

// ServeHTTP answers a request below /mcp/.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if server, is := strings.CutSuffix(r.URL.Path, streamEnd); is && f.next.HasServer(server) {
		f.serveStream(w, r, server)
		return
	}
	if server, is := strings.CutSuffix(r.URL.Path, messagesEnd); is && f.next.HasServer(server) {
		f.serveMessage(w, r, server)
		return
	}
	f.next.ServeHTTP(w, r)
}

// refuseRequest answers with a JSON-RPC error, as the handler does.
func refuseRequest(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":%q}}`, text)
}

// admitClient returns the agent of a request, whose context ends with its key. If the agent is
// the zero value, the request has been answered.
func (f *Front) admitClient(w http.ResponseWriter, r *http.Request, method string) (*http.Request, machine.Principal) {
	none := machine.Principal{}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method != method {
		w.Header().Set("Allow", method)
		refuseRequest(w, 405, "this endpoint accepts only "+method)
		return r, none
	}
	if !f.next.Gate.SameOrigin(r) {
		refuseRequest(w, 403, "this origin may not use the gate")
		return r, none
	}
	r, who, refusal := f.next.Admit(r)
	if refusal != nil {
		refusal.SetHeaders(w.Header())
		refuseRequest(w, refusal.Status, refusal.Message)
		return r, none
	}
	return r, who
}

// serveStream opens a session, and writes its messages until the client leaves or its key is
// removed.
func (f *Front) serveStream(w http.ResponseWriter, r *http.Request, server string) {
	r, who := f.admitClient(w, r, http.MethodGet)
	if who.Name == "" {
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s := &session{id: rand.Text() + rand.Text(), server: server, who: who, life: ctx, out: make(chan string), flying: make(chan struct{}, mostFlying)}
	if !f.addSession(s) {
		refuseRequest(w, 429, "too many sessions are open")
		return
	}
	defer f.endSession(s, r)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(w)
	write := func(text string) bool {
		control.SetWriteDeadline(time.Now().Add(time.Minute))
		_, err := io.WriteString(w, text)
		return err == nil && control.Flush() == nil
	}
	if !write("event: endpoint\ndata: " + server + messagesEnd + "?sessionId=" + s.id + "\n\n") {
		return
	}
	beat := time.NewTicker(f.beat)
	defer beat.Stop()
	for {
		select {
		case m := <-s.out:
			if !write("event: message\ndata: " + oneLine(m) + "\n\n") {
				return
			}
		case <-beat.C:
			if !write(": keep-alive\n\n") {
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// oneLine returns a JSON text on one line. A line feed in JSON is never within a string.
func oneLine(text string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(strings.TrimSpace(text))
}

func (f *Front) addSession(s *session) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	own := 0
	for _, other := range f.sessions {
		if other.who == s.who {
			own++
		}
	}
	if own >= mostOfKey || len(f.sessions) >= mostSessions {
		return false
	}
	f.sessions[s.id] = s
	return true
}

// endSession forgets a session, and ends that of the server.
func (f *Front) endSession(s *session, r *http.Request) {
	f.mu.Lock()
	delete(f.sessions, s.id)
	f.mu.Unlock()
	if inner := s.innerID(); inner != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), patience)
		defer cancel()
		f.next.EndSession(ctx, s.server, inner)
	}
}

func (s *session) innerID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.inner
}

// newRequest returns a request of Streamable HTTP in the place of a client's.
func (s *session) newRequest(ctx context.Context, from *http.Request, method string, body []byte) *http.Request {
	r := from.Clone(ctx)
	r.Method, r.URL.Path, r.URL.RawQuery, r.RequestURI = method, s.server, "", ""
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	for _, name := range []string{sessionHeader, "Last-Event-Id", "Content-Length", "Transfer-Encoding", "Accept"} {
		r.Header.Del(name)
	}
	r.Header.Set("Accept", "application/json, text/event-stream")
	if inner := s.innerID(); inner != "" {
		r.Header.Set(sessionHeader, inner)
	}
	return r
}

// serveMessage takes one message of a session. Its answer comes on the stream. A notification
// is passed on before this returns, so that it is before the client's next message.
func (f *Front) serveMessage(w http.ResponseWriter, r *http.Request, server string) {
	r, who := f.admitClient(w, r, http.MethodPost)
	if who.Name == "" {
		return
	}
	f.mu.Lock()
	s := f.sessions[r.URL.Query().Get("sessionId")]
	f.mu.Unlock()
	if s == nil || s.who != who || s.server != server {
		refuseRequest(w, 404, "no such session; open the stream again")
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(f.next.Gate.Limit)+1))
	if err != nil || len(body) > f.next.Gate.Limit {
		refuseRequest(w, 413, fmt.Sprintf("the body cannot be read, or is over the limit of %d bytes", f.next.Gate.Limit))
		return
	}
	select {
	case s.flying <- struct{}{}:
	default:
		refuseRequest(w, 429, "too many requests of this session are not answered yet")
		return
	}
	ctx, cancel := context.WithCancel(s.life) // the answer comes after this request
	stop := context.AfterFunc(r.Context(), func() {
		if refusal := gate.KeyRemoved(r.Context()); refusal != nil {
			cancel()
		}
	})
	inner := s.newRequest(ctx, r, http.MethodPost, body)
	handle := func() {
		defer func() { <-s.flying }()
		defer cancel()
		defer stop()
		f.relayAnswers(s, inner)
	}
	v, err := jsonval.Parse(string(body))
	if asks := err != nil || v.Get("id").Exists() && v.Get("method").Exists(); asks {
		go handle()
	} else {
		handle()
	}
	w.WriteHeader(http.StatusAccepted)
	io.WriteString(w, "Accepted")
}

// relayAnswers sends a request to the handler, and its answers to the client. It reports whether the
// newAnswer was a stream.
func (f *Front) relayAnswers(s *session, r *http.Request) bool {
	c := &capture{head: http.Header{}}
	read, write := io.Pipe()
	c.body = write
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.passMessages(s, c, r, read)
		io.Copy(io.Discard, read)
	}()
	f.next.ServeHTTP(c, r)
	write.Close()
	<-done
	return strings.HasPrefix(c.head.Get("Content-Type"), "text/event-stream")
}

// learnSession keeps the session's id in Streamable HTTP, and begins to pass on what the server says
// by itself.
func (f *Front) learnSession(s *session, c *capture, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inner != "" || c.head.Get(sessionHeader) == "" {
		return
	}
	s.inner = c.head.Get(sessionHeader)
	go func() {
		for s.life.Err() == nil && f.relayAnswers(s, s.newRequest(s.life, r, http.MethodGet, nil)) {
		}
	}()
}

// passMessages sends the messages of an answer to the client.
func (f *Front) passMessages(s *session, c *capture, r *http.Request, body io.Reader) {
	in := bufio.NewReader(body)
	if _, err := in.Peek(1); err != nil {
		return // nothing, as after a notification
	}
	f.learnSession(s, c, r) // before the client can send the next message
	if !strings.HasPrefix(c.head.Get("Content-Type"), "text/event-stream") {
		if text, err := io.ReadAll(in); err == nil && r.Method == http.MethodPost {
			s.deliverMessage(string(text))
		}
		return
	}
	for {
		_, data, err := nextEvent(in)
		if err != nil {
			return
		}
		s.deliverMessage(data)
	}
}

// deliverMessage hands a message to the stream, or drops it if the client has left.
func (s *session) deliverMessage(message string) {
	select {
	case s.out <- message:
	case <-s.life.Done():
	}
}

// capture is the answer of the handler to one request.
type capture struct {
	head http.Header
	body *io.PipeWriter // nil drops it
}

var errLeft = errors.New("the client has left")

func (c *capture) Header() http.Header { return c.head }
func (c *capture) WriteHeader(int)     {}
func (c *capture) Write(b []byte) (int, error) {
	if c.body == nil {
		return len(b), nil
	}
	if _, err := c.body.Write(b); err != nil {
		return 0, errLeft
	}
	return len(b), nil
}
func (c *capture) Flush()                           {}
func (c *capture) SetWriteDeadline(time.Time) error { return nil }
