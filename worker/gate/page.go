package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	machine "github.com/boundcheck/boundcheck/core/gate"
)

// page answers the paths for people: the style sheet, /login, /logout, /pending,
// /definitions, /fatigue and /p/ID. GET never decides anything: links are opened by programs too.
func (g *Gate) page(w http.ResponseWriter, r *http.Request) bool {
	id, one := strings.CutPrefix(r.URL.Path, "/p/")
	one = one && id != "" && !strings.Contains(id, "/")
	switch path := r.URL.Path; {
	case path == "/gate.css" && r.Method == "GET":
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		io.WriteString(w, style)
	case path == "/" && r.Method == "GET":
		redirect(w, "/pending")
	case r.Method == "GET" && (one || path == "/pending" || path == "/login" || path == "/definitions" || path == "/fatigue"):
		g.show(w, r, id)
	case r.Method == "POST" && (one || path == "/login" || path == "/logout" || path == "/definitions"):
		g.posted(w, r, id)
	case one || path == "/pending" || path == "/login" || path == "/logout" || path == "/definitions" || path == "/fatigue":
		w.Header().Set("Allow", "GET, POST")
		say(w, 405, "Not this way", "This page takes GET and POST only.")
	default:
		return false
	}
	return true
}

func redirect(w http.ResponseWriter, to string) {
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// say is a page of one sentence.
func say(w http.ResponseWriter, status int, title, text string) {
	h := &html{}
	h.el(`<h1>`, title, `</h1>`)
	h.el(`<p>`, text, `</p><p><a href="/pending">What waits</a></p>`)
	sendPage(w, status, title, h)
}

// show answers GET.
func (g *Gate) show(w http.ResponseWriter, r *http.Request, id string) {
	s, who, ok := g.session(r)
	if r.URL.Path == "/login" || !ok {
		status := 401
		if r.URL.Path == "/login" {
			status = 200
		}
		signInPage(w, status, next(r), "")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	switch r.URL.Path {
	case "/definitions":
		g.definitionsPage(ctx, w, s, who)
		return
	case "/fatigue":
		g.fatiguePage(ctx, w, who)
		return
	}
	list, err := g.listed(ctx, who.Tenant, id)
	if errors.Is(err, ErrNone) {
		say(w, 404, "Not here", "There is no such proposal in your tenant.")
		return
	}
	if err != nil {
		say(w, 503, "No answer", "The gate's store does not answer. Nothing was decided; try again.")
		return
	}
	g.cards(w, 200, s, who, list, id, "")
}

// listed loads what a page shows: one call, a batch, or all that waits.
func (g *Gate) listed(ctx context.Context, tenant, id string) ([]machine.Record, error) {
	switch {
	case id == "":
		return g.Store.Pending(ctx, tenant, 50)
	case isBatch(id):
		return g.currentBatch(ctx, tenant, id)
	}
	r, err := g.current(ctx, tenant, id)
	return []machine.Record{r}, err
}

// next is the path to go on to after signing in: one of ours or none.
func next(r *http.Request) string {
	return safeNext(r.URL.Path)
}

// safeNext keeps a form's next path inside this page.
func safeNext(p string) string {
	if p == "/definitions" || p == "/fatigue" {
		return p
	}
	id, ok := strings.CutPrefix(p, "/p/")
	if ok && id != "" && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789_") == "" {
		return p
	}
	return "/pending"
}

func signInPage(w http.ResponseWriter, status int, next, wrong string) {
	h := &html{}
	h.raw(`<h1>Sign in to decide</h1>`)
	if wrong != "" {
		h.el(`<p class="warn" role="alert">`, wrong, `</p>`)
	}
	h.raw(`<form method="post" action="/login">`)
	h.hidden("next", next)
	h.raw(`<label for="key">Approver key</label><input id="key" name="key" type="password" autocomplete="current-password" required>`,
		`<button type="submit">Sign in</button></form>`)
	sendPage(w, status, "Sign in", h)
}

// form reads a posted form: small, of the one kind that a plain form sends.
func form(r *http.Request) (url.Values, error) {
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/x-www-form-urlencoded" {
		return nil, errors.New("not a form")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, 16<<10))
	if err != nil {
		return nil, err
	}
	return url.ParseQuery(string(body))
}

// posted answers POST: only from our own pages, and decisions only with the
// token of the very form.
func (g *Gate) posted(w http.ResponseWriter, r *http.Request, id string) {
	if !g.ours(r) {
		say(w, 403, "Refused", "This form was not sent from the gate's own page.")
		return
	}
	f, err := form(r)
	if err != nil {
		say(w, 400, "Refused", "The form cannot be read.")
		return
	}
	switch r.URL.Path {
	case "/login":
		if ok, _ := g.limits.take("sign in", g.Now()); !ok {
			say(w, 429, "Too many tries", "Wait a little before trying again.")
		} else if !g.signIn(w, strings.TrimSpace(f.Get("key"))) {
			signInPage(w, 403, safeNext(f.Get("next")), "That is not an approver's key.")
		} else {
			redirect(w, safeNext(f.Get("next")))
		}
	case "/logout":
		g.setCookie(w, "", -1)
		redirect(w, "/login")
	case "/definitions":
		g.definitionPosted(w, r, f)
	default:
		g.decided(w, r, id, f)
	}
}

// decided carries a decision from the page to the machine.
func (g *Gate) decided(w http.ResponseWriter, r *http.Request, id string, f url.Values) {
	s, who, ok := g.session(r)
	if !ok {
		signInPage(w, 401, next(r), "Your session has ended; nothing was decided.")
		return
	}
	if ok, _ := g.limits.take(who.Tenant+" page "+who.Name, g.Now()); !ok {
		say(w, 429, "Too many requests", "Nothing was decided. Wait a little.")
		return
	}
	digest, choice := f.Get("digest"), f.Get("choice")
	if subtleDiffers(f.Get("token"), g.token(s, id, digest)) || choice != "approve" && choice != "deny" || len(f["choice"]) != 1 {
		say(w, 403, "Refused", "The form is not the one that was shown in this session. Nothing was decided; open the proposal again.")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	reason := strings.ToValidUTF8(f.Get("reason"), "\uFFFD")
	if len(reason) > maxText {
		reason = strings.ToValidUTF8(reason[:maxText], "")
	}
	e := machine.Event{Kind: machine.Decide, By: who, Channel: "page", Approve: choice == "approve", Digest: digest, Text: reason, Acknowledge: f.Get("acknowledge") == "yes"}
	record, a, err := g.apply(ctx, who.Tenant, id, e)
	switch {
	case errors.Is(err, ErrNone):
		say(w, 404, "Not here", "There is no such proposal in your tenant.")
	case err != nil:
		say(w, 503, "No answer", "The gate's store does not answer. Look again whether your decision was taken.")
	case a.Code != machine.OK:
		g.cards(w, 409, s, who, []machine.Record{record}, id, "Not taken: "+a.Text+".")
	case record.Batch != "":
		redirect(w, "/p/"+record.Batch)
	default:
		redirect(w, fmt.Sprintf("/p/%s", record.ID))
	}
}
