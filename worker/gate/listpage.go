package gate

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// mostListed is the largest number of calls in the list.
const mostListed = 100

// listPage shows the waiting calls, with one line for each question. It also shows the
// approved calls that can still be revoked.
func (g *Gate) listPage(v *visit) {
	waits, err := g.waitingCalls(v)
	after, wrong := store.ReadPlace(v.r.URL.Query().Get("after"))
	approved := []machine.Record{}
	if err == nil && wrong == nil {
		ctx, cancel := v.limitedContext()
		defer cancel()
		approved, err = g.Store.Approved(ctx, v.who.Tenant, g.Now(), after, mostListed)
	}
	switch {
	case wrong != nil:
		sendSentence(v.w, 400, "Not found", "This address is not one of a list. Open the list again.")
		return
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>What waits</h1>`)
	g.frozenBanner(h, v)
	g.writeWaiting(h, v, waits)
	if len(approved) > 0 {
		h.Markup(`<h2>Approved calls that no agent has claimed yet</h2>`)
		g.rowsOf(h, "approved", approved)
	}
	if len(approved) == mostListed {
		h.Markup(`<p><a href="`, pendingPath, `?after=`)
		h.Text(url.QueryEscape(store.PlaceOf(&approved[mostListed-1]).String()))
		h.Markup(`">Older approved calls</a></p>`)
	}
	g.sendWithNav(v, 200, "What waits", h)
}

// mostTogether is the largest number of calls on the page that shows all of them.
const mostTogether = 20

// allPage shows the oldest waiting calls, each completely, with one form for all.
func (g *Gate) allPage(v *visit) {
	waits, err := g.waitingCalls(v)
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	waits = waits[:min(len(waits), mostTogether)]
	h := &show.HTML{}
	h.Markup(`<h1>What waits, in full</h1>`)
	g.frozenBanner(h, v)
	if len(waits) == 0 {
		h.Markup(`<p>Nothing waits for you.</p>`)
	}
	v.batch, v.before, v.states = decidableCalls(v.who, waits, g.Now()), g.beforeEdits(v, waits), g.previewsOf(v, waits)
	for i := range waits {
		g.writeCard(h, v, &waits[i])
	}
	if len(v.batch) > 1 {
		g.batchForm(h, v, allPath, "")
	}
	g.sendWithNav(v, 200, "What waits, in full", h)
}

// allDecided handles the posted form of allPage.
func (g *Gate) allDecided(v *visit) { g.decidePosed(v, pendingPath) }

// waitingCalls returns the calls that wait, oldest first, those of one turn together.
func (g *Gate) waitingCalls(v *visit) ([]machine.Record, error) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	pending, err := g.Store.Pending(ctx, v.who.Tenant, mostListed)
	now := g.Now()
	waits := slices.DeleteFunc(pending, func(r machine.Record) bool { return r.Expires <= now })
	slices.SortStableFunc(waits, func(a, b machine.Record) int { // the calls of one turn stay together, in their order
		return cmp.Or(cmp.Compare(a.Created, b.Created), cmp.Compare(a.Batch, b.Batch), cmp.Compare(a.Index, b.Index))
	})
	return waits, cmp.Or(err, g.ShowNow(ctx, waits))
}

func (g *Gate) writeWaiting(h *show.HTML, v *visit, list []machine.Record) {
	text := "Nothing waits for you."
	switch {
	case len(list) == 1:
		text = "1 call waits."
	case len(list) == mostListed:
		text = fmt.Sprintf("These are the oldest %d waiting calls.", mostListed)
	case len(list) > 1:
		text = fmt.Sprintf("%d calls wait.", len(list))
	}
	h.Markup(`<div role="status"><p data-live="count" data-v="`)
	h.Text(text)
	h.Element(`">`, text, `</p></div>`)
	g.rowsOf(h, "waiting", list)
	if len(list) > 1 {
		h.Element(`<p><a href="`+allPath+`">`, fmt.Sprintf("Look at all %d on one page", min(len(list), mostTogether)), `</a></p>`)
	}
	g.denyAllForm(h, v, decidableCalls(v.who, list, g.Now()))
}

