//go:build !js

// Package oidc lets approvers sign in at an OpenID Connect provider. It is a gate.Provider.
//
// A person signs in by the code flow with PKCE. Which groups of the provider decide in which
// tenant is the operator's setting; everything else that a token says is only compared. A
// person in none of the groups, or a token that is not exactly the one that was asked for,
// signs nobody in.
package oidc

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/roster"
)

// Provider is an OpenID Connect provider with the settings of the operator.
type Provider struct {
	issuer, client, secret string
	roster                 roster.List
	nameClaim, groupClaim  string
	session                time.Duration
	http                   *http.Client

	mu    sync.Mutex
	known *discovered
	until time.Time // when known is read again
}

// discovered is what the provider says of itself.
type discovered struct {
	*oidc.Provider
	Keys   string   `json:"jwks_uri"`
	Leave  string   `json:"end_session_endpoint"`
	Scopes []string `json:"scopes_supported"`
	Algs   []string `json:"id_token_signing_alg_values_supported"`
	SaysIt bool     `json:"authorization_response_iss_parameter_supported"`
}

// The limits of what the provider says.
const (
	answerLimit = 1 << 20
	timeLimit   = 8 * time.Second
	knownFor    = time.Hour
	leeway      = 5 * time.Minute // between the clocks of provider and gate
)

// Usage describes the words that Read accepts.
const Usage = "issuer=URL client=ID approvers=TENANT:GROUP, and perhaps name=CLAIM, groups=CLAIM and session=TIME"

// Read reads the settings of a provider: words of the form NAME=VALUE. approvers may be
// repeated. The secret is "" for a client without one.
func Read(text, secret string) (*Provider, error) {
	p := &Provider{secret: secret, nameClaim: "email", groupClaim: "groups", session: time.Hour}
	var err error
	for _, word := range strings.Fields(text) {
		name, value, ok := strings.Cut(word, "=")
		if !ok || value == "" {
			return nil, fmt.Errorf("invalid word %q: want %s", word, Usage)
		}
		switch name {
		case "issuer":
			p.issuer = value
		case "client":
			p.client = value
		case "approvers":
			if err := p.roster.AddGroup(value); err != nil {
				return nil, err
			}
		case "name":
			p.nameClaim = value
		case "groups":
			p.groupClaim = value
		case "session":
			if p.session, err = time.ParseDuration(value); err != nil || p.session < time.Minute || p.session > 12*time.Hour {
				return nil, fmt.Errorf("invalid session %q: want a time from 1m to 12h", value)
			}
		default:
			return nil, fmt.Errorf("unknown word %q: want %s", name, Usage)
		}
	}
	if p.issuer == "" || p.client == "" || p.roster.Empty() {
		return nil, fmt.Errorf("want %s", Usage)
	}
	u, err := url.Parse(p.issuer)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || !origin.Allowed(u) {
		return nil, fmt.Errorf("invalid issuer %q: want https://host/path, or http on loopback", p.issuer)
	}
	p.http = &http.Client{Transport: limited{http.DefaultTransport}, Timeout: timeLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p, nil
}

// limited cuts long answers.
type limited struct{ http.RoundTripper }

func (l limited) RoundTrip(r *http.Request) (*http.Response, error) {
	a, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		a.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(a.Body, answerLimit), a.Body}
	}
	return a, err
}

// Host returns the provider's host.
func (p *Provider) Host() string {
	u, _ := url.Parse(p.issuer)
	return u.Host
}

// Mark returns a hash of the settings that make somebody an approver of the tenant, or "".
func (p *Provider) Mark(tenant string) string {
	return p.roster.Mark(tenant, p.issuer, p.client, p.nameClaim, p.groupClaim)
}

