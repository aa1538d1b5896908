package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

const (
	passkeysPath      = "/passkeys"
	passkeySignInPath = "/passkeys/sign-in"
)

// admitPasskeys reports whether the gate has passkeys. If not, it has answered.
func (g *Gate) admitPasskeys(v *visit) bool {
	if g.Passkeys == nil {
		sendSentence(v.w, 404, "No passkeys", "Passkeys need the native gate, at an address with a name (https, or http://localhost).")
		return false
	}
	if v.who.Name == "" && g.limits.Rate > 0 {
		if ok, _ := g.limits.TakeAt("passkey from "+g.clientAddress(v.r), signInRate, signInBurst, g.Now()); !ok {
			sendSentence(v.w, 429, "Too many tries", "Wait a little before trying again.")
			return false
		}
	}
	return true
}

// mayHavePasskeys reports whether the visitor signed in with what a passkey stands for: a key.
func mayHavePasskeys(s session) bool {
	return s.Key != viaFront && !strings.HasPrefix(s.Key, viaProvider)
}

// passkeysPage lists the visitor's passkeys, each with a button that removes it, and has the
// form for a new one.
func (g *Gate) passkeysPage(v *visit) {
	if g.admitPasskeys(v) {
		g.sendPasskeys(v, 200, "")
	}
}

func (g *Gate) sendPasskeys(v *visit, status int, remark string) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, err := g.Store.Passkeys(ctx, v.who.Tenant, v.who.Name)
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Passkeys</h1><p>A passkey signs you in without a key. It ends with the key with which you added it.</p>`)
	if remark != "" {
		h.Element(`<p class="warn" role="alert">`, remark, `</p>`)
	}
	for i := range all {
		g.passkeyCard(h, v, &all[i])
	}
	if len(all) == 0 {
		h.Markup(`<p>You have no passkey.</p>`)
	}
	if !mayHavePasskeys(v.s) {
		h.Element(`<p>`, "You are signed in with "+g.hostOf(v.s)+", which signs you in. To add a passkey, sign in with a key.", `</p>`)
		g.sendWithNav(v, status, "Passkeys", h)
		return
	}
	c, err := g.Passkeys.Register(v.who.Tenant, v.who.Name, all)
	if err != nil {
		store.Blame(v.r.Context(), err)
		sendSentence(v.w, 503, "No answer", "The gate cannot make a challenge. Try again.")
		return
	}
	h.Markup(`<h2>Add a passkey</h2>`)
	h.Element(`<form method="post" action="`+passkeysPath+`" data-passkey="`, c.Options, `">`)
	h.Hidden("token", g.formToken(v.s, "passkeys", ""))
	h.Hidden("ceremony", g.sealCeremony(c, "add", v.s.Nonce))
	h.Hidden("answer", "")
	h.Hidden("do", "add")
	h.Markup(`<label for="label">Its name</label><input type="text" name="label" id="label" required maxlength="100" autocomplete="off"><p role="status" data-said></p><button class="yes" type="submit">Add it</button></form>`)
	g.sendScripted(v, status, "Passkeys", h, show.PasskeyScript)
}

func (g *Gate) passkeyCard(h *show.HTML, v *visit, p *store.Passkey) {
	h.Element(`<section class="card"><h2>`, p.Label, `</h2>`)
	when := func(ms int64) string { return time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05 UTC") }
	text := "Added " + when(p.Created) + ", never used"
	if p.Used > 0 {
		text = "Added " + when(p.Created) + ", last used " + when(p.Used)
	}
	if g.findApprover(p.Tenant, p.Name, p.Mark) == nil {
		text += ". It has ended with its key."
	}
	h.Element(`<p class="state">`, text, `</p>`)
	h.Markup(`<form method="post" action="`, passkeysPath, `">`)
	h.Hidden("id", p.ID)
	h.Hidden("token", g.formToken(v.s, "passkey "+p.ID, ""))
	h.Markup(`<button class="no" name="do" value="remove">Remove it</button></form></section>`)
}

// passkeysPosted adds or removes a passkey.
func (g *Gate) passkeysPosted(v *visit) {
	if !g.admitPasskeys(v) {
		return
	}
	id, what := v.form.Get("id"), v.form.Get("do")
	use := "passkeys"
	if what == "remove" {
		use = "passkey " + id
	}
	if what != "add" && what != "remove" || subtleDiffers(v.form.Get("token"), g.formToken(v.s, use, "")) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was changed. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	if what == "remove" {
		if _, err := g.Store.RemovePasskey(ctx, v.who.Tenant, v.who.Name, id, passkeyEntry(v.who.Tenant, v.who.Name, "page", "removed "+id, g.Now())); err != nil {
			sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether anything was changed.")
			return
		}
		redirectTo(v.w, passkeysPath)
		return
	}
	label := strings.TrimSpace(v.form.Get("label"))
	if !mayHavePasskeys(v.s) || label == "" || len(label) > 400 || !hookcall.IsPrintable(label) {
		g.sendPasskeys(v, 400, "Not added: a passkey needs a name, and a session that began with a key.")
		return
	}
	if err := g.addPasskey(ctx, v.s, label, v.form.Get("ceremony"), v.form.Get("answer")); err != nil {
		store.Blame(v.r.Context(), fmt.Errorf("a passkey of %s was refused: %w", v.who.Name, err))
		g.sendPasskeys(v, 403, "Not added: the gate's log has the reason.")
		return
	}
	redirectTo(v.w, passkeysPath)
}

// passkeySignInPage has the button that signs in with a passkey.
func (g *Gate) passkeySignInPage(v *visit) {
	if g.admitPasskeys(v) {
		g.sendPasskeySignIn(v, 200, v.r.URL.Query().Get("next"), "")
	}
}

func (g *Gate) sendPasskeySignIn(v *visit, status int, next, wrong string) {
	nonce, err := g.nameBrowser(v.w, v.r)
	var c Ceremony
	if err == nil {
		c, err = g.Passkeys.SignIn()
	}
	if err != nil {
		store.Blame(v.r.Context(), err)
		sendSentence(v.w, 503, "No answer", "The gate cannot make a challenge. Try again.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Sign in with a passkey</h1>`)
	if wrong != "" {
		h.Element(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	h.Element(`<form method="post" action="`+passkeySignInPath+`" data-passkey="`, c.Options, `">`)
	h.Hidden("next", safeNext(next))
	h.Hidden("ceremony", g.sealCeremony(c, "sign-in", nonce))
	h.Hidden("answer", "")
	h.Markup(`<p role="status" data-said></p><button class="yes" type="submit">Use a passkey</button></form><p><a href="`, loginPath, `">Sign in with a key</a></p>`)
	show.Write(v.w, status, "Sign in", show.Policy+"; script-src "+show.HashOf(show.PasskeyScript), nil, h, `<script>`+show.PasskeyScript+`</script>`)
}

// passkeySignInPosted signs in the approver whose passkey answered.
func (g *Gate) passkeySignInPosted(v *visit) {
	if !g.admitPasskeys(v) {
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	next := safeNext(v.form.Get("next"))
	s, err := g.usePasskey(ctx, g.browserNonce(v.r), v.form.Get("ceremony"), v.form.Get("answer"))
	if err != nil {
		store.Blame(v.r.Context(), fmt.Errorf("sign-in with a passkey refused: %w", err))
		g.sendPasskeySignIn(v, 403, next, "You were not signed in. The gate's log has the reason.")
		return
	}
	if !g.startSession(v.w, s) {
		sendSentence(v.w, 503, "No answer", "The gate cannot make a secret. Try again.")
		return
	}
	redirectTo(v.w, next)
}