// rowsOf writes a list of calls, each with a link to its page. The waiting calls of one
// turn have a link to their common page.
func (g *Gate) rowsOf(h *show.HTML, name show.Markup, list []machine.Record) {
	rows := &show.HTML{}
	for i := range list {
		g.writeListRow(rows, &list[i])
	}
	h.Markup(`<ul class="rows" data-live="`, name, `" data-v="`)
	h.Text(proposal.Digest(string(name), rows.String()))
	h.Markup(`">`)
	h.Append(rows)
	h.Markup(`</ul>`)
}

func (g *Gate) writeListRow(h *show.HTML, r *machine.Record) {
	id := r.ID
	if r.Batch != "" && r.State == machine.Pending {
		id = r.Batch
	}
	h.Markup(`<li><a href="`, callPath)
	h.Text(id)
	h.Markup(`"><code>`)
	show.Escaped(h, proposal.Escape(r.Tool))
	h.Markup(`</code>`)
	if r.Size > 1 {
		h.Text(fmt.Sprintf(" (%d of %d)", r.Index+1, r.Size))
	}
	h.Markup(`</a> <span class="brief"><code>`)
	show.Escaped(h, proposal.Escape(briefArguments(r.Arguments)))
	h.Markup(`</code></span> <span class="size">`)
	h.Text(r.Principal + " · " + formatTimeLeft(r.Expires-g.Now()) + " left" + twinText(r))
	h.Markup(`</span></li>`)
}

// briefArguments returns the beginning of the arguments in one line.
func briefArguments(arguments string) string {
	const longest = 100
	v, err := jsonval.Parse(arguments)
	if err != nil || v.Kind() != jsonval.Object {
		return show.Truncate(arguments, longest)
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
		b.WriteString(proposal.Step("", key) + " = " + strings.ReplaceAll(show.Truncate(text, longest), "\n", " ⏎ "))
		return b.Len() < longest
	})
	if b.Len() > longest {
		return show.Truncate(b.String(), longest) + " …"
	}
	return b.String()
}

// denyAllForm shows the form that denies all calls on the page. The form names each call,
// so that it does not deny calls that arrive later.
func (g *Gate) denyAllForm(h *show.HTML, v *visit, list []machine.Record) {
	list = list[:min(len(list), maxCalls)]
	inner := &show.HTML{}
	ids := ""
	if len(list) > 1 {
		inner.Element(`<details><summary>Deny all `, fmt.Sprint(len(list)), `</summary><form method="post" action="`+pendingPath+`"><button type="submit" disabled hidden></button>`)
		for i := range list {
			r := &list[i]
			ids += r.ID
			inner.Markup(`<input type="hidden" name="call" value="`)
			inner.Text(r.ID + " " + r.Digest + " " + g.formToken(v.s, r.ID, r.Digest))
			inner.Markup(`">`)
		}
		reasonField(inner, "all", "Reason for all calls (sent to the agents)")
		inner.Element(`<button class="no" name="do" value="deny">Deny these `, fmt.Sprint(len(list)), `</button></form></details>`)
	}
	h.Markup(`<div data-live="all" data-v="`)
	h.Text(proposal.Digest("all", ids))
	h.Markup(`">`)
	h.Append(inner)
	h.Markup(`</div>`)
}

// allDenied handles the posted form of denyAllForm. It denies the calls that the form
// names.
func (g *Gate) allDenied(v *visit) {
	calls, ok := g.readPosedCalls(v)
	if !ok || v.form.Get("do") != "deny" {
		sendSentence(v.w, 403, "Refused", notShown)
		return
	}
	g.decideAll(v, calls, func(posedCall) machine.Event { return machine.Event{} }, pendingPath)
}
