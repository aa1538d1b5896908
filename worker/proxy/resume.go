package proxy

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
	"github.com/boundcheck/boundcheck/worker/proxy/responses"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// keptKey is the key under which a response is kept among the agent's turns. Keys of turns
// are hashes, so none of them is one of these.
func keptKey(id string) string { return store.ChainPrefix + id }

// keeping is how the answer to a request of the Responses API is kept: under its id, so
// that a later request of the same agent can continue it.
type keeping struct {
	responses.Request
	id   string // of the answer; "" if it is not kept
	keep func(output []string) bool
}

// readResponses reads a request of the Responses API, with the conversation that it
// continues. If the agent has no response with that id, nothing is asked of the model.
func (p *Proxy) readResponses(ctx context.Context, who machine.Principal, body string) (*keeping, error) {
	q, err := responses.Read(body)
	if err != nil {
		return nil, badRequestProblem(err.Error())
	}
	k := &keeping{Request: q}
	if err := p.resolveItems(ctx, who, k); err != nil {
		return nil, err
	}
	before := ""
	if q.Before != "" {
		before = keptKey(q.Before)
		kept, err := p.Gate.Store.TurnsUpTo(ctx, who.Tenant, who.Name, before, responses.MostLinks)
		if err != nil {
			return nil, storeProblem(err)
		}
		if len(kept) == 0 || len(kept) == responses.MostLinks {
			return nil, &problem{status: 400, kind: badRequest, code: "previous_response_not_found", message: fmt.Sprintf(
				"the gate has no response %.60q of this agent that can be continued: it gave no such id, the request had store false, the conversation is over the limit, or it has expired. Send the whole conversation as input", q.Before)}
		}
		k.Continue(kept)
	}
	if len(k.Body) > p.Limit {
		return nil, &problem{status: http.StatusRequestEntityTooLarge, kind: badRequest, message: fmt.Sprintf("the conversation is over the limit of %d bytes", p.Limit)}
	}
	if !k.Stored {
		return k, nil
	}
	if k.id, err = p.Gate.Fresh("resp_"); err != nil {
		return nil, storeProblem(err)
	}
	k.keep = func(output []string) bool {
		text, ok := k.Request.Keep(output)
		return ok && p.Gate.Store.PutTurn(context.WithoutCancel(ctx), who.Tenant, who.Name, store.Turn{Key: keptKey(k.id), Session: before, Value: text}, p.Gate.Now()) == nil
	}
	return k, nil
}

// resolveItems puts the items in the input to which the request refers by their ids. If the agent
// has no such item, nothing is asked of the model.
func (p *Proxy) resolveItems(ctx context.Context, who machine.Principal, k *keeping) error {
	owners := k.Referenced()
	if len(owners) == 0 {
		return nil
	}
	keys := make([]string, len(owners))
	for i, id := range owners {
		keys[i] = keptKey(id)
	}
	turns, err := p.Gate.Store.Turns(ctx, who.Tenant, who.Name, keys)
	if err != nil {
		return storeProblem(err)
	}
	kept := map[string]string{}
	for i := range turns {
		kept[strings.TrimPrefix(turns[i].Key, store.ChainPrefix)] = turns[i].Value
	}
	if id, ok := k.Resolve(kept); !ok {
		return &problem{status: 400, kind: badRequest, code: "item_not_found", message: fmt.Sprintf(
			"the gate has no item %.80q of an answer to this agent: it gave no such id, the request had store false, the conversation is over the limit, or it has expired; or the input refers to it twice. Send the item itself", id)}
	}
	k.Continue(nil)
	return nil
}

// checkHosted returns an error if a tool that the model's server would run by itself is not
// named in the policy: its calls do not come by here.
func (p *Proxy) checkHosted(q *query) error {
	policy := p.Gate.Policy()
	for _, e := range q.root.Get("tools").Elements() {
		if kind := e.Get("type").Text(); !values.Has(e.Get(kindFunction)) && !values.Has(e.Get(kindCustom)) && !slices.Contains(policy.Hosted, kind) {
			return fmt.Errorf("a tool of type %.40q is not supported, because the model's server would run it without the gate. Use the type function or custom, or let the operator name it in the policy's hostedTools", kind)
		}
	}
	if values.Has(q.root.Get("web_search_options")) && !slices.Contains(policy.Hosted, "web_search") {
		return errors.New(`the member "web_search_options" is not supported, because the model's server would search without the gate. Remove it, or let the operator name "web_search" in the policy's hostedTools`)
	}
	return nil
}
