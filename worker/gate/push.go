package gate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
	"github.com/boundcheck/boundcheck/worker/gate/notify"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds one law: a message goes only to a browser that an approver subscribed while
// signed in, as long as what signed them in would still do so.

// Pushes sends messages to browsers (Web Push). Package push has one.
type Pushes interface {
	// Read returns the address and the keys of the subscription that a browser gave as JSON.
	Read(text string) (endpoint, keys string, err error)
	// Public returns the key by which browsers know the gate with a secret.
	Public(secret []byte) (string, error)
	// Messenger returns the messenger of one browser. It calls ended if the browser's push
	// service has forgotten the browser.
	Messenger(secret []byte, p store.Push, ended func(ctx context.Context, why string) error) notify.Messenger
}

const (
	browsersPath     = "/browsers"
	pushScriptPath   = "/browsers/worker" // of the service worker, which controls nothing else
	pushesAtOnce     = 8
	pushesOfOneRound = 100
)

// pushSecret returns the secret from which the key for push services follows.
func (g *Gate) pushSecret(ctx context.Context) ([]byte, error) {
	text, err := g.storedSecret(ctx, "push")
	if err != nil {
		return nil, err
	}
	return hex.DecodeString(text)
}

func pushEntry(p *store.Push, channel, text string, now int64) machine.Entry {
	return machine.Entry{Version: 1, Tenant: p.Tenant, Event: "push", At: now, By: p.Name, Role: machine.Approver, Channel: channel, Text: fmt.Sprintf("%s %q %s", text, p.Label, p.ID)}
}

// pushEnded returns why a browser gets no more messages; "" if it still does.
func (g *Gate) pushEnded(ctx context.Context, p *store.Push) (string, error) {
	s := session{Tenant: p.Tenant, Name: p.Name, Key: p.Via, Until: p.Until}
	if p.Until != 0 && g.Now() >= p.Until {
		return "its session has ended", nil
	}
	if _, ok := g.approverOf(s); !ok && (s.Key != viaFront || g.Front == nil) {
		return "its approver does not sign in with that key any more", nil
	}
	if gone, err := g.passkeyEnded(ctx, s); err != nil || gone {
		return "its passkey was removed", err
	}
	return "", nil
}

