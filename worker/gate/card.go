package gate

import (
	"crypto/subtle"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/show"
)

func subtleDiffers(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) != 1 }

// writeCard writes the card of one call. The parts of a card are, in this order: the
// call, the gate's findings, the possible actions, and the agent's texts in a frame of
// their own.
func (g *Gate) writeCard(h *show.HTML, v *visit, r *machine.Record) {
	h.Markup(`<article class="card"><h2>`)
	if r.Size > 1 {
		h.Text(fmt.Sprintf("%d of %d: ", r.Index+1, r.Size))
	}
	h.Markup(`<code>`)
	show.Escaped(h, proposal.Escape(r.Tool))
	h.Markup(`</code></h2>`)
	show.Lookalikes(h, r.Tool)
	if r.Why.Dir != "" {
		h.Markup(`<p>in the directory <code>`)
		show.Escaped(h, proposal.Escape(r.Why.Dir))
		h.Markup(`</code></p>`)
		show.Lookalikes(h, r.Why.Dir)
	}
	g.standsLine(h, r)
	writeWarnings(h, r, g.Now())
	writeAsked(h, r.Why.Asked)
	writeEdit(h, v, r)
	g.writePreview(h, v, r)
	show.Arguments(h, r.Arguments, r.Sources)
	g.writeDetails(h, r)
	for _, vote := range r.Votes {
		h.Element(`<p class="vote">`, voteText(vote), `</p>`)
	}
	h.Markup(`<div data-live="do-`)
	h.Text(r.ID)
	h.Markup(`" data-v="`)
	h.Text(string(r.State) + strconv.FormatInt(r.Rev, 10))
	h.Markup(`">`)
	g.act1(h, v, r)
	h.Markup(`</div>`)
	agentsWords(h, r)
	h.Markup(`</article>`)
}

// standsLine shows the state of the call, and its deadline.
func (g *Gate) standsLine(h *show.HTML, r *machine.Record) {
	text := stateWords(r)
	if r.Due() != 0 && r.State != machine.Claimed {
		text += " · " + g.deadlineText(r)
	}
	if e := r.Why.Escalate; e != nil && r.Escalated != 0 && r.State == machine.Pending {
		text += " · escalated at " + time.UnixMilli(r.Escalated).UTC().Format("15:04:05 UTC") + " to " + strings.Join(e.To, ", ")
	}
	if r.State == machine.Pending && r.Needs > 1 {
		text += fmt.Sprintf(" · %d of %d required people have approved", len(r.Approvals()), r.Needs)
	}
	h.Markup(`<p class="state" data-live="state-`)
	h.Text(r.ID)
	h.Markup(`" data-v="`)
	h.Text(text)
	h.Markup(`">`)
	h.Text(text)
	h.Markup(`</p>`)
}

func stateWords(r *machine.Record) string {
	switch r.State {
	case machine.Pending:
		return "Waits for a decision"
	case machine.Approved:
		if r.Needs == 0 {
			return "The call changes nothing and runs when the other calls are decided"
		}
		if m := r.Why.Recalled; m != nil {
			return "Passes by a remembered yes of " + m.By + "; the agent has not claimed the call yet"
		}
		if r.Stopped.At != 0 {
			return "Approved, but the policy stopped the claim: " + r.Stopped.Text
		}
		if r.Why.Wait > 0 {
			return "Approved; the agent may claim the call from " + time.UnixMilli(r.RunsFrom()).UTC().Format("15:04:05 UTC") + " on"
		}
		return "Approved; the agent has not claimed the call yet"
	case machine.Claimed:
		return "The agent has claimed the call; the outcome is not known yet"
	case machine.Denied:
		if v, ok := r.Decided(); ok && v.Revoke {
			return "Denied: the approval was revoked"
		}
		return "Denied"
	case machine.Superseded:
		return "Edited: another call stands in its place, and this one never runs"
	case machine.Answered:
		return "Answered: the agent got a text, and the call does not run"
	case machine.Expired:
		return "Expired: the call counts as denied"
	case machine.Cancelled:
		if r.Stopped.Text != "" {
			return "Cancelled: " + r.Stopped.Text
		}
		return "Cancelled by the agent"
	case machine.Executed:
		return "Executed"
	case machine.Failed:
		return "Failed"
	}
	return "Ambiguous: nobody knows whether the call ran"
}

