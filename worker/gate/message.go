package gate

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/core/gate/proposal"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file takes decisions that come from messages: clicks on their buttons, and links that
// decide one call once. Both are bound to the digest that was shown and to an approver who
// has a key, and neither decides what notify.PageOnly leaves to the page.

// clickPath is the path of the clicks of a service, followed by its name.
const clickPath = "/clicks/"

// mostClick is the size in bytes above which a click is refused.
const mostClick = 64 << 10

// clickPosted takes a click on a button of a message. The service that sends it proves
// itself by its own signature.
func (g *Gate) clickPosted(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	all := g.decidersOf(v.id)
	ok, _ := g.limits.Take("clicks from "+g.clientAddress(v.r), g.Now())
	var body bytes.Buffer
	_, err := body.ReadFrom(io.LimitReader(v.r.Body, mostClick+1))
	switch {
	case len(all) == 0:
		v.w.WriteHeader(404)
		return
	case !ok:
		v.w.WriteHeader(429)
		return
	case err != nil || body.Len() > mostClick:
		v.w.WriteHeader(413)
		return
	}
	by, click, err := readClick(all, v.r.Header, body.Bytes(), g.Now())
	if errors.Is(err, notify.ErrNoClick) {
		return
	}
	fresh := false
	if err == nil {
		if fresh, err = g.Store.Spend(ctx, "click "+machine.TextHash(click.Once), click.Until); err != nil {
			g.failClick(v, err)
			return
		}
	}
	if err == nil && !fresh {
		err = errors.New("it was sent before")
	}
	if err != nil {
		store.Blame(ctx, fmt.Errorf("click of %s refused: %w", v.id, err))
		v.w.WriteHeader(401)
		return
	}
	text, over, err := g.decideByMessage(ctx, by.Name(), click)
	if err != nil {
		g.failClick(v, err)
		return
	}
	ctx, stop := context.WithTimeout(ctx, answerFor)
	defer stop()
	if err := by.Answer(ctx, click, text, over); err != nil {
		store.Blame(ctx, err) // the decision stands
	}
}

// answerFor is how long the gate tries to answer a click: services wait three seconds for
// their own answer.
const answerFor = 2 * time.Second

// failClick answers a click that could not be stored. The service shows that to the person.
func (g *Gate) failClick(v *visit, err error) {
	store.Blame(v.r.Context(), err)
	v.w.WriteHeader(503)
}

// decidersOf returns the messengers of a service whose messages have buttons.
func (g *Gate) decidersOf(service string) (all []notify.Decider) {
	for _, m := range g.Messengers {
		if d, ok := m.(notify.Decider); ok && d.Name() == service {
			all = append(all, d)
		}
	}
	return all
}

// readClick returns the click in a request, and the messenger whose message has the button.
// The error is that of the first messenger if none takes the request.
func readClick(all []notify.Decider, h http.Header, body []byte, now int64) (by notify.Decider, c notify.Click, err error) {
	for i, d := range all {
		got, why := d.Read(h, body, now)
		if why == nil {
			return d, got, nil
		}
		if i == 0 || errors.Is(why, notify.ErrNoClick) {
			err = why
		}
	}
	return nil, c, err
}

// decideByMessage applies the decision of a click or a link. It returns what became of it,
// and whether the question is over. The error is that of the store.
func (g *Gate) decideByMessage(ctx context.Context, channel string, c notify.Click) (text string, over bool, err error) {
	k := g.findApprover(c.Tenant, c.Approver, "")
	if c.Approver == "" || k == nil {
		store.Blame(ctx, fmt.Errorf("click of %s refused: the person %.60q is no approver of %s with a key", channel, c.Person, c.Tenant))
		return "Not stored: you are no approver here.", false, nil
	}
	recordPrincipal(ctx, k.Principal)
	r, err := g.loadCurrent(ctx, c.Tenant, c.ID)
	switch {
	case errors.Is(err, store.ErrNone):
		return "Not stored: there is no such call.", true, nil
	case err != nil:
		return "", false, err
	}
	if why := notify.PageOnly(&r); why != "" {
		store.Blame(ctx, fmt.Errorf("click of %s refused: the call %s is decided on the page only", channel, r.ID))
		return "Not stored: decide on the gate's page. " + why, false, nil
	}
	r, a, err := g.Apply(ctx, c.Tenant, c.ID, machine.Event{Kind: machine.Decide, By: k.Principal, Channel: channel, Approve: c.Approve, Digest: c.Digest, Text: c.Reason})
	if err != nil {
		return "", false, err
	}
	over = r.State != machine.Pending
	if a.Code != machine.OK {
		store.Blame(ctx, fmt.Errorf("decision of %s by %s refused: %s", k.Name, channel, a.Text))
		return "Not stored: " + pageText(a), over, nil
	}
	what := "denied"
	if c.Approve {
		what = "approved"
	}
	text = fmt.Sprintf("%s has %s the call of %s (%s).", k.Name, what, proposal.Escape(r.Tool), g.Link(r.ID))
	if !over {
		text += " It waits for another approver."
	}
	return text, over, nil
}

// decidePath is the path of links that decide a call once, followed by a token.
const decidePath = "/decide/"

