package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Child is the transport to a server over its standard input and output. Make it with
// NewChild. Each message is one line; a line that was cut off is none.
type Child struct {
	rest func(message string) // messages that answer no request
	note func(text string)

	lines chan string
	gone  chan struct{} // closed when the server's output has ended

	mu      sync.Mutex
	flights map[string]*flight // by the request's id
}

// NewChild returns the transport, and reads the server's output until it ends. The
// function rest gets the messages that belong to no request, such as notifications and
// the server's own requests. The function note gets remarks for the operator.
func NewChild(in io.Writer, out io.Reader, rest, note func(string)) *Child {
	c := &Child{rest: rest, note: note, lines: make(chan string), gone: make(chan struct{}), flights: map[string]*flight{}}
	go c.writeLines(in)
	go c.readLines(out)
	return c
}

// Gone returns a channel that is closed when the server's output has ended.
func (c *Child) Gone() <-chan struct{} { return c.gone }

func (c *Child) writeLines(in io.Writer) {
	for {
		select {
		case line := <-c.lines:
			io.WriteString(in, line+"\n") // an error means that the server has ended, which readLines sees
		case <-c.gone:
			return
		}
	}
}

func (c *Child) readLines(out io.Reader) {
	r := bufio.NewReaderSize(out, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLarge):
			c.endAll(err) // nobody knows whose answer it was
		case err != nil:
			close(c.gone)
			c.endAll(io.ErrUnexpectedEOF)
			return
		case line != "":
			c.receiveLine(line)
		}
	}
}

func (c *Child) endAll(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range c.flights {
		f.putMessage("", err)
	}
}

// receiveLine handles a line of the server: a message, or a batch of the revision
// 2025-03-26.
func (c *Child) receiveLine(line string) {
	v, err := jsonval.Parse(line)
	switch {
	case err == nil && v.Kind() == jsonval.Array:
		for _, m := range v.Elements() {
			c.receiveMessage(m.Raw(), m)
		}
	case err == nil && v.Kind() == jsonval.Object:
		c.receiveMessage(line, v)
	default:
		c.note(fmt.Sprintf("the server printed a line that is no message: %.200q", line))
		c.endUnread(line)
	}
}

// errUnread is the error of a request whose answer was dropped.
var errUnread = errors.New("the server's answer is not one message of the protocol, so it cannot be passed on")

// endUnread ends the requests whose answers are in a dropped line, because nothing else will
// answer them. It takes the whole objects at the beginning of the line, and each of their ids.
func (c *Child) endUnread(line string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for d := json.NewDecoder(strings.NewReader(line)); ; {
		var raw json.RawMessage
		if d.Decode(&raw) != nil {
			return
		}
		v, err := jsonval.Parse(string(raw))
		if err != nil || v.Kind() != jsonval.Object || v.Get("method").Exists() {
			continue // the server's own requests have ids of their own
		}
		v.Each(func(key string, id jsonval.Value) bool {
			if f := c.flights[id.Raw()]; f != nil && strings.EqualFold(key, "id") {
				f.putMessage("", errUnread)
			}
			return true
		})
	}
}

