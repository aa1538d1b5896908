package mcp

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// This file has one law: all requests for the result of one task get the one result of its call. They come one after the
// other, so the first runs the call, and the others get what is kept of it.

// turn is the right to run the call of a task. It is free while the channel is empty.
type turn struct {
	taken chan struct{}
	users int // requests that have it or wait for it
}

// takeTurn waits until no other request runs the call of a record. The result is nil if the client leaves before.
func (h *Handler) takeTurn(c *call, record string) (release func()) {
	x := &h.requests
	x.mu.Lock()
	t := x.turns[record]
	if t == nil {
		t = &turn{taken: make(chan struct{}, 1)}
		x.turns[record] = t
	}
	t.users++
	x.mu.Unlock()
	leave := func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		if t.users--; t.users == 0 {
			delete(x.turns, record)
		}
	}
	c.out.extendDeadline(h.Limit + patience)
	beats := h.Gate.Beats(c.Context(), h.Beat)
	for {
		select {
		case t.taken <- struct{}{}:
			return func() { <-t.taken; leave() }
		case <-beats:
			c.out.keepStreamAlive()
		case <-c.Context().Done():
			leave()
			return nil
		}
	}
}

// runInTurn answers a request for the result of a task whose call is approved, or was claimed.
func (h *Handler) runInTurn(c *call, r *machine.Record) *fault {
	release := h.takeTurn(c, r.ID)
	if release == nil {
		return nil
	}
	defer release()
	if h.answerKept(c.query, r.ID) {
		return nil
	}
	c.inTurn = true
	return h.answerByState(c, r, 0)
}

// keepEnding keeps how the call of a task ended, as the member of an answer.
func (h *Handler) keepEnding(c *call, r *machine.Record, e ending, result jsonval.Value, got response) {
	switch {
	case result.Exists():
		h.kept.keep(r.ID, `"result":`+result.Raw())
	case got.failed.Exists():
		h.kept.keep(r.ID, `"error":`+got.failed.Raw())
	default:
		h.kept.keep(r.ID, `"error":`+encodeLine(map[string]any{"code": codeInternal, "message": "the MCP server " + c.server.Name + ": " + e.detail}))
	}
}

// answerKept answers with what is kept of the call of a task. It reports whether there is something.
func (h *Handler) answerKept(q *query, record string) bool {
	kept := h.kept.of(record)
	if kept != "" {
		q.out.writeFinal(200, []byte(`{"jsonrpc":"2.0","id":`+q.id.Raw()+`,`+kept+"}\n"))
	}
	return kept != ""
}

// withTask returns a result that names its task, as the protocol wants it of tasks/result. Other results stay as they are.
func (q *query) withTask(result jsonval.Value) string {
	if q.method != "tasks/result" {
		return result.Raw()
	}
	meta := withMembers(result.Get("_meta"), member{taskRelated, encodeLine(map[string]any{"taskId": q.params.Get("taskId").Text()})})
	return withMembers(result, member{"_meta", meta})
}
