//go:build !js

// Package passkey lets approvers sign in with passkeys (WebAuthn). It is a gate.Passkeys.
//
// A passkey signs a challenge of the gate, for the gate's own address, after it has verified
// its user. The gate gives each challenge once, and stores what belongs to a passkey; this
// package only makes and checks the texts of the two ceremonies.
package passkey

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// Keys runs the ceremonies for one address of a gate.
type Keys struct{ web *webauthn.WebAuthn }

// New returns the ceremonies for a gate at this address. Browsers know passkeys only at an
// address with a name: https, or http://localhost.
func New(address string) (*Keys, error) {
	u, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil || u.Hostname() == "" || net.ParseIP(u.Hostname()) != nil || u.Scheme != "https" && u.Hostname() != "localhost" {
		return nil, fmt.Errorf("passkeys need an address with a name (https, or http://localhost), and this gate is at %s", address)
	}
	web, err := webauthn.New(&webauthn.Config{
		RPID: u.Hostname(), RPDisplayName: "Boundcheck gate", RPOrigins: []string{u.Scheme + "://" + u.Host},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationRequired,
		},
	})
	if err != nil {
		return nil, err
	}
	return &Keys{web}, nil
}

// person is an approver with passkeys, as the library wants one.
type person struct {
	tenant, name string
	keys         []webauthn.Credential
}

// WebAuthnID names the approver. The passkey keeps it, so it is a hash, which stays the same.
func (p *person) WebAuthnID() []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "boundcheck approver %q %q", p.tenant, p.name))
	return sum[:]
}
func (p *person) WebAuthnName() string                       { return p.name }
func (p *person) WebAuthnDisplayName() string                { return p.name }
func (p *person) WebAuthnCredentials() []webauthn.Credential { return p.keys }

func personOf(tenant, name string, keys []store.Passkey) (*person, error) {
	p := &person{tenant: tenant, name: name}
	for _, k := range keys {
		var c webauthn.Credential
		if err := json.Unmarshal([]byte(k.Credential), &c); err != nil {
			return nil, err
		}
		c.Authenticator.SignCount = uint32(k.Counter)
		p.keys = append(p.keys, c)
	}
	return p, nil
}

// Register begins to add a passkey of an approver who has the given ones.
func (k *Keys) Register(tenant, name string, has []store.Passkey) (c gate.Ceremony, err error) {
	p, err := personOf(tenant, name, has)
	if err != nil {
		return c, err
	}
	options, session, err := k.web.BeginRegistration(p, webauthn.WithExclusions(webauthn.Credentials(p.keys).CredentialDescriptors()))
	if err != nil {
		return c, err
	}
	return newCeremony(options.Response, session)
}

// SignIn begins a sign-in of whoever has a passkey.
func (k *Keys) SignIn() (c gate.Ceremony, err error) {
	options, session, err := k.web.BeginDiscoverableLogin(webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return c, err
	}
	return newCeremony(options.Response, session)
}

func newCeremony(options any, session *webauthn.SessionData) (c gate.Ceremony, err error) {
	o, err := json.Marshal(options)
	if err != nil {
		return c, err
	}
	s, err := json.Marshal(session)
	return gate.Ceremony{Options: string(o), State: string(s), Challenge: session.Challenge}, err
}

// Registered checks what the browser answered to Register, and returns the new passkey. The
// caller sets its label, its key and its time.
func (k *Keys) Registered(tenant, name, state, answer string) (p *store.Passkey, err error) {
	var session webauthn.SessionData
	if err := json.Unmarshal([]byte(state), &session); err != nil {
		return nil, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes([]byte(answer))
	if err != nil {
		return nil, explainError(err)
	}
	c, err := k.web.CreateCredential(&person{tenant: tenant, name: name}, session, parsed)
	if err != nil {
		return nil, explainError(err)
	}
	if !c.Flags.UserVerified {
		return nil, errors.New("the passkey has not verified its user")
	}
	count := int64(c.Authenticator.SignCount)
	c.Attestation = webauthn.CredentialAttestation{} // none was asked for
	text, err := json.Marshal(c)
	return &store.Passkey{ID: idOf(c.ID), Tenant: tenant, Name: name, Credential: string(text), Counter: count}, err
}

func idOf(credential []byte) string {
	sum := sha256.Sum256(credential)
	return hex.EncodeToString(sum[:])
}

// SignedIn checks what the browser answered to SignIn. find returns the passkey with an id,
// or nil. The result is the passkey that signed, and its counter now.
func (k *Keys) SignedIn(state, answer string, find func(id string) (*store.Passkey, error)) (p *store.Passkey, counter int64, err error) {
	var session webauthn.SessionData
	if err := json.Unmarshal([]byte(state), &session); err != nil {
		return nil, 0, err
	}
	parsed, err := protocol.ParseCredentialRequestResponseBytes([]byte(answer))
	if err != nil {
		return nil, 0, explainError(err)
	}
	if session.UserVerification != protocol.VerificationRequired || len(session.UserID) != 0 {
		return nil, 0, errors.New("the challenge is not one of a sign-in")
	}
	if p, err = find(idOf(parsed.RawID)); err != nil {
		return nil, 0, err
	}
	if p == nil {
		return nil, 0, errors.New("the passkey is not known, or was removed")
	}
	who, err := personOf(p.Tenant, p.Name, []store.Passkey{*p})
	if err != nil {
		return nil, 0, err
	}
	if !bytes.Equal(who.keys[0].ID, parsed.RawID) {
		return nil, 0, errors.New("the stored passkey has another id")
	}
	c, err := k.web.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) { return who, nil }, session, parsed)
	switch {
	case err != nil:
		return p, 0, explainError(err)
	case c.Authenticator.CloneWarning:
		return p, 0, fmt.Errorf("%w: %d after %d", gate.ErrCounter, parsed.Response.AuthenticatorData.Counter, p.Counter)
	case !parsed.Response.AuthenticatorData.Flags.HasUserVerified():
		return p, 0, errors.New("the passkey has not verified its user")
	}
	return p, int64(c.Authenticator.SignCount), nil
}

// explainError adds the library's details to its error, for the log.
func explainError(err error) error {
	var e *protocol.Error
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %.300s", e.Details, e.DevInfo)
	}
	return err
}