// discoverProvider returns what the provider says of itself. It asks at most once an hour, and
// again after a failure.
func (p *Provider) discoverProvider(ctx context.Context) (*discovered, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.known != nil && time.Now().Before(p.until) {
		return p.known, nil
	}
	provider, err := oidc.NewProvider(oidc.ClientContext(ctx, p.http), p.issuer)
	if err != nil {
		return nil, err
	}
	d := &discovered{Provider: provider}
	if err := provider.Claims(d); err != nil {
		return nil, err
	}
	if err := d.checkAddresses(p.issuer); err != nil {
		return nil, err
	}
	p.known, p.until = d, time.Now().Add(knownFor)
	return d, nil
}

// checkAddresses returns an error if the provider names an address at which the gate's secret,
// or what proves who signs in, would travel in the clear.
func (d *discovered) checkAddresses(issuer string) error {
	site, err := url.Parse(issuer)
	at := d.Endpoint()
	for _, text := range []string{at.AuthURL, at.TokenURL, d.Keys, cmp.Or(d.UserInfoEndpoint(), at.TokenURL)} {
		if err == nil {
			_, err = origin.Beside(site, text)
		}
	}
	return err
}

func (p *Provider) clientOf(d *discovered, back string) *oauth2.Config {
	scopes := []string{oidc.ScopeOpenID, "profile", "email"}
	if slices.Contains(d.Scopes, "groups") { // others refuse the unknown word
		scopes = append(scopes, "groups")
	}
	return &oauth2.Config{ClientID: p.client, ClientSecret: p.secret, Endpoint: d.Endpoint(), RedirectURL: back, Scopes: scopes}
}

// Begin returns the address at which a person signs in.
func (p *Provider) Begin(ctx context.Context, t gate.Trip) (string, error) {
	d, err := p.discoverProvider(ctx)
	if err != nil {
		return "", err
	}
	return p.clientOf(d, t.Back).AuthCodeURL(t.State, oidc.Nonce(t.Nonce), oauth2.S256ChallengeOption(t.Verifier)), nil
}

// Leave returns the address at which people sign out at the provider, if it has one.
func (p *Provider) Leave(ctx context.Context) string {
	d, err := p.discoverProvider(ctx)
	if err != nil || d.Leave == "" {
		return ""
	}
	u, err := url.Parse(d.Leave)
	if err != nil || !origin.Allowed(u) {
		return ""
	}
	q := u.Query()
	q.Set("client_id", p.client)
	u.RawQuery = q.Encode()
	return u.String()
}

// Finish exchanges the code for a token, checks the token, and returns who it names.
func (p *Provider) Finish(ctx context.Context, t gate.Trip, back url.Values, now int64) (who gate.Person, err error) {
	d, err := p.discoverProvider(ctx)
	if err != nil {
		return who, err
	}
	switch iss := back.Get("iss"); {
	case back.Get("error") != "":
		return who, fmt.Errorf("the provider says %.100q: %.300q", back.Get("error"), back.Get("error_description"))
	case back.Has("iss") && iss != p.issuer, !back.Has("iss") && d.SaysIt:
		return who, fmt.Errorf("the answer is from the issuer %.200q", iss)
	case len(back["code"]) != 1:
		return who, errors.New("the answer has no code")
	}
	ctx = oidc.ClientContext(ctx, p.http)
	client := p.clientOf(d, t.Back)
	token, err := client.Exchange(ctx, back.Get("code"), oauth2.VerifierOption(t.Verifier))
	if err != nil {
		return who, fmt.Errorf("the code was not accepted: %w", err)
	}
	raw, ok := token.Extra("id_token").(string)
	if !ok {
		return who, errors.New("the provider gave no identity token")
	}
	at := time.UnixMilli(now)
	identity, err := p.verifyToken(ctx, d, raw, at)
	if err != nil {
		return who, err
	}
	if subtle.ConstantTimeCompare([]byte(identity.Nonce), []byte(t.Nonce)) != 1 {
		return who, errors.New("the token was made for another sign-in")
	}
	if identity.AccessTokenHash != "" {
		if err := identity.VerifyAccessToken(token.AccessToken); err != nil {
			return who, err
		}
	}
	claims := map[string]any{}
	if err := identity.Claims(&claims); err != nil {
		return who, err
	}
	if _, has := claims[p.groupClaim]; !has && d.UserInfoEndpoint() != "" {
		if err := p.addInfo(ctx, d, client, token, identity.Subject, claims); err != nil {
			return who, err
		}
	}
	who.Subject, who.Until = identity.Subject, at.Add(p.session).UnixMilli()
	if who.Name, err = p.nameIn(claims); err != nil {
		return who, err
	}
	who.Tenant = p.roster.TenantOf(who.Name, p.groupsIn(claims))
	if who.Tenant == "" {
		return who, fmt.Errorf("%w: %.200q", gate.ErrNotApprover, who.Name)
	}
	return who, nil
}

