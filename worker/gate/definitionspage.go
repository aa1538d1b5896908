package gate

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// definitionsPage shows changed and new definitions, each with a form to accept it.
func (g *Gate) definitionsPage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	pins, err := g.Store.Pins(ctx, v.who.Tenant, "")
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Tool definitions</h1>`)
	reviewed := 0
	for i := range pins {
		if p := &pins[i]; p.State() == store.PinReviewed {
			reviewed++
		} else {
			g.pinCard(h, v.s, p)
		}
	}
	h.Element(`<p>`, fmt.Sprintf("Definitions that have not changed since their review: %d.", reviewed), `</p>`)
	g.sendWithNav(v, 200, "Tool definitions", h)
}

func (g *Gate) pinCard(h *show.HTML, s session, p *store.Pin) {
	h.Markup(`<section class="card">`)
	h.Element(`<h2>`, proposal.Escape(p.Tool+" of "+p.Server), `</h2>`)
	if p.Held() {
		h.Markup(`<p class="warn">The definition of this tool has changed. The tool cannot be called until you accept the new definition.</p><h3>Before</h3>`)
		writeDefinition(h, p.PinnedText)
		h.Markup(`<h3>Now</h3>`)
	} else {
		h.Markup(`<p>This tool was added after the first listing. The tool may be called, but its hints are not trusted until you accept its definition.</p>`)
	}
	writeDefinition(h, p.Text)
	h.Markup(`<form method="post" action="`, definitionsPath, `">`)
	h.Hidden("token", g.formToken(s, p.Server+" "+p.Tool, p.Hash))
	h.Hidden("server", p.Server)
	h.Hidden("tool", p.Tool)
	h.Hidden("hash", p.Hash)
	h.Markup(`<button class="yes" type="submit">Accept this definition</button></form></section>`)
}

// writeDefinition writes a definition so that every character of it can be seen.
func writeDefinition(h *show.HTML, text string) {
	h.Markup(`<pre class="code">`)
	for _, line := range strings.SplitAfter(text, ",") {
		h.Markup(`<span>`)
		show.Escaped(h, proposal.Escape(line))
		h.Markup(`</span>`)
	}
	h.Markup(`</pre>`)
}

// definitionPosted handles the posted form of the page. It accepts the definition that
// the form names.
func (g *Gate) definitionPosted(v *visit) {
	p := store.Pin{Server: v.form.Get("server"), Tool: v.form.Get("tool"), Hash: v.form.Get("hash")}
	if subtleDiffers(v.form.Get("token"), g.formToken(v.s, p.Server+" "+p.Tool, p.Hash)) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was accepted. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	switch accepted, err := g.acceptPin(ctx, v.who, p, "page"); {
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether the definition was accepted.")
	case !accepted:
		sendSentence(v.w, 409, "Not accepted", "The server now returns another definition. Look at that definition first.")
	default:
		redirectTo(v.w, definitionsPath)
	}
}