// deadlineText returns a text that says how long a call still waits, and what happens at
// the end of that time.
func (g *Gate) deadlineText(r *machine.Record) string {
	end := "then the call counts as denied"
	if r.State == machine.Approved {
		end = "then the approval ends"
	}
	return formatTimeLeft(r.Ends()-g.Now()) + " left, until " + time.UnixMilli(r.Ends()).UTC().Format("15:04:05 UTC") + "; " + end
}

// formatTimeLeft formats a remaining time in whole minutes. Below two minutes it formats
// the time in seconds, rounded up to a multiple of ten.
func formatTimeLeft(ms int64) string {
	s := max(0, ms) / 1000
	if s >= 120 {
		return strconv.FormatInt(s/60, 10) + " min"
	}
	return strconv.FormatInt((s+9)/10*10, 10) + " s"
}

// writeWarnings shows the effect of a call, earlier denials of the same call, and whether it
// may have run already. If the
// call is too long for one prompt, it also shows how many bytes are missing from the text
// that the visitor approves.
func writeWarnings(h *show.HTML, r *machine.Record, now int64) {
	h.Element(`<p class="effect">`, effectText(r), `</p>`)
	if b := r.Why.Before; b != nil {
		text := fmt.Sprintf("Denied %s ago by %s", formatTimeLeft(now-b.At), b.By)
		switch {
		case b.Answer:
			text = fmt.Sprintf("Answered %s ago by %s, without a yes or a no", formatTimeLeft(now-b.At), b.By)
		case b.Times > 1:
			text = fmt.Sprintf("Denied %d times in the last day. The last denial was %s ago, by %s", b.Times, formatTimeLeft(now-b.At), b.By)
		}
		if b.Reason != "" {
			text += ": " + proposal.Escape(b.Reason)
		}
		h.Element(`<p class="warn">`, text, `</p>`)
	}
	if twin := twinText(r); twin != "" {
		h.Element(`<p class="warn">`, strings.TrimPrefix(twin, " · ")+".", `</p>`)
	}
	if r.Why.Uninspectable && r.Why.HiddenBytes > 0 {
		h.Element(`<p class="warn">`, "The call is too long for one prompt. The text that you approve does not contain "+show.Size(r.Why.HiddenBytes)+" of the call.", `</p>`)
	}
}

// writeAsked shows who asked for a call, if the gate knows the conversation.
func writeAsked(h *show.HTML, a *proposal.Asker) {
	if a == nil || a.Text == "" {
		return
	}
	if a.By == proposal.AskedByData || a.By == proposal.AskedByNobody {
		h.Markup(`<p class="asked warn">`)
	} else {
		h.Markup(`<p class="asked">`)
	}
	show.Escaped(h, a.Line())
	h.Markup(`</p>`)
}

func effectText(r *machine.Record) string {
	switch {
	case r.Needs == 0:
		return "Changes nothing. The call runs when the other calls of this turn are decided."
	case r.Why.Verdict == "unknown":
		return "The effect is unknown, so the call counts as a change."
	case r.Why.Destructive:
		return "Changes something. Perhaps the change cannot be undone."
	case r.Why.Verdict == "no":
		return "Changes nothing."
	}
	return "Changes something."
}

// writeDetails writes a folded section with details that few people need: the reason for
// the question, the exact bytes and the digest.
func (g *Gate) writeDetails(h *show.HTML, r *machine.Record) {
	h.Markup(`<details><summary>Exact bytes, digest and reason for asking</summary><dl><dt>Agent</dt><dd>`)
	h.Text(r.Principal)
	h.Element(`</dd><dt>Why asked</dt><dd>`, askedReason(r), `</dd>`)
	if r.Why.Edit != nil {
		h.Element(`</dd><dt>Edited by</dt><dd>`, strings.Join(r.Why.Edit.Editors, ", ")+" (rule "+r.Why.Edit.Rule+")", ``)
	}
	from := "Values come from the conversation that the agent's program sent."
	if r.Sources == nil {
		from = "Not known: the gate received no conversation, or the conversation was too long."
	}
	h.Element(`<dt>Where values come from</dt><dd>`, from, `</dd>`)
	h.Element(`<dt>Asked at</dt><dd>`, time.UnixMilli(r.Created).UTC().Format("2006-01-02 15:04:05 UTC"), `</dd>`)
	h.Element(`<dt>Digest</dt><dd><code>`, r.Digest, `</code></dd></dl>`)
	h.Markup(`<h3>The text that the decision is about</h3><pre class="code">`)
	for line := range strings.Lines(r.Prompt) {
		h.Element(`<span>`, line, `</span>`)
	}
	h.Element(`</pre><h3>The arguments, `, show.Size(len(r.Arguments)), `, as the call will use them</h3><pre class="code">`)
	show.Lines(h, strings.Split(show.Truncate(r.Arguments, show.Most), "\n"), "")
	h.Markup(`</pre></details>`)
}

