package gate

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

func redirectTo(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// sendSentence sends a page with one sentence.
func sendSentence(w http.ResponseWriter, status int, title, text string) {
	h := &show.HTML{}
	h.Element(`<h1>`, title, `</h1>`)
	h.Element(`<p>`, text, `</p><p><a href="`+pendingPath+`">What waits</a></p>`)
	show.Send(w, status, title, h)
}

// callPage shows one call or a batch.
func (g *Gate) callPage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	list, err := g.loadCalls(ctx, v.who.Tenant, v.id)
	if errors.Is(err, store.ErrNone) {
		sendSentence(v.w, 404, "Not here", "There is no such proposal in your tenant.")
		return
	}
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	g.sendCallPage(v, 200, list, "")
}

// loadCalls loads one call or a batch in its current state.
func (g *Gate) loadCalls(ctx context.Context, tenant, id string) ([]machine.Record, error) {
	if isBatch(id) {
		return g.currentBatch(ctx, tenant, id)
	}
	r, err := g.loadCurrent(ctx, tenant, id)
	return []machine.Record{r}, err
}

func (g *Gate) styleSheet(v *visit) {
	v.w.Header().Set("Content-Type", "text/css; charset=utf-8")
	io.WriteString(v.w, show.Style)
}

func (g *Gate) signInPage(w http.ResponseWriter, status int, next, wrong string) {
	h := &show.HTML{}
	h.Markup(`<h1>Sign in to decide</h1>`)
	if wrong != "" {
		h.Element(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	if g.Provider != nil {
		h.Element(`<p><a href="`+providerPath+`?next=`, safeNext(next), `">Sign in with `)
		h.Element(``, g.Provider.Host(), `</a></p>`)
	}
	if g.Passkeys != nil {
		h.Element(`<p><a href="`+passkeySignInPath+`?next=`, safeNext(next), `">Sign in with a passkey</a></p>`)
	}
	h.Markup(`<form method="post" action="`, loginPath, `">`)
	h.Hidden("next", safeNext(next))
	h.Markup(`<label for="key">Approver key</label><input id="key" name="key" type="password" autocomplete="current-password" required>`,
		`<button type="submit">Sign in</button></form>`)
	show.Send(w, status, "Sign in", h)
}

func (g *Gate) loginPosted(v *visit) {
	next := safeNext(v.form.Get("next"))
	key, ok := g.trySignIn(v.r, strings.TrimSpace(v.form.Get("key")))
	if !ok {
		sendSentence(v.w, 429, "Too many tries", "Wait a little before trying again.")
	} else if key == nil || !g.signIn(v.w, key) {
		g.signInPage(v.w, 403, next, "That is not an approver's key.")
	} else {
		redirectTo(v.w, next)
	}
}

func (g *Gate) logoutPosted(v *visit) {
	s, _, err := g.sessionOf(v.r)
	var refused *tokenError
	switch {
	case errors.As(err, &refused):
		g.refuseToken(v, err)
		return
	case err == nil:
		err = g.signOut(v.r, s)
	}
	if err != nil && !errors.Is(err, errNoSession) {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. You may still be signed in; try again.")
		return
	}
	if s.Key == viaFront {
		g.sendFrontPage(v, 200, "Signed out", "You have signed out here.")
		return
	}
	g.setCookie(v.w, "", -1)
	if strings.HasPrefix(s.Key, viaProvider) {
		ctx, cancel := v.limitedContext()
		defer cancel()
		if leave := g.Provider.Leave(ctx); leave != "" {
			h := &show.HTML{}
			h.Element(`<h1>Signed out here</h1><p>You may still be signed in at `, g.Provider.Host(), `.</p>`)
			h.Markup(`<p><a href="`)
			h.Text(leave)
			h.Markup(`">Sign out there</a> <a href="`, loginPath, `">Sign in</a></p>`)
			show.Send(v.w, 200, "Signed out", h)
			return
		}
	}
	redirectTo(v.w, loginPath)
}

// decisionPosted handles the posted form of a call or a batch. It passes the decision to
// the machine.
func (g *Gate) decisionPosted(v *visit) {
	if isBatch(v.id) {
		g.batchDecided(v)
		return
	}
	digest, choice := v.form.Get("digest"), v.form.Get("choice")
	known := slices.Contains([]string{"approve", "bypass", "deny", "revoke", "answer", "edit", "remember"}, choice)
	if subtleDiffers(v.form.Get("token"), g.formToken(v.s, v.id, digest)) || !known || len(v.form["choice"]) != 1 {
		sendSentence(v.w, 403, "Refused", notShown)
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	e := machine.Event{Kind: machine.Decide, By: v.who, Channel: "page", Approve: choice == "approve", Digest: digest, Text: v.postedReason(), Acknowledge: v.form.Get("acknowledge") == "yes", Seen: v.form.Get("seen"), Giver: v.form.Get("giver")}
	switch choice {
	case "revoke":
		e.Kind = machine.Revoke
	case "bypass":
		e.Approve, e.Bypass = true, true
	case "answer":
		e.Kind = machine.Respond
	case "edit":
		g.editPosted(v, e)
		return
	case "remember":
		g.rememberPosted(v, e)
		return
	}
	record, a, err := g.Apply(ctx, v.who.Tenant, v.id, e)
	switch {
	case errors.Is(err, store.ErrNone):
		sendSentence(v.w, 404, "Not here", "There is no such proposal in your tenant.")
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Load the page again to see whether your decision was stored.")
	case a.Code != machine.OK:
		g.sendCallPage(v, 409, []machine.Record{record}, "Not stored: "+pageText(a))
	case record.Batch != "":
		redirectTo(v.w, callPath+record.Batch)
	default:
		redirectTo(v.w, callPath+record.ID)
	}
}

// pageText returns why a form was refused, without the member that a client of the API would
// have to send: a person has buttons and fields for that.
func pageText(a machine.Answer) string {
	text, _, _ := strings.Cut(a.Text, `want "`)
	return strings.TrimRight(text, ":; ") + "."
}

// postedReason returns the reason in a posted form, cut to maxText bytes.
func (v *visit) postedReason() string {
	reason := strings.ToValidUTF8(v.form.Get("reason"), "\uFFFD")
	if len(reason) > maxText {
		reason = strings.ToValidUTF8(reason[:maxText], "")
	}
	return reason
}

// sendWithNav sends a page to a visitor who has signed in. The page gets links to the
// other pages, and the script that keeps the page up to date.
func (g *Gate) sendWithNav(v *visit, status int, title string, body *show.HTML) {
	g.sendScripted(v, status, title, body, show.LiveScript)
}

// sendScripted sends a page with links as sendWithNav does, with another script. also
// has more parts of the page's security policy.
func (g *Gate) sendScripted(v *visit, status int, title string, body *show.HTML, script show.Markup, also ...string) {
	top := &show.HTML{}
	top.Markup(`<nav aria-label="Pages"><a href="`, pendingPath, `">What waits</a> <a href="`, freezePath, `">Stop agents</a> <a href="`, rememberedPath, `">Remembered</a> <a href="`, delegationsPath, `">Delegations</a> <a href="`, historyPath, `">Decided</a> <a href="`, definitionsPath,
		`">Tools</a> <a href="`, fatiguePath, `">How often</a></nav>`)
	body.Markup(`<footer><form method="post" action="`, logoutPath, `"><button type="submit" class="plain">Sign out `)
	body.Text(v.who.Name)
	body.Markup(`</button></form>`)
	if g.Passkeys != nil {
		body.Markup(`<p><a href="`, passkeysPath, `">Passkeys</a></p>`)
	}
	if g.Pushes != nil {
		body.Markup(`<p><a href="`, browsersPath, `">Messages to this browser</a></p>`)
	}
	if host := g.hostOf(v.s); host != "" {
		body.Element(`<p>Signed in as `, v.who.Name, ` with `)
		body.Element(``, host, `</p>`)
	}
	body.Markup(`</footer>`)
	show.Write(v.w, status, title, show.Policy+"; connect-src 'self'; script-src "+show.HashOf(string(script))+strings.Join(also, ""), top, body, `<script>`+script+`</script>`)
}
