package gate

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
)

// session identifies the visitor of a page. It is stored in a signed cookie, so that
// the edge needs no memory. A session that was signed out is recorded in the store
// until its end.
type session struct {
	Tenant string `json:"t"`
	Name   string `json:"n"`
	Nonce  string `json:"s"`
	Until  int64  `json:"e,string"`
	Key    string `json:"k"` // mark of the key that signed in, or of the provider's settings, or of a passkey with its key: the session ends with it
}

// sessionFor is the duration of a session, in milliseconds.
const sessionFor = 12 * 60 * 60 * 1000

func (g *Gate) computeMAC(parts ...string) string {
	m := hmac.New(sha256.New, g.Secret)
	for _, p := range parts {
		fmt.Fprintf(m, "%d:%s,", len(p), p) // each part after its length, so that different lists of parts have different texts
	}
	return hex.EncodeToString(m.Sum(nil))
}

func (g *Gate) cookieName() string {
	if g.home.Scheme == "https" {
		return "__Host-boundcheck"
	}
	return "boundcheck"
}

func (g *Gate) setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{Name: g.cookieName(), Value: value, Path: "/", MaxAge: age, HttpOnly: true,
		Secure: g.home.Scheme == "https", SameSite: http.SameSiteStrictMode})
}

// signIn starts a session for an approver with this key by setting a cookie. It returns false if it
// cannot make a nonce.
func (g *Gate) signIn(w http.ResponseWriter, k *Key) bool {
	return g.startSession(w, session{Tenant: k.Tenant, Name: k.Name, Until: g.Now() + sessionFor, Key: k.mark()})
}

// startSession sets the cookie of a new session, and reports whether it did.
func (g *Gate) startSession(w http.ResponseWriter, s session) bool {
	var err error
	if s.Nonce, err = g.newNonce(); err != nil {
		return false
	}
	text, _ := json.Marshal(s)
	payload := base64.RawURLEncoding.EncodeToString(text)
	g.setCookie(w, payload+"."+g.computeMAC("session", payload), int((s.Until-g.Now())/1000))
	return true
}

// spentSession returns the id that is marked as used when the session is signed out (see
// Store.Spend).
func spentSession(s session) string { return "session " + machine.TextHash(s.Nonce) }

// signOut ends a session. Copies of its cookie, and its token, become useless too.
func (g *Gate) signOut(r *http.Request, s session) error {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	_, err := g.Store.Spend(ctx, spentSession(s), s.Until)
	return err
}

// errNoSession means that nobody is signed in.
var errNoSession = errors.New("no session")

// sessionOf returns the session of a request's token or else of its cookie, and its
// approver. The error is errNoSession if there is no valid one, and a *tokenError if the
// request has a token that signs nobody in. A session that was signed out is returned, too.
func (g *Gate) sessionOf(r *http.Request) (s session, who machine.Principal, err error) {
	s, who, err = g.frontSession(r)
	if !errors.Is(err, ErrNoToken) {
		return s, who, err
	}
	s, who, ok := g.cookieSession(r)
	if !ok {
		return s, who, errNoSession
	}
	return s, who, nil
}

// activeSession returns the session of a request that was not signed out, with its
// approver. Its errors are those of sessionOf, or of the store.
func (g *Gate) activeSession(r *http.Request) (s session, who machine.Principal, err error) {
	if s, who, err = g.sessionOf(r); err != nil {
		return s, who, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	mark, _, _ := strings.Cut(strings.TrimPrefix(s.Key, viaPasskey), " ")
	spent, err := g.Store.SpentOr(ctx, spentSession(s), endedKey(s.Tenant, mark), s.Until)
	if err == nil && !spent {
		spent, err = g.passkeyEnded(ctx, s)
	}
	switch {
	case err == nil && spent && s.Key == viaFront:
		err = &tokenError{errTokenEnded}
	case err == nil && spent:
		err = errNoSession
	}
	return s, who, err
}

// cookieSession returns the session in the request's cookie and its approver. It does not
// ask the store, so it does not know whether the session was signed out.
func (g *Gate) cookieSession(r *http.Request) (s session, who machine.Principal, ok bool) {
	c, err := r.Cookie(g.cookieName())
	if err != nil {
		return s, who, false
	}
	payload, mac, _ := strings.Cut(c.Value, ".")
	if subtle.ConstantTimeCompare([]byte(mac), []byte(g.computeMAC("session", payload))) != 1 {
		return s, who, false
	}
	text, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil || json.Unmarshal(text, &s) != nil || g.Now() >= s.Until {
		return s, who, false
	}
	who, ok = g.approverOf(s)
	return s, who, ok
}

// approverOf returns the approver of a cookie's session, if what began it still signs in.
func (g *Gate) approverOf(s session) (who machine.Principal, ok bool) {
	switch {
	case strings.HasPrefix(s.Key, viaProvider):
		return g.providerSession(s)
	case strings.HasPrefix(s.Key, viaPasskey):
		return g.passkeySession(s)
	}
	k := g.findApprover(s.Tenant, s.Name, s.Key)
	if k == nil || s.Key == "" {
		return who, false
	}
	return k.Principal, true
}

// formToken returns the token of a form. The token is valid only in this session, and
// only for the object with this id and digest, for example a call.
func (g *Gate) formToken(s session, id, digest string) string {
	return g.computeMAC("form", s.Nonce, id, digest)
}

// isOwnForm reports whether a form was sent from one of the gate's own pages. It compares
// the request's Origin header with the operator's address, and does not trust the headers
// Host and X-Forwarded-Host. If the operator's address is on loopback, another loopback
// host with the same port is accepted too.
func (g *Gate) isOwnForm(r *http.Request) bool {
	u, err := url.Parse(r.Header.Get("Origin"))
	if err != nil || u.Host == "" || u.Scheme != g.home.Scheme {
		return false
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		return false
	}
	return u.Host == g.home.Host || origin.Loopback(g.home.Host) && u.Host == r.Host && origin.Loopback(u.Host) && u.Port() == g.home.Port()
}
