package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// carried holds the client's headers that are sent to the server. The mirrored
// arguments (Mcp-Param-…) are sent as well.
var carried = []string{"Accept", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name", sessionHeader, "Last-Event-Id", "Traceparent", "Tracestate"}

// newRequest returns the request to the server, with the operator's headers. It does not
// ask for compression, because the proxy reads the answer.
func (h *Handler) newRequest(ctx context.Context, q *query, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, q.Method, q.server.URL, bytes.NewReader(body))
	if err != nil {
		panic(err) // method and URL were checked
	}
	if q.Method != "POST" {
		r.Body, r.ContentLength = nil, 0
	} else {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, name := range carried {
		if v := q.Header.Values(name); len(v) > 0 {
			r.Header[name] = append([]string(nil), v...)
		}
	}
	for name, v := range q.Header {
		if strings.HasPrefix(name, "Mcp-Param-") {
			r.Header[name] = append([]string(nil), v...)
		}
	}
	r.Header.Set("Accept-Encoding", "identity")
	r.Header.Set("User-Agent", "boundcheck-gate")
	if q.receipt != "" {
		r.Header.Set(receipt.Header, q.receipt)
	}
	for name, v := range q.server.Header {
		r.Header[name] = v
	}
	return r
}

// errUnsent is the error of a transport that has sent nothing.
var errUnsent = errors.New("nothing was sent")

// roundTrip sends a request to the server.
func (s *Server) roundTrip(h *Handler, r *http.Request) (*http.Response, error) {
	if s.Transport != nil {
		return s.Transport.RoundTrip(r)
	}
	return h.Transport.RoundTrip(r)
}

// ending is the result of a call to the server.
type ending struct {
	state  machine.State // executed, failed or ambiguous; "" if the server asks for more input
	detail string
	result string // of an executed call, as JSON
}

// lostEnding returns the ending of a call whose request got no answer. If the request
// never left the gate, the call has failed. Otherwise the result of the call is unknown.
func lostEnding(err error) ending {
	var dial *net.OpError
	if errors.Is(err, errUnsent) && errors.Is(err, context.Canceled) {
		return ending{state: machine.Failed, detail: "the client has cancelled the request; nothing was sent"}
	}
	if errors.Is(err, errUnsent) || errors.As(err, &dial) && dial.Op == "dial" {
		return ending{state: machine.Failed, detail: "the server cannot be reached; nothing was sent"}
	}
	return ending{state: machine.Ambiguous, detail: "no answer came: " + causeText(err)}
}

func causeText(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "the time limit has passed"
	case errors.Is(err, context.Canceled):
		return "the client has cancelled the request"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "the answer ended too early"
	case errors.Is(err, errLarge), errors.Is(err, errUnread):
		return err.Error()
	}
	return "the connection or the answer is broken"
}

// refusedCode reports whether an error code means that the server has run nothing.
func refusedCode(code int64) bool {
	switch code {
	case codeParse, codeRequest, codeMethod, codeParams, codeHeader, codeCapability, codeUnsupported:
		return true
	}
	return false
}

// responseEnding returns how a call ended, according to the server's answer.
func responseEnding(got response) ending {
	if got.failed.Exists() {
		code, _ := got.failed.Get("code").Int()
		if refusedCode(code) {
			return ending{state: machine.Failed, detail: fmt.Sprintf("the server refused the call with code %d", code)}
		}
		return ending{state: machine.Ambiguous, detail: fmt.Sprintf("the server answered with error code %d", code)}
	}
	kind, _ := got.result.Get("resultType").Str()
	wrong, _ := got.result.Get("isError").Bool()
	switch {
	case kind == "input_required":
		return ending{}
	case kind != "" && kind != "complete":
		return ending{state: machine.Ambiguous, detail: fmt.Sprintf("the server answered with a result of type %.40q", kind)}
	case wrong:
		return ending{state: machine.Ambiguous, detail: "the tool reported an error"}
	}
	return ending{state: machine.Executed, result: got.result.Raw()}
}

// reply is a complete answer of a server.
type reply struct {
	response
	status int
	head   http.Header
}

