package gate

import (
	"crypto/subtle"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/proposal"
)

func subtleDiffers(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) != 1 }

// card shows one call: first the call itself, then the gate's findings, then the
// possible actions, and last, in a frame of its own, the agent's texts.
func (g *Gate) card(h *html, v *visit, r *machine.Record) {
	h.raw(`<article class="card"><h2>`)
	if r.Size > 1 {
		h.text(fmt.Sprintf("%d of %d: ", r.Index+1, r.Size))
	}
	h.raw(`<code>`)
	marked(h, proposal.Escape(r.Tool))
	h.raw(`</code></h2>`)
	notes(h, r.Tool)
	g.standsLine(h, r)
	warnings(h, r, g.Now())
	showArguments(h, r.Arguments, r.Sources)
	g.small(h, r)
	for _, vote := range r.Votes {
		h.el(`<p class="vote">`, said(vote), `</p>`)
	}
	h.raw(`<div data-live="do-`)
	h.text(r.ID)
	h.raw(`" data-v="`)
	h.text(string(r.State) + strconv.FormatInt(r.Rev, 10))
	h.raw(`">`)
	g.act1(h, v, r)
	h.raw(`</div>`)
	agentsWords(h, r)
	h.raw(`</article>`)
}

// standsLine shows the state of the call, and its deadline.
func (g *Gate) standsLine(h *html, r *machine.Record) {
	text := stateWords(r)
	if r.Due() != 0 && r.State != machine.Claimed {
		text += " · " + g.until(r)
	}
	if r.State == machine.Pending && r.Needs > 1 {
		text += fmt.Sprintf(" · %d of %d different people have approved", len(r.Votes), r.Needs)
	}
	h.raw(`<p class="state" data-live="state-`)
	h.text(r.ID)
	h.raw(`" data-v="`)
	h.text(text)
	h.raw(`">`)
	h.text(text)
	h.raw(`</p>`)
}

func stateWords(r *machine.Record) string {
	switch r.State {
	case machine.Pending:
		return "Waits for a decision"
	case machine.Approved:
		if r.Needs == 0 {
			return "Changes nothing; runs when the other calls are decided"
		}
		return "Approved; the agent has not claimed it yet"
	case machine.Claimed:
		return "Handed out to run; no outcome yet"
	case machine.Denied:
		if v, ok := r.Decided(); ok && v.Revoke {
			return "Denied: the approval was revoked"
		}
		return "Denied"
	case machine.Expired:
		return "Expired: it counts as denied"
	case machine.Cancelled:
		return "Cancelled by the agent"
	case machine.Executed:
		return "Executed"
	case machine.Failed:
		return "Failed"
	}
	return "Ambiguous: nobody knows whether it ran"
}

// until returns a text that says how long a call still waits, and what happens at the end
// of that time.
func (g *Gate) until(r *machine.Record) string {
	end := "then it counts as denied"
	if r.State == machine.Approved {
		end = "then the approval ends"
	}
	return left(r.Expires-g.Now()) + " left, until " + time.UnixMilli(r.Expires).UTC().Format("15:04:05 UTC") + "; " + end
}

// left formats a remaining time in whole minutes. Below two minutes it formats the time
// in seconds, rounded up to a multiple of ten.
func left(ms int64) string {
	s := max(0, ms) / 1000
	if s >= 120 {
		return strconv.FormatInt(s/60, 10) + " min"
	}
	return strconv.FormatInt((s+9)/10*10, 10) + " s"
}

// warnings shows the effect of a call and earlier denials of the same call. If the call
// is too long for one prompt, it also shows how many bytes are missing from the text that
// the visitor approves.
func warnings(h *html, r *machine.Record, now int64) {
	h.el(`<p class="effect">`, effect(r), `</p>`)
	if b := r.Why.Before; b != nil {
		text := fmt.Sprintf("Denied %s ago by %s", left(now-b.At), b.By)
		if b.Times > 1 {
			text = fmt.Sprintf("Denied %d times in the last day, most recently %s ago by %s", b.Times, left(now-b.At), b.By)
		}
		if b.Reason != "" {
			text += ": " + proposal.Escape(b.Reason)
		}
		h.el(`<p class="warn">`, text, `</p>`)
	}
	if r.Why.Uninspectable && r.Why.HiddenBytes > 0 {
		h.el(`<p class="warn">`, "Too long for one prompt: "+sizeOf(r.Why.HiddenBytes)+" are not in the text that you approve.", `</p>`)
	}
}

func effect(r *machine.Record) string {
	switch {
	case r.Needs == 0:
		return "Changes nothing. It runs when the other calls of this turn are decided."
	case r.Why.Verdict == "unknown":
		return "Unknown effect, so it counts as a change."
	case r.Why.Destructive:
		return "Changes something; perhaps it cannot be undone."
	case r.Why.Verdict == "no":
		return "Changes nothing."
	}
	return "Changes something."
}

