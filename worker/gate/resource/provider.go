//go:build !js

package resource

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/boundcheck/boundcheck/worker/gate"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
	"github.com/boundcheck/boundcheck/worker/gate/rate"
)

// provider is the authorization server, with the keys that it publishes. Tokens are checked
// without it until its keys are ten minutes old, or a token names another one.
type provider struct {
	issuer    string
	site      *url.URL // the issuer, parsed
	addresses []string // of its metadata, in the order of MCP's specification
	http      *http.Client
	limits    rate.Limiter

	mu      sync.Mutex
	keys    *oidc.RemoteKeySet
	until   time.Time // keys counts before this time
	away    error     // why the last question failed, before retryAt
	retryAt time.Time
}

// The limits of what is asked, and of the answers.
const (
	answerLimit = 1 << 20
	timeLimit   = 8 * time.Second
	keysFor     = 10 * time.Minute // a key that the provider has withdrawn proves nothing after this time
	awayFor     = 2 * time.Second  // so that requests do not wait one after the other
	askRate     = 0.2              // questions a second; tokens with unknown keys are no reason for more
	askBurst    = 10
)

// newProvider returns the provider with the issuer u, as the operator has written it.
func newProvider(u *url.URL, issuer string) *provider {
	path := strings.TrimSuffix(u.EscapedPath(), "/")
	site := u.Scheme + "://" + u.Host
	p := &provider{issuer: issuer, site: u, addresses: []string{site + "/.well-known/oauth-authorization-server" + path, site + "/.well-known/openid-configuration" + path}}
	if path != "" {
		p.addresses = append(p.addresses, site+path+"/.well-known/openid-configuration")
	}
	p.limits.Rate, p.limits.Burst = askRate, askBurst
	p.http = &http.Client{Transport: p, Timeout: timeLimit, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return p
}

// RoundTrip asks the provider, not too often, and cuts long answers.
func (p *provider) RoundTrip(r *http.Request) (*http.Response, error) {
	if ok, _ := p.limits.Take(r.URL.Path, time.Now().UnixMilli()); !ok {
		return nil, errors.New("the provider was asked too often")
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err == nil {
		a.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(a.Body, answerLimit), a.Body}
	}
	return a, err
}

// checkSignature reports whether a key that the provider publishes made the signature of a
// token. The error is gate.ErrAway if nobody knows.
func (p *provider) checkSignature(ctx context.Context, text string, at time.Time) error {
	keys, err := p.currentKeys(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", gate.ErrAway, err)
	}
	asked := &askedKeys{keys: keys}
	_, err = oidc.NewVerifier(p.issuer, asked, &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms, Now: func() time.Time { return at }}).Verify(ctx, text)
	if err != nil && asked.away {
		return fmt.Errorf("%w: %w", gate.ErrAway, err)
	}
	return err
}

// askedKeys checks one signature, and knows whether the keys could be had.
type askedKeys struct {
	keys oidc.KeySet
	away bool
}

// VerifySignature implements oidc.KeySet. The library says in the beginning of its text alone
// that it did not get the keys; a test holds it to that.
func (a *askedKeys) VerifySignature(ctx context.Context, text string) ([]byte, error) {
	payload, err := a.keys.VerifySignature(ctx, text)
	a.away = err != nil && strings.HasPrefix(err.Error(), "fetching keys")
	return payload, err
}

// currentKeys returns the set of the provider's keys, which fetches them when a token needs
// them.
func (p *provider) currentKeys(ctx context.Context) (*oidc.RemoteKeySet, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	switch {
	case p.keys != nil && now.Before(p.until):
		return p.keys, nil
	case now.Before(p.retryAt):
		return nil, p.away
	}
	address, err := p.discoverKeys(ctx)
	if err != nil {
		p.away, p.retryAt = err, time.Now().Add(awayFor)
		return nil, err
	}
	p.keys, p.until = oidc.NewRemoteKeySet(oidc.ClientContext(context.WithoutCancel(ctx), p.http), address), now.Add(keysFor)
	return p.keys, nil
}

// discoverKeys returns the address of the provider's keys. It stands in the metadata of RFC
// 8414, or in that of OpenID Connect.
func (p *provider) discoverKeys(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeLimit) // others wait for it, too
	defer cancel()
	var all error
	for _, address := range p.addresses {
		keys, err := p.keysIn(ctx, address)
		if err == nil {
			return keys, nil
		}
		all = errors.Join(all, err)
	}
	return "", all
}

// keysIn returns the address of the keys in the metadata at an address.
func (p *provider) keysIn(ctx context.Context, address string) (string, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	a, err := p.http.Do(r)
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	if a.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %d", address, a.StatusCode)
	}
	var says struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	if err := json.NewDecoder(a.Body).Decode(&says); err != nil {
		return "", fmt.Errorf("%s: %w", address, err)
	}
	if says.Issuer != p.issuer {
		return "", fmt.Errorf("%s is of the issuer %.200q: want %q", address, says.Issuer, p.issuer)
	}
	if _, err := origin.Beside(p.site, says.Keys); err != nil {
		return "", fmt.Errorf("%s names no keys: %w", address, err)
	}
	return says.Keys, nil
}