// verifyToken checks a token with the keys that the provider has now: they are fetched each
// time, so that a key which the provider has withdrawn proves nothing.
func (p *Provider) verifyToken(ctx context.Context, d *discovered, raw string, at time.Time) (*oidc.IDToken, error) {
	v := oidc.NewVerifier(p.issuer, oidc.NewRemoteKeySet(ctx, d.Keys), &oidc.Config{ClientID: p.client, Now: func() time.Time { return at }, SupportedSigningAlgs: signedBy(d.Algs)})
	identity, err := v.Verify(ctx, raw)
	if err != nil {
		return nil, err
	}
	var more struct {
		Party string `json:"azp"`
	}
	if err := identity.Claims(&more); err != nil {
		return nil, err
	}
	switch {
	case more.Party != "" && more.Party != p.client, len(identity.Audience) > 1 && more.Party == "":
		return nil, fmt.Errorf("the token was made for %.200q", more.Party)
	case identity.IssuedAt.After(at.Add(leeway)), identity.IssuedAt.Before(at.Add(-2 * leeway)):
		return nil, fmt.Errorf("the token was made at %s, but the gate's clock says %s", identity.IssuedAt.UTC().Format(time.RFC3339), at.UTC().Format(time.RFC3339))
	}
	return identity, nil
}

// signedBy returns the algorithms of public keys among those of the provider. A secret
// shared with a client proves less, and "none" nothing.
func signedBy(all []string) (out []string) {
	for _, a := range all {
		switch a {
		case oidc.RS256, oidc.RS384, oidc.RS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.EdDSA:
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		out = []string{oidc.RS256}
	}
	return out
}

// addInfo adds the claims that the provider gives only when asked. A claim of the token
// stays as it is.
func (p *Provider) addInfo(ctx context.Context, d *discovered, client *oauth2.Config, token *oauth2.Token, subject string, claims map[string]any) error {
	info, err := d.UserInfo(ctx, client.TokenSource(ctx, token))
	if err != nil {
		return err
	}
	if info.Subject != subject {
		return errors.New("the provider tells of another person than the token")
	}
	more := map[string]any{}
	if err := info.Claims(&more); err != nil {
		return err
	}
	for name, value := range more {
		if _, has := claims[name]; !has {
			claims[name] = value
		}
	}
	return nil
}

// nameIn returns the approver's name. An address counts only if the provider has verified
// it, and its letters have one size, so that nobody is two people.
func (p *Provider) nameIn(claims map[string]any) (string, error) {
	name, _ := claims[p.nameClaim].(string)
	if name == "" {
		return "", fmt.Errorf("the token has no claim %q", p.nameClaim)
	}
	if p.nameClaim != "email" {
		return name, nil
	}
	if verified := claims["email_verified"]; verified != true && verified != "true" {
		return "", fmt.Errorf("the provider has not verified the address %.200q", name)
	}
	return strings.ToLower(name), nil
}

// groupsIn returns the groups that the claims name.
func (p *Provider) groupsIn(claims map[string]any) (names []string) {
	switch list := claims[p.groupClaim].(type) {
	case string:
		names = []string{list}
	case []any:
		for _, v := range list {
			if name, ok := v.(string); ok {
				names = append(names, name)
			}
		}
	}
	return names
}
