package gate

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

// cards shows the page of one call, or of a batch with one form for all of its calls.
func (g *Gate) cards(v *visit, status int, list []machine.Record, wrong string) {
	h := &html{}
	title := "One call"
	if isBatch(v.id) {
		v.batch = open(v.who, list)
		title = fmt.Sprintf("%d calls of one turn", len(list))
	}
	h.el(`<h1>`, title, `</h1>`)
	g.frozenBanner(h, v)
	if wrong != "" {
		h.el(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	if isBatch(v.id) {
		h.raw(`<p>None of them runs before all of them are decided.</p>`)
	}
	for i := range list {
		g.card(h, v, &list[i])
	}
	if len(v.batch) > 1 {
		g.batchForm(h, v)
	}
	g.send(v, status, title, h)
}

// open returns the calls of a batch that the visitor may decide now.
func open(who machine.Principal, list []machine.Record) (out []machine.Record) {
	for i := range list {
		if list[i].State == machine.Pending && mayDecide(who, &list[i]) == "" {
			out = append(out, list[i])
		}
	}
	return out
}

// choice shows the inputs for a decision on one call of a batch. They belong to the
// form at the end of the page.
func (g *Gate) choice(h *html, v *visit, r *machine.Record) {
	if not := mayDecide(v.who, r); not != "" {
		h.el(`<p class="warn">`, not, `</p>`)
		return
	}
	h.raw(`<fieldset class="choice"><legend>Call `)
	h.text(fmt.Sprint(r.Index + 1))
	h.raw(`</legend>`)
	for _, x := range [...][2]markup{{"approve", "Approve"}, {"deny", "Deny"}} {
		h.raw(`<label class="check"><input type="radio" form="batch" required value="`, x[0], `" name="choice-`)
		h.text(r.ID)
		h.raw(`"> `, x[1], `</label>`)
	}
	if r.Why.SecondAct() {
		acknowledgeOf(h, r)
	}
	h.raw(`</fieldset>`)
}

func acknowledgeOf(h *html, r *machine.Record) {
	inner := &html{}
	acknowledge(inner, r, "acknowledge-"+r.ID)
	h.b.WriteString(strings.Replace(inner.b.String(), `<input type="checkbox"`, `<input type="checkbox" form="batch"`, 1))
}

// batchForm shows the form that sends all decisions of a batch together.
func (g *Gate) batchForm(h *html, v *visit) {
	until := v.batch[0].Expires
	for i := range v.batch {
		until = min(until, v.batch[i].Expires)
	}
	h.raw(`<form method="post" id="batch" class="card" action="`, callPath)
	h.text(v.id)
	h.raw(`" data-left="`)
	h.text(fmt.Sprint(max(0, until-g.Now())))
	h.raw(`"><button type="submit" disabled hidden></button>`)
	for i := range v.batch {
		r := &v.batch[i]
		h.raw(`<input type="hidden" name="call" value="`)
		h.text(r.ID + " " + r.Digest + " " + g.token(v.s, r.ID, r.Digest))
		h.raw(`">`)
	}
	reasonField(h, "batch", "Reason for all of them (sent to the agent)")
	h.raw(`<div class="both"><button class="plain" name="do" value="each">Send these decisions</button>`,
		`<button class="no" name="do" value="deny" formnovalidate>Deny all of them</button></div></form>`)
}

// posedCall is one call in a form for several calls.
type posedCall struct{ id, digest string }

// calls reads a posted form for several calls and returns the calls in it. The result ok
// is false if one of the calls was not shown in this session, or if there are none or too
// many.
func (g *Gate) calls(v *visit) (out []posedCall, ok bool) {
	for _, text := range v.form["call"] {
		f := strings.Fields(text)
		if len(f) != 3 || subtleDiffers(f[2], g.token(v.s, f[0], f[1])) {
			return nil, false
		}
		out = append(out, posedCall{f[0], f[1]})
	}
	return out, len(out) > 0 && len(out) <= maxCalls
}

const notShown = "The form is not the one that was shown in this session. Nothing was decided; open the page again."

// batchDecided passes the decisions on a batch to the machine, one after the other.
func (g *Gate) batchDecided(v *visit) {
	calls, ok := g.calls(v)
	all := v.form.Get("do")
	if !ok || all != "each" && all != "deny" {
		say(v.w, 403, "Refused", notShown)
		return
	}
	for _, c := range calls {
		if choice := v.form["choice-"+c.id]; all == "each" && (len(choice) != 1 || choice[0] != "approve" && choice[0] != "deny") {
			say(v.w, 403, "Refused", "Say yes or no to each call. Nothing was decided; open the page again.")
			return
		}
	}
	g.decideAll(v, calls, func(c posedCall) machine.Event {
		return machine.Event{Approve: all == "each" && v.form.Get("choice-"+c.id) == "approve", Acknowledge: v.form.Get("acknowledge-"+c.id) == "yes"}
	}, callPath+v.id)
}

// decideAll applies a decision to each of the calls. The function word returns the
// decision for a call. If all decisions are stored, decideAll redirects the visitor to
// the address that is the last argument. Otherwise it sends a page that says what was not
// stored and why.
func (g *Gate) decideAll(v *visit, calls []posedCall, word func(posedCall) machine.Event, then string) {
	ctx, cancel := v.bounded()
	defer cancel()
	var wrong []string
	for i, c := range calls {
		e := word(c)
		e.Kind, e.By, e.Channel, e.Digest, e.Text = machine.Decide, v.who, "page", c.digest, v.reason()
		r, a, err := g.Apply(ctx, v.who.Tenant, c.id, e)
		switch {
		case err != nil && !errors.Is(err, ErrNone):
			say(v.w, 503, "No answer", fmt.Sprintf("The gate's store does not answer. %d of %d decisions were stored; load the page again.", i-len(wrong), len(calls)))
			return
		case err != nil || a.Code != machine.OK:
			wrong = append(wrong, fmt.Sprintf("The decision about %s was not stored: %s.", r.Tool, a.Text))
		}
	}
	if len(wrong) == 0 {
		redirect(v.w, then)
		return
	}
	list, err := g.listed(ctx, v.who.Tenant, v.id)
	if v.id == "" || err != nil {
		say(v.w, 409, "Not stored", strings.Join(wrong, " "))
		return
	}
	g.cards(v, 409, list, strings.Join(wrong, " "))
}