// small shows details that few people need, in a folded section: the reason for the
// question, the exact bytes and the digest.
func (g *Gate) small(h *html, r *machine.Record) {
	h.raw(`<details><summary>Exact bytes, digest and reason for asking</summary><dl><dt>Agent</dt><dd>`)
	h.text(r.Principal)
	h.el(`</dd><dt>Why asked</dt><dd>`, why(r), `</dd>`)
	from := "From the conversation that the agent's program sent."
	if r.Sources == nil {
		from = "Not known: the gate received no conversation, or the conversation was too long."
	}
	h.el(`<dt>Where values come from</dt><dd>`, from, `</dd>`)
	h.el(`<dt>Asked at</dt><dd>`, time.UnixMilli(r.Created).UTC().Format("2006-01-02 15:04:05 UTC"), `</dd>`)
	h.el(`<dt>Digest</dt><dd><code>`, r.Digest, `</code></dd></dl>`)
	h.raw(`<h3>The text that a decision is bound to</h3><pre class="code">`)
	for line := range strings.Lines(r.Prompt) {
		h.el(`<span>`, line, `</span>`)
	}
	h.el(`</pre><h3>The arguments, `, sizeOf(len(r.Arguments)), `, as they will run</h3><pre class="code">`)
	lines(h, strings.Split(cut(r.Arguments, mostShown), "\n"), "")
	h.raw(`</pre></details>`)
}

func why(r *machine.Record) string {
	if r.Why.Rule == "fourEyes" {
		return "the policy requires two people for this tool"
	}
	return proposal.Escape(r.Why.Reason)
}

func said(v machine.Vote) string {
	what := " denied"
	switch {
	case v.Approve:
		what = " approved"
	case v.Revoke:
		what = " took the approval back"
	}
	out := v.By + what + " at " + time.UnixMilli(v.At).UTC().Format("15:04:05 UTC")
	if v.Reason != "" {
		out += ": " + proposal.Escape(v.Reason)
	}
	return out
}

// agentsWords shows texts that the agent has chosen and that nobody has checked, below
// all texts of the gate.
func agentsWords(h *html, r *machine.Record) {
	if r.Session == "" && r.Outcome.Detail == "" {
		return
	}
	h.raw(`<aside class="agent"><h3>Written by the agent, not checked</h3><dl>`)
	for _, x := range [...][2]string{{"Session", r.Session}, {"Outcome", r.Outcome.Detail}} {
		if x[1] == "" {
			continue
		}
		h.el(`<dt>`, x[0], `</dt><dd><code>&#34;`)
		marked(h, proposal.Escape(cut(x[1], maxText)))
		h.raw(`&#34;</code></dd>`)
	}
	h.raw(`</dl></aside>`)
}

// act1 shows the forms for the actions that are possible on a call now.
func (g *Gate) act1(h *html, v *visit, r *machine.Record) {
	switch {
	case r.State == machine.Pending && (v.batch == nil || len(v.batch) == 1):
		g.form(h, v, r)
	case r.State == machine.Pending:
		g.choice(h, v, r)
	case r.State == machine.Approved && r.Needs > 0:
		g.revokeForm(h, v, r)
	}
}

// mayDecide returns the reason why the visitor may not decide a call; "" if the visitor
// may.
func mayDecide(who machine.Principal, r *machine.Record) string {
	if r.For != "" && r.Needs < 2 && r.For != who.Name {
		return "This call waits for " + r.For + "."
	}
	for _, v := range r.Votes {
		if v.By == who.Name && v.Approve {
			return "You have approved this call; it waits for another approver."
		}
	}
	return ""
}

// acknowledge shows a checkbox if the approval of a call needs an explicit
// acknowledgement (see machine.Why.SecondAct). The text next to it says why. name is the
// name of the form field.
func acknowledge(h *html, r *machine.Record, name string) {
	if !r.Why.SecondAct() {
		return
	}
	text := "I approve this call although not every program reads its numbers in the same way"
	if r.Why.Uninspectable {
		text = "I approve this call although the text that I approve does not contain all of it"
	}
	h.raw(`<label class="check"><input type="checkbox" value="yes" name="`)
	h.text(name)
	h.el(`"> `, text, `</label>`)
}

// open writes the beginning of a form. until is the time at which the script of the page
// disables the buttons of the form.
func (g *Gate) open(h *html, path markup, id string, until int64) {
	h.raw(`<form method="post" action="`, path)
	h.text(id)
	h.raw(`" data-left="`)
	h.text(strconv.FormatInt(max(0, until-g.Now()), 10))
	h.raw(`"><button type="submit" disabled hidden></button>`) // Enter in the reason presses the first button: this one
}

func reasonField(h *html, id, label string) {
	h.raw(`<label for="reason-`)
	h.text(id)
	h.raw(`">`)
	h.text(label)
	h.raw(`</label><input type="text" name="reason" maxlength="1000" autocomplete="off" id="reason-`)
	h.text(id)
	h.raw(`">`)
}

// form shows the form for a decision on one call. The form's token is valid only in this
// session and for this digest.
func (g *Gate) form(h *html, v *visit, r *machine.Record) {
	if not := mayDecide(v.who, r); not != "" {
		h.el(`<p class="warn">`, not, `</p>`)
		return
	}
	g.open(h, callPath, r.ID, r.Expires)
	h.hidden("token", g.token(v.s, r.ID, r.Digest))
	h.hidden("digest", r.Digest)
	acknowledge(h, r, "acknowledge")
	reasonField(h, r.ID, "Reason (sent to the agent)")
	h.raw(`<div class="both"><button class="yes" name="choice" value="approve">Approve</button><button class="no" name="choice" value="deny">Deny</button></div></form>`)
}

// revokeForm shows the form that revokes an approval.
func (g *Gate) revokeForm(h *html, v *visit, r *machine.Record) {
	g.open(h, callPath, r.ID, r.Expires)
	h.hidden("token", g.token(v.s, r.ID, r.Digest))
	h.hidden("digest", r.Digest)
	reasonField(h, r.ID, "Reason (sent to the agent)")
	h.raw(`<button class="no" name="choice" value="revoke">Take the approval back</button></form>`)
}