// onceDecision is what the link of a letter stands for.
type onceDecision struct {
	click notify.Click
	who   machine.Principal
	nonce string
}

// onceLink returns the address at which an approver can decide a call once, without signing
// in. It ends with the call, and with the approver's first key.
func (g *Gate) onceLink(r *machine.Record, approver string) (string, error) {
	k := g.findApprover(r.Tenant, approver, "")
	if k == nil {
		return "", fmt.Errorf("the approver %q has no key", approver)
	}
	nonce, err := g.Fresh("")
	if err != nil {
		return "", err
	}
	text := strings.Join([]string{r.Tenant, approver, r.ID, r.Digest, strconv.FormatInt(r.Expires, 36), nonce, k.mark()}, " ")
	return g.home.String() + decidePath + base64.RawURLEncoding.EncodeToString([]byte(text)) + "." + g.computeMAC("decide", text)[:32], nil
}

// readOnce reads the token of such a link. The result ok is false if it is not the gate's, its
// time has passed, or the approver's key was removed.
func (g *Gate) readOnce(token string) (d onceDecision, ok bool) {
	payload, mac, _ := strings.Cut(token, ".")
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || subtleDiffers(mac, g.computeMAC("decide", string(text))[:32]) {
		return d, false
	}
	f := strings.Split(string(text), " ")
	if len(f) != 7 {
		return d, false
	}
	until, err := strconv.ParseInt(f[4], 36, 64)
	k := g.findApprover(f[0], f[1], f[6])
	if err != nil || g.Now() >= until || k == nil {
		return d, false
	}
	d.click = notify.Click{Tenant: f[0], Approver: f[1], ID: f[2], Digest: f[3], Until: until, Once: f[5], Person: f[1]}
	d.who, d.nonce = k.Principal, f[5]
	return d, true
}

// spent names what marks the link as used.
func (d *onceDecision) spent() string { return "decide " + d.nonce }

const linkOver = "This link was already used, or the call does not wait any more. Sign in to see it."

// decisionPage shows the call of a link with a form. Opening the page decides nothing, because
// some programs open links by themselves.
func (g *Gate) decisionPage(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	d, ok := g.readOnce(v.id)
	r, err := machine.Record{}, error(nil)
	if ok {
		r, err = g.loadCurrent(ctx, d.who.Tenant, d.click.ID)
	}
	spent := false
	if ok && err == nil {
		spent, err = g.Store.Spent(ctx, d.spent())
	}
	switch {
	case err != nil && !errors.Is(err, store.ErrNone):
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	case !ok || err != nil || spent || r.State != machine.Pending || r.Digest != d.click.Digest || notify.PageOnly(&r) != "":
		g.signInPage(v.w, 403, pendingPath, linkOver)
		return
	}
	v.who, v.s, v.link = d.who, session{Nonce: d.nonce}, v.id
	recordPrincipal(v.r.Context(), v.who)
	h := &show.HTML{}
	h.Element(`<h1>Decide as `, d.who.Name, `</h1><p>This link works once, for this call only.</p>`)
	v.before = g.beforeEdits(v, []machine.Record{r})
	g.writeCard(h, v, &r)
	show.Send(v.w, 200, "One call", h)
}

// writeLinkForm shows the form of a link that decides a call once.
func (g *Gate) writeLinkForm(h *show.HTML, v *visit, r *machine.Record) {
	if not := mayDecide(v.who, r, g.Now()); not != "" || !r.Why.CountsFor(v.who.Name) {
		h.Element(`<p class="warn">`, not+" You cannot decide it here.", `</p>`)
		return
	}
	g.openForm(h, decidePath, v.link, r.Expires)
	h.Hidden("token", g.formToken(v.s, r.ID, r.Digest))
	reasonField(h, r.ID, "Reason (sent to the agent)")
	h.Markup(`<div class="both"><button class="yes" name="choice" value="approve">Approve</button><button class="no" name="choice" value="deny">Deny</button></div></form>`)
}

// linkPosted decides with a link, and marks the link as used before.
func (g *Gate) linkPosted(v *visit) {
	ctx, cancel := v.limitedContext()
	defer cancel()
	d, ok := g.readOnce(v.id)
	choice := v.form["choice"]
	if !ok || len(choice) != 1 || choice[0] != "approve" && choice[0] != "deny" || subtleDiffers(v.form.Get("token"), g.formToken(session{Nonce: d.nonce}, d.click.ID, d.click.Digest)) {
		g.signInPage(v.w, 403, pendingPath, linkOver)
		return
	}
	fresh, err := g.Store.Spend(ctx, d.spent(), d.click.Until)
	if err == nil && !fresh {
		store.Blame(ctx, fmt.Errorf("link of %s refused: it was used before", d.who.Name))
		g.signInPage(v.w, 403, pendingPath, linkOver)
		return
	}
	text := ""
	if err == nil {
		d.click.Approve, d.click.Reason = choice[0] == "approve", v.postedReason()
		text, _, err = g.decideByMessage(ctx, "mail", d.click)
	}
	if err != nil {
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Sign in to see whether your decision was stored.")
		return
	}
	status, title := 200, "Stored"
	if strings.HasPrefix(text, "Not stored") {
		status, title = 409, "Not stored"
	}
	sendSentence(v.w, status, title, text)
}
