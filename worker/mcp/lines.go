package mcp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// Lines serves one client over the protocol's stdio transport: each message is one line.
// A message counts only with its end of line, so a line that was cut off does nothing.
// Make it with NewLines.
type Lines struct {
	h         *Handler
	path, key string
	send      func(message string) error

	mu      sync.Mutex
	running map[string]context.CancelFunc // the client's requests that are being answered, by id
	asked   map[string]chan jsonval.Value // the gate's own questions to the client, by id
	turn    chan struct{}                 // holds a value while a form is open: a host shows one at a time
	can     jsonval.Value                 // elicitation, as the client declared it in initialize
	left    atomic.Bool                   // the client has ended its stream
	work    sync.WaitGroup
}

// NewLines returns the lines of a client for one server of the handler. The parameter key
// is the agent's key at the gate. All messages to the client go through send, which must
// allow concurrent calls.
func NewLines(h *Handler, server, key string, send func(message string) error) *Lines {
	return &Lines{h: h, path: (&Server{Name: server}).Path(), key: key, send: send,
		running: map[string]context.CancelFunc{}, asked: map[string]chan jsonval.Value{}, turn: make(chan struct{}, 1)}
}

// LineWriter returns a function that writes messages to w, one a line, one at a time.
func LineWriter(w io.Writer) func(message string) error {
	var mu sync.Mutex
	return func(message string) error {
		mu.Lock()
		defer mu.Unlock()
		_, err := io.WriteString(w, oneLine(message)+"\n")
		return err
	}
}

// oneLine returns a JSON text without line ends, which can only be blanks in it.
func oneLine(text string) string {
	return strings.TrimSpace(strings.NewReplacer("\n", " ", "\r", " ").Replace(text))
}

// readLine returns the next line without its end. It returns io.EOF for a line that was
// cut off, and errLarge for a line over the limit, whose rest it skips.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for large := false; ; {
		part, err := r.ReadSlice('\n')
		if large = large || len(line)+len(part) > maxMessage; !large {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return "", err
		case large:
			return "", errLarge
		default:
			return strings.TrimSpace(string(line)), nil
		}
	}
}

// grace is the time that requests at the server have to end after the client has left.
const grace = 2 * time.Second

// Serve answers the client's messages until its stream ends or ctx ends. Then it calls End.
func (l *Lines) Serve(ctx context.Context, in io.Reader) error {
	defer l.work.Wait()
	defer l.End(grace)
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errLarge):
			l.send(string(errorAnswer(jsonval.Value{}, invalidFault(codeRequest, "%v", err))))
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return nil
		case err != nil:
			return err
		case line != "":
			l.receiveLine(ctx, line)
		}
	}
}

// receiveLine handles one line: a message, or a batch of the revision 2025-03-26, whose
// answers are one batch.
func (l *Lines) receiveLine(ctx context.Context, line string) {
	v, err := jsonval.Parse(line)
	if err != nil || v.Kind() != jsonval.Array || v.Len() == 0 {
		l.receiveMessage(ctx, line, v, func(s string) { l.send(s) }, func() {})
		return
	}
	var mu sync.Mutex
	var answers []string
	var open sync.WaitGroup
	for _, m := range v.Elements() {
		open.Add(1)
		l.receiveMessage(ctx, m.Raw(), m, func(s string) {
			mu.Lock()
			defer mu.Unlock()
			answers = append(answers, oneLine(s))
		}, open.Done)
	}
	l.work.Go(func() {
		if open.Wait(); len(answers) > 0 {
			l.send("[" + strings.Join(answers, ",") + "]")
		}
	})
}

