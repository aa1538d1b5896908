package gate

import (
	"errors"
	"strconv"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
)

// frozenBanner shows which agents are frozen, on all pages on which people decide. If the
// store does not answer, it shows nothing.
func (g *Gate) frozenBanner(h *show.HTML, v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, err := g.Store.Freezes(ctx, v.who.Tenant)
	text := ""
	if err == nil && len(all) > 0 {
		text = "Frozen:"
		for i, f := range all {
			if i > 0 {
				text += ","
			}
			text += " " + nameOf(f.Agent)
		}
		text += ". New calls of frozen agents are denied, and their approved calls do not run."
	}
	h.Markup(`<div role="status"><div data-live="frozen" data-v="`)
	h.Text(text)
	h.Markup(`">`)
	if text != "" {
		h.Element(`<p class="warn">`, text, ` <a href="`+freezePath+`">Stop and go</a></p>`)
	}
	h.Markup(`</div></div>`)
}

func nameOf(agent string) string {
	if agent == "" {
		return "all agents"
	}
	return agent
}

// freezePage shows the forms with which an approver freezes agents or ends a freeze.
func (g *Gate) freezePage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, err := g.Store.Freezes(ctx, v.who.Tenant)
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	holds := map[string]machine.Freeze{}
	for _, f := range all {
		holds[f.Agent] = f
	}
	h := &show.HTML{}
	h.Markup(`<h1>Stop agents</h1><p>All new calls of a frozen agent are denied, also calls that only read. Approved calls do not run. `,
		`Calls that the agent has already claimed are not stopped.</p>`)
	for _, agent := range append([]string{""}, g.agentNames(v.who.Tenant)...) {
		f, frozen := holds[agent]
		g.freezeCard(h, v, agent, f, frozen)
	}
	g.sendWithNav(v, 200, "Stop agents", h)
}

func (g *Gate) freezeCard(h *show.HTML, v *visit, agent string, f machine.Freeze, frozen bool) {
	h.Element(`<section class="card"><h2>`, upperFirst(nameOf(agent)), `</h2>`)
	if frozen {
		text := "Frozen by " + f.By + " at " + time.UnixMilli(f.At).UTC().Format("2006-01-02 15:04:05 UTC")
		if f.Reason != "" {
			text += ": " + proposal.Escape(f.Reason)
		}
		h.Element(`<p class="warn">`, text, `</p>`)
	}
	h.Markup(`<form method="post" action="`, freezePath, `"><button type="submit" disabled hidden></button>`)
	h.Hidden("agent", agent)
	h.Hidden("frozen", strconv.FormatBool(!frozen))
	h.Hidden("token", g.formToken(v.s, "freeze "+agent, strconv.FormatBool(!frozen)))
	if frozen {
		h.Element(`<button class="plain">Let `, nameOf(agent), ` go on</button></form></section>`)
		return
	}
	reasonField(h, "freeze-"+agent, "Reason (sent to the agent)")
	h.Element(`<button class="no">Stop `, nameOf(agent), ` now</button></form></section>`)
}

func upperFirst(s string) string {
	if s == "all agents" {
		return "All agents"
	}
	return s
}

func (g *Gate) freezePosted(v *visit) {
	agent, word := v.form.Get("agent"), v.form.Get("frozen")
	if subtleDiffers(v.form.Get("token"), g.formToken(v.s, "freeze "+agent, word)) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was changed. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	switch err := g.Freeze(ctx, v.who, agent, word == "true", v.postedReason(), "page"); {
	case errors.Is(err, errNoAgent):
		sendSentence(v.w, 404, "Not here", "There is no such agent in your tenant. Nothing was changed.")
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether anything was changed.")
	default:
		redirectTo(v.w, freezePath)
	}
}
