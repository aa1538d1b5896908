package gate

import (
	"crypto/subtle"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	machine "github.com/boundcheck/boundcheck/core/gate"
)

func subtleDiffers(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) != 1 }

// cards is the page of one call, a batch or all that waits: each call with a
// form of its own.
func (g *Gate) cards(w http.ResponseWriter, status int, s session, who machine.Principal, list []machine.Record, id, wrong string) {
	h := &html{}
	title := "What waits"
	switch {
	case isBatch(id):
		title = fmt.Sprintf("%d calls of one turn", len(list))
	case id != "":
		title = "One call"
	}
	h.el(`<h1>`, title, `</h1>`)
	if wrong != "" {
		h.el(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	if isBatch(id) {
		h.raw(`<p>None of them runs before all of them are decided. Each has a decision of its own.</p>`)
	}
	if len(list) == 0 {
		h.raw(`<p>Nothing waits for you.</p>`)
	}
	for i := range list {
		g.card(h, s, who, &list[i])
	}
	foot(h, who)
	sendPage(w, status, title, h)
}

// foot ends a page of somebody who has signed in.
func foot(h *html, who machine.Principal) {
	h.raw(`<p><a href="`, pendingPath, `">What waits</a> · <a href="`, definitionsPath, `">Tool definitions</a> · <a href="`, fatiguePath, `">How often you are asked</a></p>`,
		`<form method="post" action="`, logoutPath, `"><button type="submit">Sign out `)
	h.text(who.Name)
	h.raw(`</button></form>`)
}

func (g *Gate) card(h *html, s session, who machine.Principal, r *machine.Record) {
	h.raw(`<section>`)
	heading := r.Tool
	if r.Size > 1 {
		heading = fmt.Sprintf("%d of %d: %s", r.Index+1, r.Size, r.Tool)
	}
	h.el(`<h2>`, heading, `</h2>`)
	h.raw(`<dl>`)
	h.el(`<dt>State</dt><dd class="state">`, string(r.State), `</dd>`)
	h.el(`<dt>Asked by</dt><dd>`, r.Principal, ``)
	if r.Session != "" {
		h.el(`, session `, r.Session, ``)
	}
	h.el(`</dd><dt>Why asked</dt><dd>`, why(r), `</dd>`)
	h.el(`<dt>Effect</dt><dd>`, effect(r), `</dd>`)
	if r.Due() != 0 && r.State != machine.Claimed {
		h.el(`<dt>Expires</dt><dd>`, g.expiry(r), `</dd>`)
	}
	if r.Needs > 1 {
		h.el(`<dt>Approvals</dt><dd>`, fmt.Sprintf("%d of %d different people", len(r.Votes), r.Needs), `</dd>`)
	}
	h.raw(`</dl>`)
	h.raw(`<pre>`)
	for line := range strings.Lines(r.Prompt) { // each a block of its own: what wraps is indented, and cannot pass for a line
		h.el(`<span>`, line, `</span>`)
	}
	h.raw(`</pre>`)
	for _, v := range r.Votes {
		h.el(`<p>`, vote(v), `</p>`)
	}
	if r.State == machine.Pending {
		g.form(h, s, who, r)
	}
	h.raw(`</section>`)
}

func why(r *machine.Record) string {
	if r.Why.Rule == "fourEyes" {
		return "the policy wants two people for this tool"
	}
	return r.Why.Reason
}

func effect(r *machine.Record) string {
	switch {
	case r.Needs == 0:
		return "changes nothing; it waits for the others"
	case r.Why.Verdict == "unknown":
		return "not known, so it counts as a change"
	case r.Why.Destructive:
		return "changes something, and may not be undone"
	case r.Why.Verdict == "no":
		return "changes nothing"
	}
	return "changes something"
}

func vote(v machine.Vote) string {
	out := v.By + " denied"
	if v.Approve {
		out = v.By + " approved"
	}
	out += " at " + time.UnixMilli(v.At).UTC().Format("15:04:05 UTC")
	if v.Reason != "" {
		out += ": " + v.Reason
	}
	return out
}

// expiry says until when, and how long that is from now.
func (g *Gate) expiry(r *machine.Record) string {
	left := max(0, r.Expires-g.Now()) / 1000
	short := strconv.FormatInt(left, 10) + " s"
	if left >= 120 {
		short = strconv.FormatInt(left/60, 10) + " min"
	}
	return time.UnixMilli(r.Expires).UTC().Format("2006-01-02 15:04:05 UTC") + ", in " + short + "; then it counts as denied"
}

// form is the decision: the token binds it to this session and this digest.
func (g *Gate) form(h *html, s session, who machine.Principal, r *machine.Record) {
	if r.For != "" && r.Needs < 2 && r.For != who.Name {
		h.el(`<p class="warn">This call waits for `, r.For, `.</p>`)
		return
	}
	h.raw(`<form method="post" action="/p/`)
	h.text(r.ID)
	h.raw(`">`)
	h.raw(`<button type="submit" disabled hidden></button>`) // Enter in the reason presses the first button: this one
	h.hidden("token", g.token(s, r.ID, r.Digest))
	h.hidden("digest", r.Digest)
	if r.Why.Uninspectable {
		h.raw(`<p class="warn">Not all of what would run can be shown.</p><label><input type="checkbox" name="acknowledge" value="yes"> I approve it without having seen all of it</label>`)
	}
	h.raw(`<label for="reason-`)
	h.text(r.ID)
	h.raw(`">Reason (the agent is told)</label><input type="text" name="reason" maxlength="1000" id="reason-`)
	h.text(r.ID)
	h.raw(`"><div class="both"><button class="yes" name="choice" value="approve">Approve</button><button class="no" name="choice" value="deny">Deny</button></div></form>`)
}