func askedReason(r *machine.Record) string {
	if r.Why.Rule == "fourEyes" {
		return "the policy requires two people for this tool"
	}
	if r.Why.Line > 0 {
		text := fmt.Sprintf("the rule %q (line %d of the policy)", r.Why.Rule, r.Why.Line)
		if r.Why.RuleText != "" {
			text += ": " + r.Why.RuleText
		}
		return proposal.Escape(text + "; " + r.Why.Reason)
	}
	return proposal.Escape(r.Why.Reason)
}

func voteText(v machine.Vote) string {
	what := " denied"
	switch {
	case v.Answer:
		what = " answered"
	case v.Bypass:
		what = " approved alone, by a bypass,"
	case v.Approve:
		what = " approved"
	case v.Revoke:
		what = " took the approval back"
	}
	by := v.By
	if v.Giver != "" {
		by += " (for " + v.Giver + ")"
	}
	out := by + what + " at " + time.UnixMilli(v.At).UTC().Format("15:04:05 UTC")
	if v.Reason != "" {
		out += ": " + proposal.Escape(v.Reason)
	}
	return out
}

// agentsWords shows texts that the agent has chosen and that nobody has checked, below
// all texts of the gate.
func agentsWords(h *show.HTML, r *machine.Record) {
	if r.Session == "" && r.Outcome.Detail == "" {
		return
	}
	h.Markup(`<aside class="agent"><h3>Written by the agent, not checked</h3><dl>`)
	for _, x := range [...][2]string{{"Session", r.Session}, {"Outcome", r.Outcome.Detail}} {
		if x[1] == "" {
			continue
		}
		h.Element(`<dt>`, x[0], `</dt><dd><code>&#34;`)
		show.Escaped(h, proposal.Escape(show.Truncate(x[1], maxText)))
		h.Markup(`&#34;</code></dd>`)
	}
	h.Markup(`</dl></aside>`)
}

// act1 shows the forms for the actions that are possible on a call now.
func (g *Gate) act1(h *show.HTML, v *visit, r *machine.Record) {
	switch {
	case v.link != "":
		g.writeLinkForm(h, v, r)
	case r.State == machine.Pending && (v.batch == nil || len(v.batch) == 1):
		g.writeDecisionForm(h, v, r)
		g.writeEditForm(h, v, r)
	case r.State == machine.Pending:
		g.writeChoice(h, v, r)
		g.writeEditForm(h, v, r)
	case r.State == machine.Superseded:
		h.Markup(`<p><a href="`, callPath)
		h.Text(r.Replaced)
		h.Markup(`">The edited call</a></p>`)
	case r.State == machine.Approved && r.Needs > 0:
		g.revokeForm(h, v, r)
	}
}

// mayDecide returns the reason why the visitor may not decide a call. It returns "" if
// the visitor may decide the call.
func mayDecide(who machine.Principal, r *machine.Record, now int64) string {
	if !r.MayDecide(who.Name, now) {
		return "This call waits for " + r.For + "."
	}
	for _, v := range r.Votes {
		if v.Approve && (v.By == who.Name || v.Giver == who.Name) {
			return "You have approved this call, by yourself or through a delegate. The call now waits for another approver."
		}
	}
	return ""
}