// exchangeMessage sends a request that the server answers quickly, and returns the
// response. The answer may be JSON or a stream.
func (h *Handler) exchangeMessage(ctx context.Context, q *query, r *http.Request, id jsonval.Value) (reply, *fault) {
	w, err := q.server.roundTrip(h, r)
	if err != nil {
		return reply{}, troubleFault("the MCP server %s does not answer: %s", q.server.Name, causeText(err))
	}
	defer w.Body.Close()
	text, err := oneMessage(w, id)
	out := reply{status: w.StatusCode, head: w.Header}
	if err == nil {
		out.response, err = readResponse(text, id)
	}
	if err == nil {
		return out, nil
	}
	if f := h.statusFault(q, w.StatusCode); f != nil {
		return out, f
	}
	return out, troubleFault("the MCP server %s returned no readable answer: %s", q.server.Name, causeText(err))
}

// statusFault returns the error for an answer with this HTTP status and without a
// JSON-RPC message. It returns nil if an answer with this status should have a message.
func (h *Handler) statusFault(q *query, status int) *fault {
	switch {
	case status == 401 || status == 403:
		return troubleFault("the MCP server %s refuses the gate's credentials (status %d)", q.server.Name, status)
	case status == 404 && !q.modern:
		return unknownSession()
	case status < 200 || status >= 300:
		return troubleFault("the MCP server %s answered with the status %d", q.server.Name, status)
	}
	return nil
}

func isStream(w *http.Response) bool {
	kind, _, _ := strings.Cut(w.Header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
}

// oneMessage returns the text of the answer. If the answer is a stream, oneMessage skips
// notifications and returns the response to the request with the given id.
func oneMessage(w *http.Response, id jsonval.Value) (string, error) {
	if !isStream(w) {
		return readWhole(w.Body)
	}
	stream := readEvents(w.Body)
	for {
		_, data, err := stream.next()
		if err != nil {
			return "", err
		}
		if data == "" {
			continue
		}
		if _, err := readResponse(data, id); err == nil || !errors.Is(err, errOther) {
			return data, err
		}
	}
}

func readWhole(r io.Reader) (string, error) {
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(r, maxMessage+1)); err != nil {
		return "", err
	}
	if b.Len() > maxMessage {
		return "", errLarge
	}
	if b.Len() == 0 {
		return "", io.ErrUnexpectedEOF
	}
	return b.String(), nil
}

// streamFor is the time after which a stream of notifications ends; clients connect
// again.
const streamFor = 30 * time.Minute

// passMessage passes a message to the server and the answer to the client, byte for byte.
func (h *Handler) passMessage(q *query) {
	ctx, cancel := context.WithTimeout(q.Context(), streamFor)
	defer cancel()
	first := time.AfterFunc(patience, cancel)
	q.out.extendDeadline(patience + time.Minute)
	w, err := q.server.roundTrip(h, h.newRequest(ctx, q, []byte(q.text)))
	stopped := first.Stop()
	if err != nil {
		if !stopped && q.Context().Err() == nil {
			err = context.DeadlineExceeded
		}
		q.out.writeFault(q.id, troubleFault("the MCP server %s does not answer: %s", q.server.Name, causeText(err)))
		return
	}
	defer w.Body.Close()
	if w.StatusCode == 401 || w.StatusCode == 403 || w.StatusCode >= 500 || w.StatusCode >= 300 && w.StatusCode < 400 {
		q.out.writeFault(q.id, h.statusFault(q, w.StatusCode))
		return
	}
	if !isStream(w) {
		h.passWhole(q, w)
		return
	}
	q.out.copyHeaders(w.Header)
	q.out.beginStream()
	stream := readEvents(w.Body)
	for {
		raw, data, err := stream.next()
		if err != nil || !isTaskNews(data) && q.out.writeEvent(raw) != nil {
			return
		}
	}
}

func (h *Handler) passWhole(q *query, w *http.Response) {
	text, err := readWhole(w.Body)
	if err != nil && q.id.Exists() {
		q.out.writeFault(q.id, troubleFault("the MCP server %s returned no readable answer: %s", q.server.Name, causeText(err)))
		return
	}
	q.out.copyHeaders(w.Header)
	if text == "" {
		q.out.w.WriteHeader(w.StatusCode)
		return
	}
	q.out.writeFinal(w.StatusCode, []byte(text))
}

