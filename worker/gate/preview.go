package gate

import (
	"context"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// previewView is the present state in the answer about a call.
type previewView struct {
	At      string `json:"at"`
	Call    string `json:"call"`
	Text    string `json:"text,omitempty"`
	Problem string `json:"problem,omitempty"`
}

// OnlyReads reports whether a call surely changes nothing: the policy and the classifier
// let it through, and no rule that allows a change does. Otherwise why says what was found.
// The operator trusts the tool definitions in trusted as well as those of the policy.
func (g *Gate) OnlyReads(ctx context.Context, a machine.Ask, trusted ...mutation.Tool) (why string, err error) {
	a.IDs = make([]string, len(a.Calls)) // nothing is stored under these ids
	plan, err := g.planCalls(ctx, g.policyWith(trusted), &a, true)
	switch {
	case err != nil:
		return "", err
	case plan.Verdict != proposal.Allow:
		return "it is not proven to only read: " + plan.Members[0].Reason, nil
	case plan.Members[0].Rule != "":
		return "only the rule " + plan.Members[0].Rule + " lets it through", nil
	}
	return "", nil
}

// KeepPreview stores what was read of the present state about a call that waits, with an
// audit entry.
func (g *Gate) KeepPreview(ctx context.Context, by machine.Principal, r *machine.Record, p store.Preview) error {
	p.ID, p.At = r.ID, g.Now()
	text := "the present state was read: " + p.Call
	if p.Problem != "" {
		text = "the present state was not read: " + p.Problem
	}
	if err := g.Store.PutPreview(ctx, r.Tenant, p); err != nil {
		return err
	}
	g.hub.Wake(*r)
	return g.Store.Note(ctx, machine.Entry{Version: 1, Tenant: r.Tenant, ID: r.ID, Batch: r.Batch, Event: "preview", At: p.At, By: by.Name, Role: by.Role, Session: r.Session, Tool: r.Tool, Digest: r.Digest, Policy: r.Why.Policy, Mode: r.Why.Mode, Text: text})
}

// previewsOf loads the previews of calls whose tools have one in the policy. Without an
// answer of the store, there are none.
func (g *Gate) previewsOf(v *visit, list []machine.Record) map[string]*store.Preview {
	var ids []string
	for i := range list {
		if t, _ := g.Policy().Rule(list[i].Tool); t.Preview != nil {
			ids = append(ids, list[i].ID)
		}
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, _ := g.Store.Previews(ctx, v.who.Tenant, ids...)
	return all
}

// writePreview shows the present state beside what the call will do, and says if it was not
// read.
func (g *Gate) writePreview(h *show.HTML, v *visit, r *machine.Record) {
	t, _ := g.Policy().Rule(r.Tool)
	p := v.states[r.ID]
	if t.Preview == nil && p == nil {
		return
	}
	h.Markup(`<section class="edit"><h3>The present state</h3>`)
	switch {
	case p == nil:
		h.Element(`<p class="warn">`, "The present state was not read for this call. The policy names "+proposal.Escape(t.Preview.String())+".", `</p>`)
	case p.Problem != "":
		h.Element(`<p class="warn">`, "The present state could not be read with "+proposal.Escape(p.Call)+": "+proposal.Escape(p.Problem)+".", `</p>`)
	default:
		h.Element(`<p>`, "Read at "+time.UnixMilli(p.At).UTC().Format("15:04:05 UTC")+" with "+proposal.Escape(p.Call)+". It may have changed since. The server's words, not checked:", `</p>`)
		if state, err := jsonval.Parse(p.Text); err == nil && state.Kind() == jsonval.Object && state.Len() > 0 {
			show.Arguments(h, p.Text, nil)
		} else {
			h.Markup(`<pre class="code"><span>`)
			show.Escaped(h, proposal.Escape(p.Text))
			h.Markup(`</span></pre>`)
		}
	}
	h.Markup(`</section>`)
	if p != nil && p.Problem == "" {
		h.Markup(`<h3>The call</h3>`)
	}
}

// withPreview returns the record as the API shows it, with what was read of the present
// state. An agent does not get it: it is for those who decide.
func (g *Gate) withPreview(ctx context.Context, who machine.Principal, r *machine.Record) []byte {
	if t, _ := g.Policy().Rule(r.Tool); t.Preview != nil && who.Role != machine.Agent {
		if all, err := g.Store.Previews(ctx, r.Tenant, r.ID); err == nil && all[r.ID] != nil {
			p := all[r.ID]
			return g.encodeView(r, &previewView{store.Instant(p.At), p.Call, p.Text, p.Problem})
		}
	}
	return g.encodeView(r, nil)
}