// deliverPushes sends the messages that are due.
func (g *Gate) deliverPushes(ctx context.Context) error {
	all, err := g.Store.DuePushes(ctx, g.Now(), pushesOfOneRound)
	if err != nil || len(all) == 0 {
		return err
	}
	secret, err := g.pushSecret(ctx)
	if err != nil {
		return err
	}
	errs := make([]error, len(all))
	free := make(chan struct{}, pushesAtOnce)
	var wait sync.WaitGroup
	for i := range all {
		free <- struct{}{}
		wait.Go(func() {
			errs[i] = g.deliverPush(ctx, secret, all[i])
			<-free
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func (g *Gate) deliverPush(ctx context.Context, secret []byte, p store.Push) error {
	end := func(ctx context.Context, why string) error {
		_, err := g.Store.RemovePush(ctx, p.Tenant, "", p.ID, pushEntry(&p, "", "ended because "+why+":", g.Now()))
		return err
	}
	why, err := g.pushEnded(ctx, &p)
	if err != nil {
		return err
	}
	if why != "" {
		return end(ctx, why)
	}
	to := notify.NewPeople(g.Pushes.Messenger(secret, p, end), g.Store, g.Link, g.onceLink, g.Now)
	return (&notify.Outbox{Store: g.Store, Now: g.Now}).Deliver(ctx, to)
}

// browsersPage lists the visitor's browsers, and has the form that subscribes this one.
func (g *Gate) browsersPage(v *visit) { g.sendBrowsers(v, 200, "") }

func (g *Gate) sendBrowsers(v *visit, status int, remark string) {
	if g.Pushes == nil {
		sendSentence(v.w, 404, "No messages", "Messages to browsers need the native gate with --push, at https or http://localhost.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	all, err := g.Store.Pushes(ctx, v.who.Tenant, v.who.Name)
	var secret []byte
	if err == nil {
		secret, err = g.pushSecret(ctx)
	}
	var public string
	if err == nil {
		public, err = g.Pushes.Public(secret)
	}
	if err != nil {
		store.Blame(v.r.Context(), err)
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer.")
		return
	}
	h := &show.HTML{}
	h.Markup(`<h1>Messages</h1><p>A browser that you add shows a message when a call waits for you, also while no page is open and after you sign out. `,
		`The message may show what the call does. It decides nothing: it opens the page of the call. It ends with what you signed in with.</p>`)
	if remark != "" {
		h.Element(`<p class="warn" role="alert">`, remark, `</p>`)
	}
	for i := range all {
		h.Element(`<section class="card"><h2>`, all[i].Label, `</h2>`)
		h.Element(`<p class="state">`, "Added "+store.Instant(all[i].Created), `</p>`)
		h.Markup(`<form method="post" action="`, browsersPath, `">`)
		h.Hidden("id", all[i].ID)
		h.Hidden("token", g.formToken(v.s, "push "+all[i].ID, ""))
		h.Markup(`<button class="no" name="do" value="remove">Remove it</button></form></section>`)
	}
	h.Element(`<h2>Add this browser</h2><form method="post" action="`+browsersPath+`" data-push="`, public, `">`)
	h.Hidden("token", g.formToken(v.s, "push", ""))
	h.Hidden("subscription", "")
	h.Hidden("do", "add")
	h.Markup(`<label for="label">Its name</label><input type="text" name="label" id="label" required maxlength="100" autocomplete="off"><p role="status" data-said></p><button class="yes" type="submit">Add it</button></form>`)
	g.sendScripted(v, status, "Messages", h, show.PushScript, "; worker-src 'self'")
}

// browsersPosted adds or removes a browser.
func (g *Gate) browsersPosted(v *visit) {
	id, use, label := v.form.Get("id"), "push", strings.TrimSpace(v.form.Get("label"))
	remove := v.form.Get("do") == "remove"
	if remove {
		use += " " + id
	}
	if subtleDiffers(v.form.Get("token"), g.formToken(v.s, use, "")) {
		sendSentence(v.w, 403, "Refused", "This form was not shown in this session, so nothing was changed. Open the page again.")
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	p := store.Push{ID: id, Tenant: v.who.Tenant, Name: v.who.Name, Via: v.s.Key, Label: label, Created: g.Now()}
	if strings.HasPrefix(p.Via, viaProvider) || p.Via == viaFront {
		p.Until = v.s.Until // nobody tells the gate when this person leaves
	}
	var err error
	done := true
	switch {
	case g.Pushes == nil:
	case remove:
		_, err = g.Store.RemovePush(ctx, p.Tenant, p.Name, id, pushEntry(&p, "page", "removed", p.Created))
	case label == "" || len(label) > 400 || !hookcall.IsPrintable(label):
		g.sendBrowsers(v, 400, "Not added: a browser needs a name.")
		return
	default:
		if p.Endpoint, p.Keys, err = g.Pushes.Read(v.form.Get("subscription")); err != nil {
			g.sendBrowsers(v, 400, "Not added: "+err.Error()+".")
			return
		}
		if p.ID, err = g.Fresh("w_"); err == nil {
			done, err = g.Store.AddPush(ctx, &p, pushEntry(&p, "page", "added", p.Created))
		}
	}
	switch {
	case err != nil:
		store.Blame(v.r.Context(), err)
		sendSentence(v.w, 503, "No answer", "The gate's store does not answer. Open the page again to see whether anything was changed.")
	case !done:
		g.sendBrowsers(v, 409, "Not added: this browser gets messages already, for you or for another approver, or you have ten browsers.")
	default:
		redirectTo(v.w, browsersPath)
	}
}

// pushScript sends the service worker, which shows messages and opens the pages of calls.
func (g *Gate) pushScript(v *visit) {
	h := v.w.Header()
	h.Set("Content-Type", "text/javascript; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'")
	v.w.Write([]byte(show.PushWorker))
}