// carryCall sends a tool call to the server and the answer to the client. It first calls
// the function see with the ending of the call. If see returns a text or a fault, the
// client gets this in place of the server's answer.
func (h *Handler) carryCall(q *query, body []byte, see func(ending, response) (string, *fault)) {
	ctx, cancel := context.WithTimeout(q.Context(), h.Limit)
	defer cancel()
	w, err := h.sendKeepingAlive(ctx, q, body)
	if err != nil {
		h.endWithout(q, lostEnding(err), see)
		return
	}
	defer w.Body.Close()
	if isStream(w) && w.StatusCode == 200 {
		h.carryStream(q, w, see)
		return
	}
	text, err := readWhole(w.Body)
	var got response
	if err == nil {
		got, err = readResponse(text, q.id)
	}
	if err != nil || got.result.Exists() && w.StatusCode != 200 {
		h.endWithout(q, endOf(w.StatusCode, err), see)
		return
	}
	status := w.StatusCode
	if h.statusFault(q, status) != nil && status != 400 && status != 404 {
		status = 200 // a status between the gate and the server does not concern the client
	}
	h.endCall(q, got, status, see)
}

// endOf returns the ending of a call whose answer has an HTTP status but no readable
// message.
func endOf(status int, err error) ending {
	switch {
	case status >= 300 && status < 500 && status != 408:
		return ending{state: machine.Failed, detail: fmt.Sprintf("the server refused the call with the status %d", status)}
	case status != 200:
		return ending{state: machine.Ambiguous, detail: fmt.Sprintf("the server answered with the status %d", status)}
	}
	return ending{state: machine.Ambiguous, detail: "the answer cannot be read: " + causeText(err)}
}

// sendKeepingAlive sends the request to the server and returns the answer. While it
// waits, it regularly sends comments to the client, so that the client keeps the
// connection.
func (h *Handler) sendKeepingAlive(ctx context.Context, q *query, body []byte) (*http.Response, error) {
	type result struct {
		w   *http.Response
		err error
	}
	done := make(chan result, 1)
	go func() {
		w, err := q.server.roundTrip(h, h.newRequest(ctx, q, body))
		done <- result{w, err}
	}()
	q.out.extendDeadline(h.Limit + time.Minute)
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	beats := h.Gate.Beats(waiting, h.Beat)
	for {
		select {
		case r := <-done:
			return r.w, r.err
		case <-beats:
			q.out.keepStreamAlive()
		}
	}
}

// carryStream passes events on as they arrive, up to the answer.
func (h *Handler) carryStream(q *query, w *http.Response, see func(ending, response) (string, *fault)) {
	q.out.copyHeaders(w.Header)
	stream := readEvents(w.Body)
	for {
		raw, data, err := stream.next()
		if err != nil {
			h.endWithout(q, ending{state: machine.Ambiguous, detail: "the answer cannot be read: " + causeText(err)}, see)
			return
		}
		if data != "" {
			got, err := readResponse(data, q.id)
			if err == nil {
				q.out.beginStream()
				h.endCall(q, got, 200, see)
				return
			}
			if !errors.Is(err, errOther) {
				h.endWithout(q, ending{state: machine.Ambiguous, detail: "the answer cannot be read: " + causeText(err)}, see)
				return
			}
		}
		q.out.beginStream()
		if !isTaskNews(data) && q.out.writeEvent(raw) != nil {
			h.endWithout(q, ending{state: machine.Ambiguous, detail: "the client disconnected before the answer"}, see)
			return
		}
	}
}

// endCall calls the function see with the ending of the call. Then it sends the client
// the result of see. If see returns nothing, it sends the server's answer.
func (h *Handler) endCall(q *query, got response, status int, see func(ending, response) (string, *fault)) {
	text, f := see(responseEnding(got), got)
	if f != nil {
		q.out.writeFault(q.id, f)
		return
	}
	if text == "" {
		text = got.text
	}
	q.out.writeFinal(status, []byte(text))
}

// endWithout handles a call that got no answer. It calls the function see with the ending
// of the call, and sends the client an error.
func (h *Handler) endWithout(q *query, e ending, see func(ending, response) (string, *fault)) {
	if _, f := see(e, response{}); f != nil {
		q.out.writeFault(q.id, f)
		return
	}
	q.out.writeFault(q.id, troubleFault("the MCP server %s: %s", q.server.Name, e.detail))
}