// receiveMessage handles one message. The function answer gets the messages of its answer, and
// done is called after the last.
func (l *Lines) receiveMessage(ctx context.Context, text string, v jsonval.Value, answer func(string), done func()) {
	id, method := v.Get("id"), v.Get("method").Text()
	switch {
	case !v.Get("method").Exists() && l.takeReply(v):
		done()
	case method == "notifications/cancelled":
		l.cancelRequest(v.At("params", "requestId").Raw()) // the server's transport tells the server
		done()
	case !validID(id) || method == "":
		l.answerOne(ctx, text, jsonval.Value{}, answer)
		done()
	default:
		ctx, stop := context.WithCancel(ctx)
		if !l.beginRequest(id.Raw(), stop) {
			stop()
			answer(string(errorAnswer(id, invalidFault(codeRequest, "the id %.40s is in use by another request", id.Raw()))))
			done()
			return
		}
		run := func() {
			defer done()
			defer l.endRequest(id.Raw(), stop)
			l.answerOne(ctx, text, id, answer)
		}
		if method == "initialize" { // what follows may depend on it
			l.mu.Lock()
			l.can = v.At("params", "capabilities", "elicitation")
			l.mu.Unlock()
			run()
			return
		}
		l.work.Go(run)
	}
}

// answerOne passes one message through the gate. A request that the client has cancelled
// gets no answer.
func (l *Lines) answerOne(ctx context.Context, text string, id jsonval.Value, answer func(string)) {
	r, err := http.NewRequestWithContext(ctx, "POST", strings.TrimSuffix(l.h.Gate.URL, "/")+l.path, strings.NewReader(text))
	if err != nil {
		panic(err) // the address was checked
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+l.key)
	w := &lineAnswer{head: http.Header{}, send: func(s string) {
		if ctx.Err() == nil {
			answer(withID(s, id))
		}
	}}
	l.h.answerMessage(w, r, l)
	w.endAnswer()
}

// withID returns an error answer with the id of its request, if the answer has no id
// because the message was refused before it was read.
func withID(answer string, id jsonval.Value) string {
	v, err := jsonval.Parse(answer)
	if err == nil && id.Exists() && v.Get("error").Exists() && !v.Get("id").Exists() {
		return withMembers(v, member{"id", id.Raw()})
	}
	return answer
}

func (l *Lines) beginRequest(id string, stop context.CancelFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.running[id] != nil {
		return false
	}
	l.running[id] = stop
	return true
}

func (l *Lines) endRequest(id string, stop context.CancelFunc) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.running, id)
	stop()
}

func (l *Lines) cancelRequest(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if stop := l.running[id]; stop != nil {
		stop()
	}
}

// End ends what waits for a person, because nobody is left to run it for. It lets other requests
// go on for at most the given time.
func (l *Lines) End(within time.Duration) {
	l.left.Store(true)
	l.h.withdrawWaiting(l)
	l.drainRequests(within)
	l.mu.Lock()
	for _, stop := range l.running {
		stop()
	}
	l.mu.Unlock()
	l.drainRequests(2 * grace) // what was claimed and not sent is reported
}

// hasLeft reports whether the client has ended its stream.
func (l *Lines) hasLeft() bool { return l.left.Load() }

// drainRequests waits until no request is being answered, at most for the given time.
func (l *Lines) drainRequests(within time.Duration) {
	for end := time.Now().Add(within); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		l.mu.Lock()
		n := len(l.running)
		l.mu.Unlock()
		if n == 0 {
			return
		}
	}
}

// declaredElicitation returns what the client declared of elicitation in its handshake.
func (l *Lines) declaredElicitation() jsonval.Value {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.can
}

