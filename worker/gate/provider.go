package gate

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/hookcall"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Provider identifies people elsewhere, so that they sign in on the pages without a key.
// Package oidc has one. Keys work as they do without a provider.
type Provider interface {
	// Host names the provider on pages and in the audit.
	Host() string
	// Begin returns the address at which the provider identifies a person, and from which
	// it sends the person's browser back.
	Begin(ctx context.Context, t Trip) (string, error)
	// Finish checks what the browser brings back, and returns who it is. The error is
	// ErrNotApprover if the person is known but decides nothing here.
	Finish(ctx context.Context, t Trip, back url.Values, now int64) (Person, error)
	// Mark names the settings by which people of a tenant sign in; "" if nobody does.
	// Sessions end when it changes.
	Mark(tenant string) string
	// Leave returns the address at which people sign out at the provider; "" if there is
	// none.
	Leave(ctx context.Context) string
}

// Trip is one way of a browser to the provider and back.
type Trip struct {
	State    string `json:"s"` // comes back in the address
	Nonce    string `json:"n"` // comes back in the provider's signed text
	Verifier string `json:"v"` // proves to the provider that the gate itself asks
	Next     string `json:"p"` // the page that the person wanted
	Until    int64  `json:"e,string"`
	Back     string `json:"-"` // the address at which the browser comes back
}

// Person is an approver whom the provider has identified.
type Person struct {
	Tenant, Name string
	Subject      string // the provider's own name for the person
	Until        int64  // end of the session
	Token        string // names the token of a Front that identified the person; "" for a Provider
}

// ErrNotApprover means that a person was identified, but is no approver here.
var ErrNotApprover = errors.New("the person is in no group whose members decide here")

// tripFor is the time that a person has at the provider, in milliseconds.
const tripFor = 10 * 60 * 1000

// viaProvider begins the mark of a session that began at the provider. No mark of a key
// begins so.
const viaProvider = "via "

func (g *Gate) tripCookie() string { return g.cookieName() + "-trip" }

// setTrip stores a trip in the browser. The cookie is sent when the provider's page leads
// back, which a strict one is not.
func (g *Gate) setTrip(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: g.tripCookie(), Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		Secure: g.home.Scheme == "https", SameSite: http.SameSiteLaxMode})
}

