package gate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/proposal"
)

// mostListed is the largest number of calls in the list.
const mostListed = 100

// listPage shows the waiting calls, one line for each question, and the approved calls
// that can still be revoked.
func (g *Gate) listPage(v *visit) {
	ctx, cancel := v.bounded()
	defer cancel()
	pending, err := g.Store.Pending(ctx, v.who.Tenant, mostListed)
	approved := []machine.Record{}
	if err == nil {
		approved, err = g.Store.Approved(ctx, v.who.Tenant, g.Now(), mostListed)
	}
	if err != nil {
		say(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	now := g.Now()
	waits := pending[:0]
	for _, r := range pending {
		if r.Expires > now {
			waits = append(waits, r)
		}
	}
	slices.SortStableFunc(waits, func(a, b machine.Record) int { // the calls of one turn stay together, in their order
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.Batch, b.Batch), cmp.Compare(a.Index, b.Index))
	})
	h := &html{}
	h.raw(`<h1>What waits</h1>`)
	g.frozenBanner(h, v)
	g.waiting(h, v, waits)
	if len(approved) > 0 {
		h.raw(`<h2>Approved; the agent has not claimed them yet</h2>`)
		g.rowsOf(h, "approved", approved)
	}
	g.send(v, 200, "What waits", h)
}

func (g *Gate) waiting(h *html, v *visit, list []machine.Record) {
	text := "Nothing waits for you."
	switch {
	case len(list) == 1:
		text = "1 call waits."
	case len(list) == mostListed:
		text = fmt.Sprintf("These are the oldest %d waiting calls.", mostListed)
	case len(list) > 1:
		text = fmt.Sprintf("%d calls wait.", len(list))
	}
	h.raw(`<div role="status"><p data-live="count" data-v="`)
	h.text(text)
	h.el(`">`, text, `</p></div>`)
	g.rowsOf(h, "waiting", list)
	g.denyAllForm(h, v, open(v.who, list))
}

// rowsOf writes a list of calls, each with a link to its page. The waiting calls of one
// turn have a link to their common page.
func (g *Gate) rowsOf(h *html, name markup, list []machine.Record) {
	rows := &html{}
	for i := range list {
		g.row(rows, &list[i])
	}
	h.raw(`<ul class="rows" data-live="`, name, `" data-v="`)
	h.text(proposal.Digest(string(name), rows.b.String()))
	h.raw(`">`)
	h.b.WriteString(rows.b.String())
	h.raw(`</ul>`)
}

func (g *Gate) row(h *html, r *machine.Record) {
	id := r.ID
	if r.Batch != "" && r.State == machine.Pending {
		id = r.Batch
	}
	h.raw(`<li><a href="`, callPath)
	h.text(id)
	h.raw(`"><code>`)
	marked(h, proposal.Escape(r.Tool))
	h.raw(`</code>`)
	if r.Size > 1 {
		h.text(fmt.Sprintf(" (%d of %d)", r.Index+1, r.Size))
	}
	h.raw(`</a> <span class="brief"><code>`)
	marked(h, proposal.Escape(brief(r.Arguments)))
	h.raw(`</code></span> <span class="size">`)
	h.text(r.Principal + " · " + left(r.Expires-g.Now()) + " left")
	h.raw(`</span></li>`)
}

// brief returns the beginning of the arguments in one line.
func brief(arguments string) string {
	const longest = 100
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object {
		return cut(arguments, longest)
	}
	var b strings.Builder
	v.Each(func(key string, m jsonval.Value) bool {
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		text := m.Raw()
		if s, ok := m.Str(); ok {
			text = `"` + s + `"`
		}
		b.WriteString(proposal.Step("", key) + " = " + strings.ReplaceAll(cut(text, longest), "\n", " ⏎ "))
		return b.Len() < longest
	})
	if b.Len() > longest {
		return cut(b.String(), longest) + " …"
	}
	return b.String()
}

// denyAllForm shows the form that denies all calls on the page. The form names each call,
// so that it does not deny calls that arrive later.
func (g *Gate) denyAllForm(h *html, v *visit, list []machine.Record) {
	list = list[:min(len(list), maxCalls)]
	inner := &html{}
	ids := ""
	if len(list) > 1 {
		inner.el(`<details><summary>Deny all `, fmt.Sprint(len(list)), `</summary><form method="post" action="`+pendingPath+`"><button type="submit" disabled hidden></button>`)
		for i := range list {
			r := &list[i]
			ids += r.ID
			inner.raw(`<input type="hidden" name="call" value="`)
			inner.text(r.ID + " " + r.Digest + " " + g.token(v.s, r.ID, r.Digest))
			inner.raw(`">`)
		}
		reasonField(inner, "all", "Reason for all of them (sent to the agents)")
		inner.el(`<button class="no" name="do" value="deny">Deny these `, fmt.Sprint(len(list)), `</button></form></details>`)
	}
	h.raw(`<div data-live="all" data-v="`)
	h.text(proposal.Digest("all", ids))
	h.raw(`">`)
	h.b.WriteString(inner.b.String())
	h.raw(`</div>`)
}

// allDenied handles the posted form of denyAllForm: it denies the calls that the form
// names.
func (g *Gate) allDenied(v *visit) {
	calls, ok := g.calls(v)
	if !ok || v.form.Get("do") != "deny" {
		say(v.w, 403, "Refused", notShown)
		return
	}
	g.decideAll(v, calls, func(posedCall) machine.Event { return machine.Event{} }, pendingPath)
}