// askAbout asks the client about a held call, and handles the answer. The question ends as soon as somebody decides on the gate's page.
func (l *Lines) askAbout(c *call, r *machine.Record, mode string, params map[string]any, round int) *fault {
	h := l.h
	if mode == modeURL {
		params["elicitationId"] = r.ID
	} else {
		delete(params, "mode") // the revision 2025-06-18 knows only forms
	}
	ctx, stop := context.WithCancel(c.Context())
	defer stop()
	go func() {
		h.decisions().Settle(ctx, c.who.Tenant, []string{r.ID}, nil)
		stop()
	}()
	reply := jsonval.Value{}
	if leave := l.takeTurn(ctx, mode); leave != nil {
		reply = l.askQuestion(ctx, encodeLine(params))
		leave()
	}
	if c.Context().Err() != nil {
		return nil
	}
	brief, done := context.WithTimeout(c.Context(), patience)
	defer done()
	all, err := gate.StandingLatest(brief, h.decisions(), c.who.Tenant, []string{r.ID})
	if err != nil {
		return storeFault(brief, err)
	}
	if r = &all[0]; r.State != machine.Pending {
		return h.answerByState(c, r, round)
	}
	return h.handleResponse(brief, c, r, mode, reply, round)
}

// takeTurn waits until no other form is open at the client, so that nobody takes one for another, and returns a function that lets
// the next one come; nil if ctx ended first. A question that leads to the page needs no turn.
func (l *Lines) takeTurn(ctx context.Context, mode string) (leave func()) {
	if mode == modeURL {
		return func() {}
	}
	select {
	case l.turn <- struct{}{}:
		return func() { <-l.turn }
	case <-ctx.Done():
		return nil
	}
}

// askQuestion asks the client, and returns the result of its answer. The result is missing if the
// client answered with an error, or if ctx ended first. The server cannot guess the
// question's id, so an answer to one of its own questions never counts.
func (l *Lines) askQuestion(ctx context.Context, params string) jsonval.Value {
	name, err := l.h.Gate.Fresh("boundcheck_")
	if err != nil {
		return jsonval.Value{}
	}
	reply := make(chan jsonval.Value, 1)
	l.mu.Lock()
	l.asked[name] = reply
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.asked, name)
		l.mu.Unlock()
	}()
	if l.send(`{"jsonrpc":"2.0","id":"`+name+`","method":"elicitation/create","params":`+params+`}`) != nil {
		return jsonval.Value{}
	}
	select {
	case v := <-reply:
		return v.Get("result")
	case <-ctx.Done():
		l.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"` + name + `","reason":"decided elsewhere"}}`)
		return jsonval.Value{}
	}
}

// takeReply hands an answer of the client to the gate's question with the same id. It
// returns false if the gate has no such question.
func (l *Lines) takeReply(v jsonval.Value) bool {
	name, _ := v.Get("id").Str()
	l.mu.Lock()
	defer l.mu.Unlock()
	to := l.asked[name]
	if to == nil {
		return false
	}
	delete(l.asked, name)
	if checkDuplicates(v, "the answer", "jsonrpc", "id", "result", "error") != nil {
		v = jsonval.Value{}
	}
	to <- v
	return true
}

// lineAnswer is the http.ResponseWriter of one message that came as a line. It sends each
// message of the answer, whether the answer is JSON or a stream of events.
type lineAnswer struct {
	head http.Header
	body bytes.Buffer
	send func(string)
}

func (a *lineAnswer) Header() http.Header { return a.head }
func (a *lineAnswer) WriteHeader(int)     {}
func (a *lineAnswer) Flush()              {}

// Write takes whole events of a stream, or the bytes of one message.
func (a *lineAnswer) Write(b []byte) (int, error) {
	a.body.Write(b)
	for a.head.Get("Content-Type") == "text/event-stream" {
		end := bytes.Index(a.body.Bytes(), []byte("\n\n"))
		if end < 0 {
			break
		}
		if _, data, err := readEvents(bytes.NewReader(a.body.Next(end + 2))).next(); err == nil && data != "" {
			a.send(data)
		}
	}
	return len(b), nil
}

// endAnswer sends a message that was not in a stream.
func (a *lineAnswer) endAnswer() {
	if a.head.Get("Content-Type") != "text/event-stream" && a.body.Len() > 0 {
		a.send(a.body.String())
	}
}
