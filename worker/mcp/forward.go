package mcp

import (
	"context"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/receipt"
)

// forwardCall passes an allowed call and its answer on, byte for byte. Only a question of
// the server changes: its state is replaced by a state of the gate. When the client
// answers this question, the server gets its own state back.
func (h *Handler) forwardCall(c *call, t *ticket) {
	if !h.beginSending(c) {
		return
	}
	body := c.text
	if t != nil {
		body = withMembers(mustParse(c.text), member{"params", withMembers(c.params, innerState(t))})
	}
	h.carryCall(c.query, []byte(body), func(e ending, got response) (string, *fault) {
		h.heard.addResult(c, got.result, h.Gate.Now())
		if made := h.createdTask(c, got, ""); made != "" || e.state != "" || !got.result.Get("requestState").Exists() {
			return made, nil
		}
		return h.wrapState(c, got, "", h.Gate.Now()+int64(15*time.Minute/time.Millisecond))
	})
}

// innerState returns the member requestState for the server, with the server's own state
// as its value. If the server gave no state, the raw value is "", so that withMembers
// removes the member.
func innerState(t *ticket) member {
	if !t.wrapped {
		return member{"requestState", ""}
	}
	return member{"requestState", quoteJSON(t.inner)}
}

// keptMeta holds the members of _meta that are sent with a held call. Others were not
// shown to anybody.
var keptMeta = []string{metaVersion, metaCapabilities, metaClient, "io.modelcontextprotocol/logLevel", "progressToken", "traceparent", "tracestate", "baggage"}

// sendStored sends the stored bytes of a claimed call. The parameter more is "", or raw
// JSON members that answer the server's own questions. Each of these members begins with
// a comma.
func (h *Handler) sendStored(c *call, r *machine.Record, more string) {
	if c.Context().Err() != nil {
		h.reportEnding(c, r, ending{state: machine.Failed, detail: "the client had disconnected; nothing was sent"})
		return
	}
	if r.Why.Edit != nil {
		c.mirrorArguments(c.Header, r.Arguments)
	}
	meta := ""
	for _, key := range keptMeta {
		if v := c.params.At("_meta", key); v.Exists() {
			meta += "," + quoteJSON(key) + ":" + v.Raw()
		}
	}
	c.receipt = h.decisions().Receipt(r)
	if c.receipt != "" {
		meta += "," + quoteJSON(receipt.Meta) + ":" + quoteJSON(c.receipt) + "," + quoteJSON(receipt.MetaArguments) + ":" + quoteJSON(r.Arguments)
	}
	params := `"name":` + quoteJSON(c.name) + `,"arguments":` + r.Arguments + more
	if c.task != "" {
		params += `,"task":` + c.task
	}
	if meta != "" {
		params = `"_meta":{` + meta[1:] + `},` + params
	}
	body := `{"jsonrpc":"2.0","id":` + c.id.Raw() + `,"method":"tools/call","params":{` + params + `}}`
	h.carryCall(c.query, []byte(body), func(e ending, got response) (string, *fault) {
		h.heard.addResult(c, got.result, h.Gate.Now())
		if made := h.createdTask(c, got, r.ID); made != "" {
			return made, nil // the record stays claimed until the task has ended
		}
		if e.state == "" {
			return h.wrapState(c, got, r.ID, r.Claim.Until)
		}
		h.reportEnding(c, r, e)
		told, result := "", got.result
		if c.own && result.Exists() {
			result = mustParse(c.withTask(result))
			got.result, told = result, string(resultAnswer(c.id, result.Raw()))
		}
		if r.Why.Edit != nil && (got.result.Exists() || got.failed.Exists()) {
			told = h.toldAnswer(c, r, e.state, got)
			result = mustParse(told).Get("result")
		}
		if c.own {
			h.keepEnding(c, r, e, result, got)
		}
		return told, nil
	})
}

// proceedCall passes the client's answers to a server that has asked a question during a
// claimed call. It sends the stored bytes of the call again.
func (h *Handler) proceedCall(c *call, r *machine.Record, t *ticket) *fault {
	if r.State != machine.Claimed {
		return h.answerByState(c, r, t.round)
	}
	more := ""
	if m := c.params.Get("inputResponses"); m.Exists() {
		more = `,"inputResponses":` + m.Raw()
	}
	if t.wrapped {
		more += `,"requestState":` + quoteJSON(t.inner)
	}
	h.sendStored(c, r, more)
	return nil
}

// wrapState returns the server's answer with a state of the gate in place of the server's
// state. The gate's state contains the server's state, and is valid only for this call.
func (h *Handler) wrapState(c *call, got response, record string, expires int64) (string, *fault) {
	t := h.newTicket(c, record, expires)
	if s := got.result.Get("requestState"); s.Exists() {
		t.inner, t.wrapped = s.Text(), true
	}
	var err error
	if t.id, err = h.Gate.Fresh("s_"); err != nil {
		return "", storeFault(c.Context(), err)
	}
	return string(resultAnswer(c.id, withMembers(got.result, member{"requestState", quoteJSON(h.sealTicket(&t))}))), nil
}

func (h *Handler) newTicket(c *call, record string, expires int64) ticket {
	return ticket{tenant: c.who.Tenant, principal: c.who.Name, server: c.server.Name, tool: c.tool, digest: c.digest,
		definition: c.found.pin.Hash, record: record, expires: expires}
}

// reportEnding reports to the gate how a call ended, even if the client has disconnected.
// If the report cannot be stored, the record becomes ambiguous when its time has passed.
func (h *Handler) reportEnding(c *call, r *machine.Record, e ending) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Context()), patience)
	defer cancel()
	if _, _, err := h.decisions().Report(ctx, c.who, r.ID, e.state, e.detail, e.result); err == nil {
		h.requests.endRunning(c.underway) // before the client has the answer, so that it is never told that the call still runs
	}
}