// beginTrip sends a browser to the provider.
func (g *Gate) beginTrip(v *visit) {
	if !g.admitTrip(v) {
		return
	}
	t := Trip{Next: safeNext(v.r.URL.Query().Get("next")), Until: g.Now() + tripFor, Back: g.home.String() + backPath}
	for _, text := range []*string{&t.State, &t.Nonce, &t.Verifier} {
		var err error
		if *text, err = g.newNonce(); err != nil {
			sendSentence(v.w, 503, "No answer", "The gate cannot make a secret. Try again.")
			return
		}
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	to, err := g.Provider.Begin(ctx, t)
	if err != nil {
		store.Blame(v.r.Context(), fmt.Errorf("sign-in at %s: %w", g.Provider.Host(), err))
		g.signInPage(v.w, 503, t.Next, g.Provider.Host()+" does not answer. Try again, or sign in with a key.")
		return
	}
	text, _ := json.Marshal(t)
	payload := base64.RawURLEncoding.EncodeToString(text)
	g.setTrip(v.w, payload+"."+g.computeMAC("trip", payload), tripFor/1000)
	redirectTo(v.w, to)
}

// admitTrip reports whether a request of a trip may go on. If not, it has answered.
func (g *Gate) admitTrip(v *visit) bool {
	if g.Provider == nil {
		writeReply(v.w, errorReply(404, CodeNotFound, "unknown path; GET /openapi.json lists the known paths"))
		return false
	}
	if g.limits.Rate > 0 {
		if ok, _ := g.limits.TakeAt("trip from "+g.clientAddress(v.r), signInRate, signInBurst, g.Now()); !ok {
			sendSentence(v.w, 429, "Too many tries", "Wait a little before trying again.")
			return false
		}
	}
	return true
}

// endTrip signs in the person whom the provider sends back. It changes something although
// it is a GET, because the provider's page leads here; it needs the cookie of the browser
// that began, works once, and shows a page of its own, so that the session's strict cookie
// is sent from there on.
func (g *Gate) endTrip(v *visit) {
	if !g.admitTrip(v) {
		return
	}
	ctx, cancel := v.limitedContext()
	defer cancel()
	t, err := g.readTrip(v.r)
	g.setTrip(v.w, "", -1)
	var who Person
	if err == nil {
		who, err = g.finishTrip(ctx, t, v.r.URL.Query())
	}
	if err != nil {
		store.Blame(v.r.Context(), fmt.Errorf("sign-in at %s refused: %w", g.Provider.Host(), err))
		why := "You were not signed in. The gate's log has the reason."
		if errors.Is(err, ErrNotApprover) {
			why = "You were not signed in: you are in no group whose members decide here."
		}
		g.signInPage(v.w, 403, t.Next, why)
		return
	}
	if !g.startSession(v.w, session{Tenant: who.Tenant, Name: who.Name, Until: min(who.Until, g.Now()+sessionFor), Key: viaProvider + g.Provider.Mark(who.Tenant)}) {
		sendSentence(v.w, 503, "No answer", "The gate cannot make a secret. Try again.")
		return
	}
	v.w.Header().Set("Refresh", "0; url="+t.Next)
	h := &show.HTML{}
	h.Element(`<h1>Signed in as `, who.Name, `</h1>`)
	h.Element(`<p><a href="`, t.Next, `">Go on</a></p>`)
	show.Send(v.w, 200, "Signed in", h)
}

// readTrip returns the trip that this browser began.
func (g *Gate) readTrip(r *http.Request) (t Trip, err error) {
	none := Trip{Next: pendingPath}
	c, err := r.Cookie(g.tripCookie())
	if err != nil {
		return none, errors.New("this browser has not begun to sign in, or took over ten minutes")
	}
	payload, mac, _ := strings.Cut(c.Value, ".")
	if subtleDiffers(mac, g.computeMAC("trip", payload)) {
		return none, errors.New("the cookie of the sign-in is not the gate's")
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &t) != nil {
		return none, errors.New("the cookie of the sign-in cannot be read")
	}
	if t.Next = safeNext(t.Next); g.Now() >= t.Until {
		return t, errors.New("the sign-in took over ten minutes")
	}
	t.Back = g.home.String() + backPath
	return t, nil
}

// finishTrip checks what the browser brings back, once, and notes the sign-in in the audit.
func (g *Gate) finishTrip(ctx context.Context, t Trip, back url.Values) (who Person, err error) {
	if len(back["state"]) != 1 || subtleDiffers(back.Get("state"), t.State) {
		return who, errors.New("the state is not that of this browser")
	}
	fresh, err := g.Store.Spend(ctx, "trip "+machine.TextHash(t.State), t.Until)
	if err != nil {
		return who, err
	}
	if !fresh {
		return who, errors.New("this sign-in was used before")
	}
	if who, err = g.Provider.Finish(ctx, t, back, g.Now()); err != nil {
		return who, err
	}
	if !isApproverName(who.Name) || g.Provider.Mark(who.Tenant) == "" || g.Now() >= who.Until {
		return who, fmt.Errorf("the provider's name %.100q cannot be an approver's", who.Name)
	}
	e := machine.Entry{Version: 1, Tenant: who.Tenant, Event: "sign-in", At: g.Now(), By: who.Name, Role: machine.Approver, Channel: "page", Text: g.Provider.Host() + " " + who.Subject}
	return who, g.Store.Note(ctx, e)
}

// isApproverName reports whether a name could stand in a key file.
func isApproverName(name string) bool {
	return name != "" && len(name) <= 200 && hookcall.IsPrintable(name) && !strings.ContainsFunc(name, unicode.IsSpace) && !strings.Contains(name, "#")
}

// providerSession returns the approver of a session that began at the provider. The result
// ok is false if people of the tenant do not sign in there any more, or in another way.
func (g *Gate) providerSession(s session) (who machine.Principal, ok bool) {
	if g.Provider == nil {
		return who, false
	}
	mark := g.Provider.Mark(s.Tenant)
	if mark == "" || subtleDiffers(s.Key, viaProvider+mark) {
		return who, false
	}
	return machine.Principal{Tenant: s.Tenant, Name: s.Name, Role: machine.Approver}, true
}
