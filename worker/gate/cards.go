package gate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// sendCallPage sends the page of one call or of a batch. The page of a batch has one form
// for all of its calls.
func (g *Gate) sendCallPage(v *visit, status int, list []machine.Record, wrong string) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	if err := g.ShowNow(ctx, list); err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Load the page again.")
		return
	}
	h := &show.HTML{}
	title := "One call"
	if isBatch(v.id) {
		v.batch = decidableCalls(v.who, list, g.Now())
		title = fmt.Sprintf("%d calls of one turn", len(list))
	}
	h.Element(`<h1>`, title, `</h1>`)
	g.frozenBanner(h, v)
	if wrong != "" {
		h.Element(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	if isBatch(v.id) {
		h.Markup(`<p>No call runs before all calls of this turn are decided.</p>`)
	}
	v.before, v.states = g.beforeEdits(v, list), g.previewsOf(v, list)
	for i := range list {
		g.writeCard(h, v, &list[i])
	}
	if len(v.batch) > 1 {
		g.batchForm(h, v, callPath, v.id)
	}
	g.sendWithNav(v, status, title, h)
}

// decidableCalls returns the calls of a batch that the visitor may decide now.
func decidableCalls(who machine.Principal, list []machine.Record, now int64) (out []machine.Record) {
	for i := range list {
		if list[i].State == machine.Pending && mayDecide(who, &list[i], now) == "" {
			out = append(out, list[i])
		}
	}
	return out
}

// writeChoice writes the form fields with which a person decides on one call of a batch.
// The fields belong to the form at the end of the page.
func (g *Gate) writeChoice(h *show.HTML, v *visit, r *machine.Record) {
	if not := mayDecide(v.who, r, g.Now()); not != "" {
		h.Element(`<p class="warn">`, not, `</p>`)
		return
	}
	h.Markup(`<fieldset class="choice"><legend>Call `)
	h.Text(fmt.Sprint(r.Index + 1))
	h.Markup(`</legend>`)
	for _, x := range [...][2]show.Markup{{"approve", "Approve"}, {"deny", "Deny"}} {
		if x[0] == "approve" && !r.Why.CountsFor(v.who.Name) {
			continue // who edited it
		}
		h.Markup(`<label class="check"><input type="radio" form="batch" required value="`, x[0], `" name="choice-`)
		h.Text(r.ID)
		h.Markup(`"> `, x[1], `</label>`)
	}
	writeAcknowledgement(h, r, "acknowledge-"+r.ID, `form="batch" `)
	h.Markup(`</fieldset>`)
}

// batchForm shows the form that sends all decisions of a batch together, to the page path
// with the given id. A yes to all is a yes to each call that the form names, by its digest.
func (g *Gate) batchForm(h *show.HTML, v *visit, path show.Markup, id string) {
	until := v.batch[0].Expires
	for i := range v.batch {
		until = min(until, v.batch[i].Expires)
	}
	h.Markup(`<form method="post" id="batch" class="card" action="`, path)
	h.Text(id)
	h.Markup(`" data-left="`)
	h.Text(fmt.Sprint(max(0, until-g.Now())))
	h.Markup(`"><button type="submit" disabled hidden></button>`)
	for i := range v.batch {
		r := &v.batch[i]
		h.Markup(`<input type="hidden" name="call" value="`)
		h.Text(r.ID + " " + r.Digest + " " + g.formToken(v.s, r.ID, r.Digest))
		h.Markup(`">`)
	}
	reasonField(h, "batch", "Reason for all calls (sent to the agent)")
	h.Markup(`<div class="both"><button class="plain" name="do" value="each">Send these decisions</button>`,
		`<button class="no" name="do" value="deny" formnovalidate>Deny all calls</button></div>`)
	h.Element(`<button class="yes" name="do" value="all" formnovalidate>`, fmt.Sprintf("Approve all %d calls that are shown", len(v.batch)), `</button></form>`)
}

// posedCall is one call in a form for several calls.
type posedCall struct{ id, digest string }

// readPosedCalls returns the calls in a posted form. The result ok is false if there are
// no calls, if there are too many, or if one of them was not shown in this session.
func (g *Gate) readPosedCalls(v *visit) (out []posedCall, ok bool) {
	for _, text := range v.form["call"] {
		f := strings.Fields(text)
		if len(f) != 3 || subtleDiffers(f[2], g.formToken(v.s, f[0], f[1])) {
			return nil, false
		}
		out = append(out, posedCall{f[0], f[1]})
	}
	return out, len(out) > 0 && len(out) <= maxCalls
}

const notShown = "This form was not shown in this session, so nothing was decided. Open the page again."

// batchDecided passes the decisions on a batch to the machine, one after the other.
func (g *Gate) batchDecided(v *visit) { g.decidePosed(v, callPath+v.id) }

// decidePosed carries out a posted form with decisions about several calls: one about each,
// or one about all.
func (g *Gate) decidePosed(v *visit, then string) {
	calls, ok := g.readPosedCalls(v)
	all := v.form.Get("do")
	if !ok || all != "each" && all != "deny" && all != "all" {
		sendSentence(v.w, 403, "Refused", notShown)
		return
	}
	for _, c := range calls {
		if choice := v.form["choice-"+c.id]; all == "each" && (len(choice) != 1 || choice[0] != "approve" && choice[0] != "deny") {
			sendSentence(v.w, 403, "Refused", "Nothing was decided, because some calls have no decision. Open the page again and decide about each call.")
			return
		}
	}
	g.decideAll(v, calls, func(c posedCall) machine.Event {
		return machine.Event{Approve: all == "all" || all == "each" && v.form.Get("choice-"+c.id) == "approve", Acknowledge: v.form.Get("acknowledge-"+c.id) == "yes", Seen: v.form.Get("seen-" + c.id)}
	}, then)
}

// decideAll applies a decision to each of the calls. The function word returns the
// decision for a call. If all decisions are stored, decideAll redirects the visitor to
// the address in then. Otherwise it sends a page that says which decisions were not
// stored and why.
func (g *Gate) decideAll(v *visit, calls []posedCall, word func(posedCall) machine.Event, then string) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	var wrong []string
	for i, c := range calls {
		e := word(c)
		e.Kind, e.By, e.Channel, e.Digest, e.Text = machine.Decide, v.who, "page", c.digest, v.postedReason()
		r, a, err := g.Apply(ctx, v.who.Tenant, c.id, e)
		switch {
		case err != nil && !errors.Is(err, store.ErrNone):
			sendSentence(v.w, 503, "No answer", fmt.Sprintf("The gate's store does not answer. Only %d of %d decisions were stored. Load the page again.", i-len(wrong), len(calls)))
			return
		case err != nil:
			wrong = append(wrong, fmt.Sprintf("The decision about the call %s was not stored: there is no such proposal in your tenant.", c.id))
		case a.Code != machine.OK:
			wrong = append(wrong, fmt.Sprintf("The decision about the call of %s was not stored: %s", r.Tool, pageText(a)))
		}
	}
	if len(wrong) == 0 {
		redirectTo(v.w, then)
		return
	}
	list, err := g.loadCalls(ctx, v.who.Tenant, v.id)
	if v.id == "" || err != nil {
		sendSentence(v.w, 409, "Not stored", strings.Join(wrong, " "))
		return
	}
	g.sendCallPage(v, 409, list, strings.Join(wrong, " "))
}