// writeAcknowledgement writes a checkbox if the approval of a call needs an explicit
// acknowledgement (see machine.Why.SecondAct). The text next to the checkbox says why.
// The parameter name is the name of the form field, and form says to which form it belongs
// if it stands outside of it.
func writeAcknowledgement(h *show.HTML, r *machine.Record, name string, form show.Markup) {
	text := "I approve this call, although different programs may read its numbers differently"
	switch u := r.Why.Unsure; {
	case u != nil && u.Since:
		text = "I approve this call, although the same call was handed out since it was proposed"
	case u != nil && r.Why.Edit != nil && !u.Edited:
		text = "I approve this call, although it may have run already"
	case r.Why.Uninspectable:
		text = "I approve this call, although the text does not show the whole call"
	case r.Why.SecondAct():
	case r.Why.Equal > 0:
		text = "I want this call to run also if an equal call runs"
	default:
		return
	}
	h.Markup(`<label class="check"><input type="checkbox" `, form, `value="yes" name="`)
	h.Text(name)
	h.Element(`"> `, text, `</label>`)
	if u := r.Why.Unsure; u != nil && u.Since { // the tick is of this run, and of no later one
		h.Markup(`<input type="hidden" `, form, `name="`)
		h.Text("seen" + strings.TrimPrefix(name, "acknowledge"))
		h.Markup(`" value="`)
		h.Text(u.ID)
		h.Markup(`">`)
	}
}

// openForm writes the beginning of a form. The parameter until is the time at which the
// page's script disables the buttons of the form.
func (g *Gate) openForm(h *show.HTML, path show.Markup, id string, until int64) {
	h.Markup(`<form method="post" action="`, path)
	h.Text(id)
	h.Markup(`" data-left="`)
	h.Text(strconv.FormatInt(max(0, until-g.Now()), 10))
	h.Markup(`"><button type="submit" disabled hidden></button>`) // Enter in the reason presses the first button: this one
}

func reasonField(h *show.HTML, id, label string) {
	h.Markup(`<label for="reason-`)
	h.Text(id)
	h.Markup(`">`)
	h.Text(label)
	h.Markup(`</label><input type="text" name="reason" maxlength="1000" autocomplete="off" id="reason-`)
	h.Text(id)
	h.Markup(`">`)
}

// writeDecisionForm shows the form for a decision on one call. The form's token is valid
// only in this session and for this digest.
func (g *Gate) writeDecisionForm(h *show.HTML, v *visit, r *machine.Record) {
	if d := g.giverFor(v, r); d != nil {
		g.writeDelegatedForm(h, v, r, d)
		return
	}
	if not := mayDecide(v.who, r, g.Now()); not != "" {
		h.Element(`<p class="warn">`, not, `</p>`)
		return
	}
	g.openForm(h, callPath, r.ID, r.Expires)
	h.Hidden("token", g.formToken(v.s, r.ID, r.Digest))
	h.Hidden("digest", r.Digest)
	own := !r.Why.CountsFor(v.who.Name)
	if own {
		h.Markup(`<p>You edited this call, so another approver must approve it.</p>`)
	} else {
		writeAcknowledgement(h, r, "acknowledge", "")
	}
	reasonField(h, r.ID, "Reason or answer (sent to the agent)")
	h.Markup(`<div class="both">`)
	if !own {
		h.Markup(`<button class="yes" name="choice" value="approve">Approve</button>`)
	}
	h.Markup(`<button class="no" name="choice" value="deny">Deny</button></div>`,
		`<button class="plain" name="choice" value="answer">Answer with this text, without running the call</button>`)
	if !own && slices.Contains(r.Why.Bypass, v.who.Name) {
		h.Markup(`<button class="plain" name="choice" value="bypass">Approve alone, with this reason, what needs other people (the audit says so)</button>`)
	}
	if !own {
		g.writeRememberForm(h, v, r)
	}
	h.Markup(`</form>`)
}

// revokeForm shows the form that revokes an approval.
func (g *Gate) revokeForm(h *show.HTML, v *visit, r *machine.Record) {
	g.openForm(h, callPath, r.ID, r.Ends())
	h.Hidden("token", g.formToken(v.s, r.ID, r.Digest))
	h.Hidden("digest", r.Digest)
	reasonField(h, r.ID, "Reason (sent to the agent)")
	h.Markup(`<button class="no" name="choice" value="revoke">Take the approval back</button></form>`)
}
