package gate

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// This file holds one law: a sign-in by passkey is accepted only for a challenge that this
// gate gave in this ceremony, signed by a registered credential, for this origin, with the
// user verified. A passkey stands for the key with which it was added, and ends with it.

// Passkeys makes and checks the texts of the two ceremonies of passkeys. Package passkey has
// one. It keeps nothing: the gate gives each challenge, once, and stores the passkeys.
type Passkeys interface {
	// Register begins to add a passkey of an approver, who already has some.
	Register(tenant, name string, has []store.Passkey) (Ceremony, error)
	// Registered returns the passkey that answered, without label, mark and time.
	Registered(tenant, name, state, answer string) (*store.Passkey, error)
	// SignIn begins a sign-in of whoever has a passkey.
	SignIn() (Ceremony, error)
	// SignedIn returns the passkey that signed and its counter. find returns the passkey with
	// an id, or nil. The error is ErrCounter if the passkey has counted back.
	SignedIn(state, answer string, find func(id string) (*store.Passkey, error)) (p *store.Passkey, counter int64, err error)
}

// Ceremony is the beginning of a ceremony.
type Ceremony struct {
	Options   string // JSON for the browser
	State     string // for the end of the ceremony; not secret, and signed by the gate
	Challenge string
}

// ErrCounter means that a passkey has counted back, so somebody may have a copy of it.
var ErrCounter = errors.New("the passkey's counter did not grow, so it may be a copy")

// viaPasskey begins the mark of a session that began with a passkey. The mark of its key and
// its id follow.
const viaPasskey = "passkey "

// ceremonyFor is the time that a person has for a ceremony, in milliseconds.
const ceremonyFor = 5 * 60 * 1000

// passkeySession returns the approver of a session that began with a passkey, whose key works.
func (g *Gate) passkeySession(s session) (who machine.Principal, ok bool) {
	mark, _, _ := strings.Cut(strings.TrimPrefix(s.Key, viaPasskey), " ")
	k := g.findApprover(s.Tenant, s.Name, mark)
	if g.Passkeys == nil || k == nil || mark == "" {
		return who, false
	}
	return k.Principal, true
}

// passkeyEnded reports whether the session's passkey was removed.
func (g *Gate) passkeyEnded(ctx context.Context, s session) (bool, error) {
	rest, via := strings.CutPrefix(s.Key, viaPasskey)
	if !via {
		return false, nil
	}
	_, id, _ := strings.Cut(rest, " ")
	p, err := g.Store.Passkey(ctx, id)
	return p == nil, err
}

// signedCeremony is a ceremony as it travels through a page.
type signedCeremony struct {
	Use, State, Challenge string
	Until                 int64 `json:",string"`
}

// sealCeremony returns the text of a ceremony for one use, in the session or the browser with
// this nonce.
func (g *Gate) sealCeremony(c Ceremony, use, nonce string) string {
	text, _ := json.Marshal(signedCeremony{use, c.State, c.Challenge, g.Now() + ceremonyFor})
	payload := base64.RawURLEncoding.EncodeToString(text)
	return payload + "." + g.computeMAC("ceremony", nonce, payload)
}

// openCeremony returns the state of a ceremony that the gate began for this use and nonce,
// within its time, once: its challenge is spent, whatever becomes of the ceremony.
func (g *Gate) openCeremony(ctx context.Context, text, use, nonce string) (state string, err error) {
	payload, mac, _ := strings.Cut(text, ".")
	var c signedCeremony
	plain, err := base64.RawURLEncoding.DecodeString(payload)
	switch {
	case nonce == "" || subtleDiffers(mac, g.computeMAC("ceremony", nonce, payload)):
		return "", errors.New("the challenge was not given to this browser")
	case err != nil || json.Unmarshal(plain, &c) != nil || c.Use != use:
		return "", errors.New("the challenge was given for something else")
	case g.Now() >= c.Until:
		return "", errors.New("the challenge is over five minutes old")
	}
	fresh, err := g.Store.Spend(ctx, "challenge "+machine.TextHash(c.Challenge), c.Until)
	if err == nil && !fresh {
		err = errors.New("the challenge was used before")
	}
	return c.State, err
}

