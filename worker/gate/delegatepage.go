package gate

import (
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// giverFor returns the delegation by which the visitor may approve a call that they may not
// approve for themselves; nil for none.
func (g *Gate) giverFor(v *visit, r *machine.Record) *machine.Delegation {
	if r.State != machine.Pending {
		return nil
	}
	if own, _ := r.Why.MayApprove(v.who.Name); own && mayDecide(v.who, r, g.Now()) == "" && r.Why.CountsFor(v.who.Name) {
		return nil
	}
	all := g.delegationsOf(v)
	for i := range all {
		if r.MayApproveFor(v.who.Name, all[i].Giver, g.Now()) {
			return &all[i]
		}
	}
	return nil
}

// delegationsOf returns the delegations to the visitor that count now. It reads them once for a visit. Without an answer of
// the store, the page shows what the visitor may do alone.
func (g *Gate) delegationsOf(v *visit) []machine.Delegation {
	if v.givers == nil {
		ctx, cancel := v.limitedContext()
		defer cancel()
		if v.givers, _ = g.delegationsTo(ctx, v.who.Tenant, v.who.Name); v.givers == nil {
			v.givers = []machine.Delegation{}
		}
	}
	return v.givers
}

// writeDelegatedForm shows the form for a decision in the place of a giver.
func (g *Gate) writeDelegatedForm(h *show.HTML, v *visit, r *machine.Record, d *machine.Delegation) {
	g.openForm(h, callPath, r.ID, r.Expires)
	h.Hidden("token", g.formToken(v.s, r.ID, r.Digest))
	h.Hidden("digest", r.Digest)
	h.Hidden("giver", d.Giver)
	h.Element(`<p>`, "You decide in the place of "+d.Giver+", who has delegated decisions to you for "+formatTimeLeft(d.Until-g.Now())+".", `</p>`)
	writeAcknowledgement(h, r, "acknowledge", "")
	reasonField(h, r.ID, "Reason (sent to the agent)")
	h.Element(`<div class="both"><button class="yes" name="choice" value="approve">`, "Approve for "+d.Giver, `</button><button class="no" name="choice" value="deny">Deny</button></div></form>`)
}

// delegationsPage lists the delegations that count, each with a button that ends it, and has
// the form for a new one.
func (g *Gate) delegationsPage(v *visit) { g.sendDelegations(v, 200, "") }

func (g *Gate) sendDelegations(v *visit, status int, remark string) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, next, err := g.delegationPage(ctx, v.who.Tenant, "", placeOnPage(v))
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Delegations</h1><p>A delegate decides in the place of the giver, and never twice about one call. The end of a key of one of them, and a policy that lets it no more, end a delegation.</p>`)
	if remark != "" {
		h.Element(`<p class="warn" role="alert">`, remark, `</p>`)
	}
	for i := range all {
		g.delegationCard(h, v, &all[i])
	}
	if len(all) == 0 && next == (store.Place{}) && placeOnPage(v) == next {
		h.Markup(`<p>Nobody has delegated decisions.</p>`)
	}
	writeNext(h, delegationsPath, next)
	g.delegateForm(h, v)
	g.sendWithNav(v, status, "Delegations", h)
}

func (g *Gate) delegationCard(h *show.HTML, v *visit, d *machine.Delegation) {
	h.Element(`<section class="card"><h2>`, d.Giver+" to "+d.To, `</h2>`)
	h.Element(`<p class="state">`, formatTimeLeft(d.Until-g.Now())+" left, until "+time.UnixMilli(d.Until).UTC().Format("2006-01-02 15:04:05 UTC"), `</p>`)
	g.writeEndForm(h, v, delegationsPath, "delegation", d.ID, "")
	h.Markup(`</section>`)
}

// delegateForm shows the form for a new delegation, if the policy lets the visitor give one.
func (g *Gate) delegateForm(h *show.HTML, v *visit) {
	most := g.Policy().MostDelegated(v.who.Name)
	if most == 0 {
		h.Markup(`<p>The policy does not let you delegate decisions.</p>`)
		return
	}
	h.Markup(`<h2>Delegate my decisions</h2><form method="post" action="`, delegationsPath, `"><button type="submit" disabled hidden></button>`)
	h.Hidden("token", g.formToken(v.s, "delegate", ""))
	h.Markup(`<label for="to">To (the name of another approver)</label><input type="text" name="to" id="to" required maxlength="200" autocomplete="off"><label for="for">For</label><select name="for" id="for">`)
	for i, s := range spans {
		if s.long.Milliseconds() <= most || i == 0 {
			h.Markup(`<option value="`, s.word, `">`)
			h.Text(s.text)
			h.Markup(`</option>`)
		}
	}
	h.Markup(`</select><button class="yes" name="do" value="give">Delegate</button></form>`)
}

// delegationPosted gives or ends a delegation.
func (g *Gate) delegationPosted(v *visit) {
	if v.form.Get("do") == "end" {
		g.endPosted(v, delegationsPath, "delegation", g.Undelegate)
		return
	}
	if v.form.Get("do") != "give" || subtleDiffers(v.form.Get("token"), g.formToken(v.s, "delegate", "")) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was changed. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	_, a, err := g.Delegate(ctx, v.who, "page", strings.TrimSpace(v.form.Get("to")), g.Now()+spanOf(v.form.Get("for")).Milliseconds())
	switch {
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether anything was changed.")
	case a.Code != machine.OK:
		g.sendDelegations(v, 409, "Not delegated: "+a.Text+".")
	default:
		redirectTo(v.w, delegationsPath)
	}
}
