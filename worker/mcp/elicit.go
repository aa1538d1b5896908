package mcp

import (
	"context"
	"fmt"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Modes in which a client is asked.
const (
	modeForm = "form" // the client shows the prompt and returns the answer
	modeURL  = "url"  // the client opens the gate's page; the answer is in the store
)

// confirm is the name of the only input request.
const confirm = "confirm"

// maxRounds is the number of questions for one call, after which the call gets the
// result for clients that cannot be asked. Clients stop after about ten.
const maxRounds = 8

// questionMode returns the mode in which the client can be asked about a record. It
// returns "" if the client cannot be asked. The client must have declared the mode, and
// its key must name an approver.
func (h *Handler) questionMode(c *call, r *machine.Record) string {
	can := c.params.At("_meta", metaCapabilities, "elicitation")
	if !c.modern {
		if c.stream == nil {
			return "" // over HTTP, the older revisions have no way to ask
		}
		can = c.stream.declaredElicitation()
	}
	if can.Kind() != jsonval.Object || c.who.For == "" {
		return ""
	}
	form, url := can.Get(modeForm), can.Get(modeURL)
	if c.server.Form && (form.Kind() == jsonval.Object || !form.Exists() && !url.Exists()) && h.formFits(r) {
		return modeForm
	}
	if url.Kind() == jsonval.Object && h.Waiting == nil {
		return modeURL
	}
	return ""
}

// formFits reports whether the client's form may decide a call. All of these conditions
// must be true:
//
//   - The policy leaves the call to conversations.
//   - The call can be undone.
//   - It needs no explicit acknowledgement (see machine.Why.SecondAct).
//   - It needs no second person.
func (h *Handler) formFits(r *machine.Record) bool {
	return r.Needs == 1 && r.Why.Conversation && !r.Why.Destructive && !r.Why.SecondAct()
}

// sendQuestion sends a question to the client. A client that cannot be asked is told
// where a person can decide.
func (h *Handler) sendQuestion(c *call, r *machine.Record, round int) *fault {
	mode := h.questionMode(c, r)
	if mode == "" || round >= maxRounds {
		h.refuseCall(c, r, string(r.State), fmt.Sprintf("Held for approval: nobody has decided yet. A person can decide at %s until %s. "+
			"Once the call is approved, make exactly the same call again to run it. A changed call needs a new approval.%s", h.decisions().Link(r.ID), store.Instant(r.Expires), r.Why.Unsure.ModelText()))
		return nil
	}
	params := map[string]any{"mode": modeURL, "url": h.decisions().Link(r.ID), "message": fmt.Sprintf("A call of %s waits for your decision. The page shows the exact call.%s", r.Tool, r.Why.Unsure.ModelText())}
	if mode == modeForm {
		params = map[string]any{"mode": modeForm, "message": r.Prompt, "requestedSchema": map[string]any{
			"type": "object", "required": []string{"approve"}, "properties": map[string]any{"approve": map[string]any{"type": "boolean", "title": "Approve"}}}}
	}
	if !c.modern {
		return c.stream.askAbout(c, r, mode, params, round+1)
	}
	t := h.newTicket(c, r.ID, r.Expires)
	t.mode, t.round = mode, round+1
	var err error
	if t.id, err = h.Gate.Fresh("s_"); err != nil {
		return storeFault(c.Context(), err)
	}
	c.out.writeFinal(200, resultAnswer(c.id, encodeLine(map[string]any{
		"resultType":    "input_required",
		"inputRequests": map[string]any{confirm: map[string]any{"method": "elicitation/create", "params": params}},
		"requestState":  h.sealTicket(&t),
		"_meta":         map[string]any{metaApproval: h.describeQuestion(r, string(r.State))},
	})))
	return nil
}

// handleResponse handles the client's answer to a question. In URL mode the answer
// "accept" does not approve the call, because it only means that the page was opened.
func (h *Handler) handleResponse(ctx context.Context, c *call, r *machine.Record, mode string, reply jsonval.Value, round int) *fault {
	action, _ := reply.Get("action").Str()
	switch {
	case action == "cancel":
		return h.sendQuestion(c, r, maxRounds)
	case mode == modeURL && action == "decline":
		return h.applyEvent(ctx, c, r, machine.Event{Kind: machine.Cancel, By: c.who})
	case mode == modeURL && action == "accept":
		var f *fault
		if r, f = h.awaitDecision(c, r.ID); f != nil {
			return f
		}
		return h.answerByState(c, r, round)
	case mode == modeForm && h.questionMode(c, r) == modeForm:
		approve, said := readForm(reply)
		if action == "decline" || action == "accept" && said {
			return h.applyEvent(ctx, c, r, machine.Event{
				Kind: machine.Decide, By: machine.Principal{Tenant: c.who.Tenant, Name: c.who.Name, Role: machine.Conversation}, Vouched: true,
				Channel: "mcp-form", Approve: action == "accept" && approve, Digest: c.digest, Text: "answered in the client",
			})
		}
	}
	return h.sendQuestion(c, r, round)
}

// readForm reads the answer to a form that asks for one boolean. The result said is false
// for any other answer: a client that sends more, for example changed arguments, wants
// something else than the call that was shown.
func readForm(reply jsonval.Value) (approve, said bool) {
	for _, name := range reply.Keys() {
		if name != "action" && name != "content" && name != "_meta" {
			return false, false
		}
	}
	content := reply.Get("content")
	if _, twice := reply.Repeated(); twice || content.Len() != 1 {
		return false, false
	}
	return content.Get("approve").Bool()
}

func (h *Handler) applyEvent(ctx context.Context, c *call, r *machine.Record, e machine.Event) *fault {
	now, _, err := h.decisions().Apply(ctx, c.who.Tenant, r.ID, e)
	if err != nil {
		return storeFault(ctx, err)
	}
	return h.answerByState(c, &now, maxRounds)
}

// describeQuestion returns the data about a question that programs read.
func (h *Handler) describeQuestion(r *machine.Record, state string) map[string]any {
	return map[string]any{"id": r.ID, "state": state, "url": h.decisions().Link(r.ID), "expires": store.Instant(r.Expires), "digest": r.Digest}
}

// refuseCall answers with an ordinary result of the tool that says why nothing ran.
func (h *Handler) refuseCall(c *call, r *machine.Record, state, text string) {
	result := map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}, "isError": true}
	about := map[string]any{"state": state}
	if r != nil {
		about = h.describeQuestion(r, state)
	}
	result["_meta"] = map[string]any{metaApproval: about}
	if c.modern {
		result["resultType"] = "complete"
		result["_meta"].(map[string]any)[metaServer] = gateInfo()
	}
	if c.task != "" {
		h.offerTask(c, r, encodeLine(result))
		return
	}
	c.out.writeFinal(200, resultAnswer(c.id, c.withTask(mustParse(encodeLine(result)))))
}