func (c *Child) receiveMessage(text string, v jsonval.Value) {
	if checkOwnDuplicates(v, "the message", "jsonrpc", "id", "method", "params", "result", "error") != nil {
		c.note("the server sent a message with a member twice or in other letters, which was dropped")
		c.endUnread(text)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !v.Get("method").Exists() {
		if f := c.flights[v.Get("id").Raw()]; f != nil {
			f.putMessage(text, io.EOF)
			return
		}
		c.note(fmt.Sprintf("the server answered a request that nobody waits for, with id %.40s", v.Get("id").Raw()))
		return
	}
	if !v.Get("id").Exists() {
		for _, f := range c.flights {
			if f.ownsMessage(v) {
				f.putMessage(text, nil)
				return
			}
		}
	}
	if !isTaskNews(text) {
		c.rest(text)
	}
}

// flight is one request at the server.
type flight struct {
	id, token jsonval.Value
	mu        sync.Mutex
	messages  []string
	size      int           // of the messages together, in bytes
	err       error         // set after the last message: io.EOF if that is the answer
	news      chan struct{} // has one element if there is something new
	over      chan struct{}
}

// ownsMessage reports whether a notification belongs to the request: progress of its token, or a
// message of its subscription.
func (f *flight) ownsMessage(v jsonval.Value) bool {
	if v.Get("method").Text() == "notifications/progress" {
		return f.token.Exists() && jsonval.Equal(v.At("params", "progressToken"), f.token)
	}
	return jsonval.Equal(v.At("params", "_meta", "io.modelcontextprotocol/subscriptionId"), f.id)
}

// mostWaiting is the number of messages of one request that wait for the client; together they
// have at most maxMessage bytes. Further notifications are dropped, and never the answer.
const mostWaiting = 10_000

// putMessage adds a message ("" for none). The error is not nil after the last one.
func (f *flight) putMessage(message string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil || err == nil && (len(f.messages) >= mostWaiting || f.size+len(message) > maxMessage) {
		return
	}
	if message != "" {
		f.size += len(message)
		f.messages = append(f.messages, message)
	}
	f.err = err
	select {
	case f.news <- struct{}{}:
	default:
	}
}

// nextMessage returns the next message, and io.EOF with the last one.
func (f *flight) nextMessage(ctx context.Context) (string, error) {
	for {
		f.mu.Lock()
		if n := len(f.messages); n > 0 {
			m := f.messages[0]
			f.messages, f.size = f.messages[1:], f.size-len(m)
			err := f.err
			f.mu.Unlock()
			if n > 1 {
				err = nil
			}
			return m, err
		}
		err := f.err
		f.mu.Unlock()
		if err != nil {
			return "", err
		}
		select {
		case <-f.news:
		case <-ctx.Done():
			return "", ctx.Err()
		}
	}
}

// RoundTrip sends one message to the server. The answer to a request comes as JSON, or as
// a stream if other messages of the request come before it. If ctx ends before the
// answer, the server is told that the request is cancelled.
func (c *Child) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if r.Method != "POST" {
		return newResponse(405, "", http.NoBody), nil
	}
	text, err := readWhole(r.Body)
	if err != nil {
		return nil, errors.Join(errUnsent, err)
	}
	v, err := jsonval.Parse(text)
	if err != nil {
		return nil, errors.Join(errUnsent, err)
	}
	id := v.Get("id")
	if !id.Exists() || !v.Get("method").Exists() {
		if err := c.sendLine(ctx, text); err != nil {
			return nil, err
		}
		return newResponse(202, "", http.NoBody), nil
	}
	f, err := c.takeOff(ctx, id, v.At("params", "_meta", "progressToken"))
	if err != nil {
		return nil, err
	}
	if err := c.sendLine(ctx, text); err != nil {
		c.landFlight(f)
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.abandonFlight(f, v.Get("method").Text() != "initialize") })
	first, err := f.nextMessage(ctx)
	if err != nil {
		c.landFlight(f)
		if stop(); err == io.EOF {
			return newResponse(200, "application/json", io.NopCloser(strings.NewReader(first))), nil
		}
		return nil, err
	}
	read, write := io.Pipe()
	go func() {
		defer c.landFlight(f)
		defer stop()
		for message, err := first, error(nil); ; {
			if message != "" {
				if _, broken := write.Write(asEvent([]byte(message))); broken != nil {
					c.abandonFlight(f, true)
					return
				}
			}
			if err != nil {
				write.CloseWithError(err)
				return
			}
			message, err = f.nextMessage(ctx)
		}
	}()
	return newResponse(200, "text/event-stream", read), nil
}

func newResponse(status int, kind string, body io.ReadCloser) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {kind}}, Body: body}
}

// takeOff registers a request. While another request has the same id, it waits.
func (c *Child) takeOff(ctx context.Context, id, token jsonval.Value) (*flight, error) {
	f := &flight{id: id, token: token, news: make(chan struct{}, 1), over: make(chan struct{})}
	for {
		c.mu.Lock()
		before := c.flights[id.Raw()]
		if before == nil {
			c.flights[id.Raw()] = f
		}
		c.mu.Unlock()
		if before == nil {
			return f, nil
		}
		select {
		case <-before.over:
		case <-ctx.Done():
			return nil, errors.Join(errUnsent, ctx.Err())
		}
	}
}

// landFlight removes a request.
func (c *Child) landFlight(f *flight) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.flights[f.id.Raw()] == f {
		delete(c.flights, f.id.Raw())
		close(f.over)
	}
}

// abandonFlight removes a request, and tells the server that nobody waits for its answer.
func (c *Child) abandonFlight(f *flight, tell bool) {
	c.landFlight(f)
	if tell {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		c.sendLine(ctx, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":`+f.id.Raw()+`}}`)
	}
}

// sendLine hands one line to the server.
func (c *Child) sendLine(ctx context.Context, text string) error {
	select { // select has no order
	case <-c.gone:
		return errUnsent
	case <-ctx.Done():
		return errors.Join(errUnsent, ctx.Err())
	default:
	}
	select {
	case c.lines <- oneLine(text):
		return nil
	case <-c.gone:
		return errUnsent
	case <-ctx.Done():
		return errors.Join(errUnsent, ctx.Err())
	}
}
