package gate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// say sends a page with one sentence.
func say(w http.ResponseWriter, status int, title, text string) {
	h := &html{}
	h.el(`<h1>`, title, `</h1>`)
	h.el(`<p>`, text, `</p><p><a href="`+pendingPath+`">What waits</a></p>`)
	sendPage(w, status, title, h)
}

// callPage shows one call or a batch.
func (g *Gate) callPage(v *visit) {
	ctx, cancel := v.bounded()
	defer cancel()
	list, err := g.listed(ctx, v.who.Tenant, v.id)
	if errors.Is(err, ErrNone) {
		say(v.w, 404, "Not here", "There is no such proposal in your tenant.")
		return
	}
	if err != nil {
		say(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	g.cards(v, 200, list, "")
}

// listed loads one call or a batch in its current state.
func (g *Gate) listed(ctx context.Context, tenant, id string) ([]machine.Record, error) {
	if isBatch(id) {
		return g.currentBatch(ctx, tenant, id)
	}
	r, err := g.current(ctx, tenant, id)
	return []machine.Record{r}, err
}

func (g *Gate) styleSheet(v *visit) {
	v.w.Header().Set("Content-Type", "text/css; charset=utf-8")
	io.WriteString(v.w, style)
}

func signInPage(w http.ResponseWriter, status int, next, wrong string) {
	h := &html{}
	h.raw(`<h1>Sign in to decide</h1>`)
	if wrong != "" {
		h.el(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	h.raw(`<form method="post" action="`, loginPath, `">`)
	h.hidden("next", safeNext(next))
	h.raw(`<label for="key">Approver key</label><input id="key" name="key" type="password" autocomplete="current-password" required>`,
		`<button type="submit">Sign in</button></form>`)
	sendPage(w, status, "Sign in", h)
}

func (g *Gate) loginPosted(v *visit) {
	next := safeNext(v.form.Get("next"))
	who, known, ok := g.trySignIn(v.r, strings.TrimSpace(v.form.Get("key")))
	if !ok {
		say(v.w, 429, "Too many tries", "Wait a little before trying again.")
	} else if !known || !g.signIn(v.w, who) {
		signInPage(v.w, 403, next, "That is not an approver's key.")
	} else {
		redirect(v.w, next)
	}
}

func (g *Gate) logoutPosted(v *visit) {
	if err := g.signOut(v.r); err != nil {
		say(v.w, 503, "No answer", "The gate's store does not answer. You may still be signed in; try again.")
		return
	}
	g.setCookie(v.w, "", -1)
	redirect(v.w, loginPath)
}

// decided handles the posted form of a call or a batch. It passes the decision to the
// machine.
func (g *Gate) decided(v *visit) {
	if isBatch(v.id) {
		g.batchDecided(v)
		return
	}
	digest, choice := v.form.Get("digest"), v.form.Get("choice")
	known := choice == "approve" || choice == "deny" || choice == "revoke"
	if subtleDiffers(v.form.Get("token"), g.token(v.s, v.id, digest)) || !known || len(v.form["choice"]) != 1 {
		say(v.w, 403, "Refused", notShown)
		return
	}
	ctx, cancel := v.bounded()
	defer cancel()
	e := machine.Event{Kind: machine.Decide, By: v.who, Channel: "page", Approve: choice == "approve", Digest: digest, Text: v.reason(), Acknowledge: v.form.Get("acknowledge") == "yes"}
	if choice == "revoke" {
		e.Kind = machine.Revoke
	}
	record, a, err := g.Apply(ctx, v.who.Tenant, v.id, e)
	switch {
	case errors.Is(err, ErrNone):
		say(v.w, 404, "Not here", "There is no such proposal in your tenant.")
	case err != nil:
		say(v.w, 503, "No answer", "The gate's store does not answer. Load the page again to see whether your decision was stored.")
	case a.Code != machine.OK:
		g.cards(v, 409, []machine.Record{record}, "Not stored: "+a.Text+".")
	case record.Batch != "":
		redirect(v.w, callPath+record.Batch)
	default:
		redirect(v.w, callPath+record.ID)
	}
}

// reason returns the reason in a posted form, cut to maxText bytes.
func (v *visit) reason() string {
	reason := strings.ToValidUTF8(v.form.Get("reason"), "\uFFFD")
	if len(reason) > maxText {
		reason = strings.ToValidUTF8(reason[:maxText], "")
	}
	return reason
}
