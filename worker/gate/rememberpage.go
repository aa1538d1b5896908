package gate

import (
	"fmt"
	"time"

	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// spans are the times for which pages offer to remember a yes, or to delegate decisions.
var spans = [...]struct {
	word show.Markup
	text string
	long time.Duration
}{{"15m", "15 minutes", 15 * time.Minute}, {"1h", "1 hour", time.Hour}, {"4h", "4 hours", 4 * time.Hour}, {"8h", "8 hours", 8 * time.Hour}, {"24h", "24 hours", 24 * time.Hour}}

// spanOf returns the time of a word of spans, or 0.
func spanOf(word string) time.Duration {
	for _, s := range spans {
		if string(s.word) == word {
			return s.long
		}
	}
	return 0
}

// writeRememberForm writes the fields of a decision's form with which the visitor also lets
// the gate remember the yes, if the policy lets the visitor do so.
func (g *Gate) writeRememberForm(h *show.HTML, v *visit, r *machine.Record) {
	rule := g.Policy().RuleToRemember(r, v.who.Name)
	if rule == nil || r.Session == "" || r.Needs != 1 || r.Why.Mutating != mutation.Yes || r.Why.SecondAct() || r.Why.AskedOnlyByData() || r.Why.Edit != nil {
		return
	}
	h.Markup(`<details class="change"><summary>Remember this yes</summary><p>`)
	h.Text("It covers calls of " + r.Principal + " in this session of the agent, under this policy.")
	h.Markup(`</p><label for="for-`)
	h.Text(r.ID)
	h.Markup(`">For</label><select name="for" id="for-`)
	h.Text(r.ID)
	h.Markup(`">`)
	for i, s := range spans {
		if s.long.Milliseconds() <= rule.Within || i == 0 {
			h.Markup(`<option value="`, s.word, `">`)
			h.Text(s.text)
			h.Markup(`</option>`)
		}
	}
	h.Markup(`</select><label for="bounds-`)
	h.Text(r.ID)
	h.Markup(`">Conditions on all arguments (JSON), or nothing for exactly these bytes</label><textarea name="bounds" rows="3" spellcheck="false" autocomplete="off" placeholder="{&#34;amount&#34;: {&#34;max&#34;: 50}}" id="bounds-`)
	h.Text(r.ID)
	h.Markup(`"></textarea><button class="yes" name="choice" value="remember">Approve and remember</button></details>`)
}

// rememberPosted approves a call and lets the gate remember the yes.
func (g *Gate) rememberPosted(v *visit, e machine.Event) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	long := spanOf(v.form.Get("for"))
	bounds := v.form.Get("bounds")
	if bounds != "" {
		bounds = `{"when":` + bounds + `}`
	}
	e.Approve = true
	record, a, err := g.Apply(ctx, v.who.Tenant, v.id, e)
	if err == nil && a.Code == machine.OK {
		_, a, err = g.Remember(ctx, v.who, "page", v.id, e.Digest, bounds, g.Now()+long.Milliseconds())
		if err == nil && a.Code != machine.OK {
			g.sendCallPage(v, 409, []machine.Record{record}, "The call is approved, but the yes is not remembered: "+pageText(a))
			return
		}
	}
	switch {
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer, or there is no such proposal in your tenant. Load the page again to see whether your decision was stored.")
	case a.Code != machine.OK:
		g.sendCallPage(v, 409, []machine.Record{record}, "Not stored: "+pageText(a))
	default:
		redirectTo(v.w, rememberedPath)
	}
}

// rememberedPage lists the remembered decisions, each with a button that ends it.
func (g *Gate) rememberedPage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, next, err := g.Store.Remembered(ctx, v.who.Tenant, g.Now(), placeOnPage(v))
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Remembered decisions</h1><p>Nobody is asked about the calls that these cover. A freeze of the agent, another policy, and the end of the approver's key end them.</p>`)
	shown := 0
	for i := range all {
		if m := &all[i]; g.stillKeyed(m) {
			shown++
			g.rememberedCard(h, v, m)
		}
	}
	if shown == 0 && next == (store.Place{}) && placeOnPage(v) == next {
		h.Markup(`<p>No yes is remembered.</p>`)
	}
	writeNext(h, rememberedPath, next)
	g.sendWithNav(v, 200, "Remembered decisions", h)
}

func (g *Gate) rememberedCard(h *show.HTML, v *visit, m *machine.Remembered) {
	h.Markup(`<section class="card"><h2><code>`)
	show.Escaped(h, proposal.Escape(m.Tool))
	h.Markup(`</code></h2>`)
	text := fmt.Sprintf("%s left, until %s; given by %s", formatTimeLeft(m.Until-g.Now()), time.UnixMilli(m.Until).UTC().Format("2006-01-02 15:04:05 UTC"), m.By)
	if m.Policy != g.Policy().Version {
		text = "Covers nothing now: it was given under another policy. Given by " + m.By
	}
	h.Element(`<p class="state">`, text, `</p><dl><dt>Agent</dt><dd>`)
	h.Text(m.Agent)
	h.Markup(`</dd><dt>Session, in the agent&#39;s words</dt><dd><code>&#34;`)
	show.Escaped(h, proposal.Escape(m.Session))
	h.Markup(`&#34;</code></dd><dt>Covers</dt><dd><code>`)
	show.Escaped(h, proposal.Escape(m.Bounds))
	h.Markup(`</code></dd></dl><p><a href="`, callPath)
	h.Text(m.Source)
	h.Markup(`">The call that was approved</a></p>`)
	g.writeEndForm(h, v, rememberedPath, "remembered", m.ID, m.Bounds)
	h.Markup(`</section>`)
}

// forgetPosted ends a remembered yes.
func (g *Gate) forgetPosted(v *visit) { g.endPosted(v, rememberedPath, "remembered", g.Forget) }
