package gate

import (
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/show"
)

// oncePath is the path of links that sign in once, followed by a token.
const oncePath = "/once/"

// SignInLink returns the address of a link with which an approver can sign in once. The
// link is valid until the given time in Unix milliseconds, and not longer than the
// approver's first key, for which it stands. It opens a page with a button,
// and only the button signs in, because some programs open links by themselves.
func (g *Gate) SignInLink(who machine.Principal, until int64) (string, error) {
	k := g.findApprover(who.Tenant, who.Name, "")
	if k == nil {
		return "", fmt.Errorf("no approver named %q has a key", who.Name)
	}
	nonce, err := g.Fresh("")
	if err != nil {
		return "", err
	}
	text := strings.Join([]string{who.Tenant, who.Name, strconv.FormatInt(until, 36), nonce[:20], k.mark()}, " ")
	return g.home.String() + oncePath + base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + g.computeMAC("once", text)[:32], nil
}

// onceFor parses the token of a sign-in link. It returns the key for which the link
// stands, the name that records the link as used, and the time at which the link ends.
// The key is nil if the token is invalid, the time has passed, or the key was removed.
func (g *Gate) onceFor(token string) (k *Key, name string, until int64) {
	payload, mac, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || subtle.ConstantTimeCompare([]byte(mac), []byte(g.computeMAC("once", string(text))[:32])) != 1 {
		return nil, "", 0
	}
	f := strings.Fields(string(text))
	if len(f) != 5 {
		return nil, "", 0
	}
	if until, err = strconv.ParseInt(f[2], 36, 64); err != nil || g.Now() >= until {
		return nil, "", 0
	}
	return g.findApprover(f[0], f[1], f[4]), "once " + f[3], until
}

const onceOver = "This link was already used or has expired. Sign in with the key."

// oncePage shows the button of a sign-in link. Opening the page does not sign in.
func (g *Gate) oncePage(v *visit) {
	k, _, _ := g.onceFor(v.id)
	if k == nil {
		g.signInPage(v.w, 403, pendingPath, onceOver)
		return
	}
	h := &show.HTML{}
	h.Element(`<h1>Sign in as `, k.Name, `</h1><p>This link works once.</p>`)
	h.Markup(`<form method="post" action="`, oncePath)
	h.Text(v.id)
	h.Markup(`">`)
	h.Hidden("next", safeNext(v.r.URL.Query().Get("next")))
	h.Markup(`<button class="plain" type="submit">Sign in</button></form>`)
	show.Send(v.w, 200, "Sign in", h)
}

// oncePosted signs in with a sign-in link, and marks the link as used. It refuses a link
// that was used before.
func (g *Gate) oncePosted(v *visit) {
	k, name, until := g.onceFor(v.id)
	if k == nil {
		g.signInPage(v.w, 403, pendingPath, onceOver)
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	switch fresh, err := g.Store.Spend(ctx, name, until); {
	case err != nil:
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nobody was signed in; try again.")
	case !fresh || !g.signIn(v.w, k):
		g.signInPage(v.w, 403, pendingPath, onceOver)
	default:
		redirectTo(v.w, safeNext(v.form.Get("next")))
	}
}
