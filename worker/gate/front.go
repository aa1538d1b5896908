package gate

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/show"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Front identifies the person behind each request for a page, by a token that a service
// in front of the gate puts into the request. Package access has one.
//
// This file holds one law: a request with such a token is a request of the person whom the
// token names, or of nobody. A token that is refused is never replaced by a cookie.
type Front interface {
	// Host names the service on pages and in the audit.
	Host() string
	// Identify returns who sent a request with these headers, at a time in Unix
	// milliseconds. The error is ErrNoToken if they have no token, ErrNotApprover if the
	// person is known but decides nothing here, and ErrAway if the token cannot be checked
	// now. Any other error refuses the token.
	Identify(ctx context.Context, h http.Header, now int64) (Person, error)
	// Leave returns the address at which people sign out of the service.
	Leave() string
}

// ErrNoToken means that a request did not come through the service in front.
var ErrNoToken = errors.New("the request has no token")

// ErrAway means that a token cannot be checked now. Nobody is signed in.
var ErrAway = errors.New("the token cannot be checked now")

// viaFront is the key of a session that a Front began. No mark of a key is the same.
const viaFront = "front"

// tokenError is why the token of a request signs nobody in.
type tokenError struct{ why error }

func (e *tokenError) Error() string { return e.why.Error() }
func (e *tokenError) Unwrap() error { return e.why }

// errTokenEnded means that the person has signed out with this token.
var errTokenEnded = errors.New("the person has signed out")

// frontSession returns the session of the token in a request. The error is ErrNoToken if
// the request has none.
func (g *Gate) frontSession(r *http.Request) (s session, who machine.Principal, err error) {
	if g.Front == nil {
		return s, who, ErrNoToken
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	p, err := g.Front.Identify(ctx, r.Header, g.Now())
	if err == nil && (!isApproverName(p.Name) || p.Tenant == "" || p.Token == "" || g.Now() >= p.Until) {
		err = fmt.Errorf("the name %.100q cannot be an approver's", p.Name)
	}
	if errors.Is(err, ErrNoToken) {
		return s, who, err
	}
	if err != nil {
		store.Blame(r.Context(), fmt.Errorf("token of %s refused: %w", g.Front.Host(), err))
		return s, who, &tokenError{err}
	}
	s = session{Tenant: p.Tenant, Name: p.Name, Nonce: p.Token, Until: p.Until, Key: viaFront}
	who = machine.Principal{Tenant: p.Tenant, Name: p.Name, Role: machine.Approver}
	return s, who, g.noteToken(ctx, p.Token, p.Until, who, "page", g.Front.Host()+" "+p.Subject)
}

// noteToken notes in the audit, once for each token, that somebody has come with it.
func (g *Gate) noteToken(ctx context.Context, token string, until int64, who machine.Principal, channel, text string) error {
	if g.tokens.Has(token) {
		return nil
	}
	fresh, err := g.Store.Spend(ctx, "token "+machine.TextHash(token), until)
	if err != nil {
		return err
	}
	if fresh {
		e := machine.Entry{Version: 1, Tenant: who.Tenant, Event: "sign-in", At: g.Now(), By: who.Name, Role: who.Role, Channel: channel, Text: text}
		if err := g.Store.Note(ctx, e); err != nil {
			return err
		}
	}
	g.tokens.Add(token)
	return nil
}

// refuseToken answers a request whose token signs nobody in.
func (g *Gate) refuseToken(v *visit, err error) {
	status, title, why := 403, "Refused", "The token of "+g.Front.Host()+" was refused. The gate's log has the reason."
	switch {
	case errors.Is(err, ErrAway):
		status, title, why = 503, "No answer", g.Front.Host()+" does not answer, so the gate cannot know who you are. Try again."
	case errors.Is(err, ErrNotApprover):
		why = "You are known to " + g.Front.Host() + ", but you are in no group whose members decide here."
	case errors.Is(err, errTokenEnded):
		title, why = "Signed out", "You have signed out here."
	}
	g.sendFrontPage(v, status, title, why)
}

// sendFrontPage sends a page with one sentence, and with the link at which people sign out
// of the service in front.
func (g *Gate) sendFrontPage(v *visit, status int, title, why string) {
	h := &show.HTML{}
	h.Element(`<h1>`, title, `</h1>`)
	h.Element(`<p role="alert">`, why, `</p>`)
	h.Markup(`<p><a href="`)
	h.Text(g.Front.Leave())
	h.Element(`">Sign out at `, g.Front.Host(), `</a> to sign in again.</p>`)
	show.Send(v.w, status, title, h)
}

// hostOf returns who has identified the person of a session; "" for a key.
func (g *Gate) hostOf(s session) string {
	switch {
	case s.Key == viaFront && g.Front != nil:
		return g.Front.Host()
	case strings.HasPrefix(s.Key, viaPasskey):
		return "a passkey"
	case strings.HasPrefix(s.Key, viaProvider) && g.Provider != nil:
		return g.Provider.Host()
	}
	return ""
}
