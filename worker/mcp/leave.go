package mcp

import (
	"context"
	"strconv"
	"sync"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// This file has one law: a question ends with the last client that waits for it. If this
// client cancels its call, disconnects or ends its stream, the question is cancelled, and the
// call never runs. A client that was told to make the call again does not wait.

// stage says how far a request with a tool call has come.
type stage int

const (
	begins stage = iota
	waits        // for a person
	sent         // or about to be claimed: the server decides what a cancellation means
)

// underway is a request with a tool call that is being answered.
type underway struct {
	key      requestKey
	stop     context.CancelFunc
	stage    stage
	question string // identity of the call whose question it has joined; "" for none
	running  string // the same, once the call may run; "" before
}

// requestKey names a request as its client does. Clients over HTTP that share a key and a
// session may use one id twice.
type requestKey struct {
	stream                        client
	tenant, name, server, session string
	id                            string
}

func (q *query) keyOf(id jsonval.Value) requestKey {
	text := jsonval.Quoted(id.Text())
	if n, whole := id.Int(); whole {
		text = strconv.FormatInt(n, 10)
	}
	return requestKey{q.stream, q.who.Tenant, q.who.Name, q.server.Name, q.Header.Get(sessionHeader), text}
}

// requests holds the requests that are being answered, in the memory of this process.
type requests struct {
	mu      sync.Mutex
	by      map[requestKey][]*underway
	waiting map[string]int // requests that have joined a question, by the identity of the call
	running map[string]int // those of them whose call may run now

	turns map[string]*turn // of the tasks whose results are asked for, by record
}

// followCall notes that a call is being answered. The caller must call the result at the end.
func (h *Handler) followCall(c *call) func() {
	ctx, stop := context.WithCancel(c.Context())
	c.Request = c.WithContext(ctx)
	u := &underway{key: c.keyOf(c.id), stop: stop}
	c.underway = u
	x := &h.requests
	x.mu.Lock()
	if x.by == nil {
		x.by, x.waiting, x.running, x.turns = map[requestKey][]*underway{}, map[string]int{}, map[string]int{}, map[string]*turn{}
	}
	x.by[u.key] = append(x.by[u.key], u)
	x.mu.Unlock()
	return func() {
		h.leaveQuestion(c, x.forgetRequest(u))
		stop()
	}
}

// forgetRequest removes a request. It reports whether no other request waits for its question.
func (x *requests) forgetRequest(u *underway) (last bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	var others []*underway
	for _, o := range x.by[u.key] {
		if o != u {
			others = append(others, o)
		}
	}
	if x.by[u.key] = others; len(others) == 0 {
		delete(x.by, u.key)
	}
	if u.question == "" {
		return false
	}
	x.stopRunning(u)
	if x.waiting[u.question]--; x.waiting[u.question] > 0 {
		return false
	}
	delete(x.waiting, u.question)
	return true
}

// endRunning notes that the outcome of a request's call is stored, so it runs no longer.
func (x *requests) endRunning(u *underway) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.stopRunning(u)
}

// stopRunning takes a request from those whose call may run. The caller holds the lock.
func (x *requests) stopRunning(u *underway) {
	if u == nil || u.running == "" {
		return
	}
	if x.running[u.running]--; x.running[u.running] == 0 {
		delete(x.running, u.running)
	}
	u.running = ""
}

// joinWaiting notes that a call has a question. If the call will wait for it and its client has ended its
// stream, the request ends.
func (h *Handler) joinWaiting(c *call, r *machine.Record) {
	stays := h.Wait > 0 && (r.State == machine.Pending || r.Waits(h.decisions().Clock())) || r.State == machine.Pending && h.questionMode(c, r) != ""
	x, u := &h.requests, c.underway
	x.mu.Lock()
	defer x.mu.Unlock()
	if c.question = r.ID; u.question == "" {
		u.question = c.callIdentity()
		x.waiting[u.question]++
	}
	if !stays {
		return
	}
	if u.stage = waits; c.stream != nil && c.stream.hasLeft() {
		u.stop()
	}
}

// beginSending reports whether a call may be sent to the server: its client still wants it.
func (h *Handler) beginSending(c *call) bool {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	if c.Context().Err() != nil {
		return false
	}
	u := c.underway
	if u.stage = sent; u.running == "" && u.question != "" {
		u.running = u.question
		h.requests.running[u.running]++
	}
	return true
}

// callIdentity names the calls that have one question: equal ones of one agent.
func (c *call) callIdentity() string {
	return encodeLine([]string{c.who.Tenant, c.who.Name, c.sessionName(), c.digest})
}

// runsElsewhere reports whether another request has let an equal call run that has not ended here.
func (h *Handler) runsElsewhere(c *call) bool {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	return h.requests.running[c.callIdentity()] > 0
}

// withdrawRequest ends the requests that a client cancels, as far as they were not sent. It
// reports whether there was one.
func (h *Handler) withdrawRequest(q *query) (found bool) {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	for _, u := range h.requests.by[q.keyOf(q.params.Get("requestId"))] {
		if u.stage != sent {
			u.stop()
			found = true
		}
	}
	return found
}

// withdrawWaiting ends the requests of a stream that wait for a person.
func (h *Handler) withdrawWaiting(stream client) {
	h.requests.mu.Lock()
	defer h.requests.mu.Unlock()
	for key, list := range h.requests.by {
		for _, u := range list {
			if key.stream == stream && u.stage == waits {
				u.stop()
			}
		}
	}
}

// leaveQuestion ends a call that has not got its answer. If it was the last that waited for its
// question, the question is cancelled. A task lasts longer than the requests for its result.
func (h *Handler) leaveQuestion(c *call, last bool) {
	if c.out.begun || c.Context().Err() == nil || gate.KeyRemoved(c.Context()) != nil {
		return
	}
	if last && !c.own {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), patience)
		defer cancel()
		all, err := gate.StandingLatest(ctx, h.decisions(), c.who.Tenant, []string{c.question})
		if err == nil && (all[0].State == machine.Pending || all[0].State == machine.Approved) {
			h.decisions().Apply(ctx, c.who.Tenant, all[0].ID, machine.Event{Kind: machine.Cancel, By: c.who})
		}
	}
	c.out.writeFault(c.id, troubleFault("the call was cancelled; nothing has run"))
}