func passkeyEntry(tenant, by, channel, text string, now int64) machine.Entry {
	return machine.Entry{Version: 1, Tenant: tenant, Event: "passkey", At: now, By: by, Role: machine.Approver, Channel: channel, Text: text}
}

// addPasskey stores the passkey with which a browser answered a ceremony of this session.
func (g *Gate) addPasskey(ctx context.Context, s session, label, sealed, answer string) error {
	mark := s.Key
	if rest, via := strings.CutPrefix(s.Key, viaPasskey); via {
		mark, _, _ = strings.Cut(rest, " ")
	}
	state, err := g.openCeremony(ctx, sealed, "add", s.Nonce)
	if err != nil {
		return err
	}
	p, err := g.Passkeys.Registered(s.Tenant, s.Name, state, answer)
	if err != nil {
		return err
	}
	p.Label, p.Mark, p.Created = label, mark, g.Now()
	fresh, err := g.Store.AddPasskey(ctx, p, passkeyEntry(s.Tenant, s.Name, "page", fmt.Sprintf("added %q %s", label, p.ID), p.Created))
	if err == nil && !fresh {
		err = errors.New("the passkey is or was registered")
	}
	return err
}

// usePasskey returns the session of the approver whose passkey answered a ceremony of this
// browser. A passkey that counts back is noted in the audit.
func (g *Gate) usePasskey(ctx context.Context, nonce, sealed, answer string) (s session, err error) {
	state, err := g.openCeremony(ctx, sealed, "sign-in", nonce)
	if err != nil {
		return s, err
	}
	p, counter, err := g.Passkeys.SignedIn(state, answer, func(id string) (*store.Passkey, error) { return g.Store.Passkey(ctx, id) })
	if errors.Is(err, ErrCounter) {
		return s, errors.Join(err, g.Store.Note(ctx, passkeyEntry(p.Tenant, p.Name, "page", fmt.Sprintf("refused %q %s: %v", p.Label, p.ID, err), g.Now())))
	}
	if err != nil {
		return s, err
	}
	if p.Mark == "" || g.findApprover(p.Tenant, p.Name, p.Mark) == nil {
		return s, fmt.Errorf("the key with which %s added the passkey was removed", p.Name)
	}
	now := g.Now()
	done, err := g.Store.UsePasskey(ctx, p, counter, now, passkeyEntry(p.Tenant, p.Name, "page", fmt.Sprintf("used %q %s counter %d", p.Label, p.ID, counter), now))
	if err == nil && !done {
		err = errors.New("the passkey was used or removed at the same time")
	}
	return session{Tenant: p.Tenant, Name: p.Name, Until: now + sessionFor, Key: viaPasskey + p.Mark + " " + p.ID}, err
}

// browserNonce returns the name that this browser has while it signs in with a passkey; "" for
// a browser without one.
func (g *Gate) browserNonce(r *http.Request) string {
	if c, err := r.Cookie(g.cookieName() + "-browser"); err == nil && len(c.Value) == 64 {
		return c.Value
	}
	return ""
}

// nameBrowser returns the browser's name, and gives it one if it has none.
func (g *Gate) nameBrowser(w http.ResponseWriter, r *http.Request) (nonce string, err error) {
	if nonce = g.browserNonce(r); nonce != "" {
		return nonce, nil
	}
	if nonce, err = g.newNonce(); err == nil {
		http.SetCookie(w, &http.Cookie{Name: g.cookieName() + "-browser", Value: nonce, Path: "/", HttpOnly: true, Secure: g.home.Scheme == "https", SameSite: http.SameSiteStrictMode})
	}
	return nonce, err
}
