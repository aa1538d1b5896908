package receipt

import (
	"context"
	"crypto/ed25519"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// mostText is the largest receipt that is read, in bytes.
const mostText = 16 << 10

// Error is why a receipt was refused. The JavaScript verifier has the same codes.
type Error struct {
	Code string // form, key, signature, issuer, audience, call, early, expired, decision or used
	Text string
}

func (e *Error) Error() string { return "receipt refused: " + e.Text }

func refuse(code, format string, a ...any) error {
	return &Error{code, fmt.Sprintf(format, a...)}
}

// Options are the options of a Verifier. Keys, Issuer and Tenant are required.
type Options struct {
	Keys   []ed25519.PublicKey // of the gate; see ReadKeys
	Issuer string              // the gate's address, or the name that it has for receipts
	Tenant string              // whose agents may call; other tenants have approvers of their own
	// Audience is this tool server. A receipt for another, or for none, is refused; with
	// "", a receipt for any server is.
	Audience string
	// Decisions are the ways of deciding that count; nil means only Approved.
	Decisions []string
	// Leeway is how far the clocks of the gate and of this server may differ: 0 means 5
	// seconds, negative means not at all. At most a minute.
	Leeway time.Duration
	// Spend marks a receipt as used until it cannot be accepted any more, and returns false
	// if it was marked before. It must do both in one step. Servers that share the work
	// share the marks. Nil means a Memory, which forgets them when the process ends.
	Spend func(ctx context.Context, id string, until time.Time) (fresh bool, err error)
	Now   func() time.Time // nil means the clock
}

// Verifier decides whether a tool server may run a call. Make it with NewVerifier. It can
// be used by several goroutines.
type Verifier struct {
	o     Options
	heads map[string]ed25519.PublicKey
}

// NewVerifier returns a verifier with these options. It returns an error if a required
// one is missing or one is invalid.
func NewVerifier(o Options) (*Verifier, error) {
	switch {
	case len(o.Keys) == 0:
		return nil, errors.New("missing keys of the gate")
	case o.Issuer == "" || o.Tenant == "":
		return nil, errors.New("missing issuer or tenant")
	case o.Leeway > time.Minute:
		return nil, errors.New("invalid leeway: want at most a minute")
	}
	v := &Verifier{o: o, heads: map[string]ed25519.PublicKey{}}
	for _, k := range o.Keys {
		if len(k) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("invalid key: want %d bytes, saw %d", ed25519.PublicKeySize, len(k))
		}
		v.heads[headOf(keyID(k))] = k
	}
	if v.o.Leeway = max(v.o.Leeway, 0); o.Leeway == 0 {
		v.o.Leeway = 5 * time.Second
	}
	if v.o.Decisions == nil {
		v.o.Decisions = []string{Approved}
	}
	if v.o.Now == nil {
		v.o.Now = time.Now
	}
	if v.o.Spend == nil {
		v.o.Spend = (&Memory{Now: v.o.Now}).Spend
	}
	return v, nil
}

// Verify returns nil as its error only if the text is a receipt for exactly this tool, these
// bytes of arguments, this server and this time, and was not used before. Then it is used.
// Run what you verified: the parsed form of these bytes. An *Error says why a receipt was
// refused; any other error is one of Spend. Run nothing after an error.
func (v *Verifier) Verify(ctx context.Context, text, tool string, arguments []byte) (*Receipt, error) {
	r, err := v.read(text)
	if err != nil {
		return nil, err
	}
	now, leeway := v.o.Now(), v.o.Leeway
	until := time.Unix(r.Expires, 0).Add(leeway)
	switch {
	case r.Issuer != v.o.Issuer || r.Tenant != v.o.Tenant:
		return nil, refuse("issuer", "it is of the issuer %.80q and the tenant %.80q", r.Issuer, r.Tenant)
	case r.Audience != v.o.Audience:
		return nil, refuse("audience", "it is for the server %.80q", r.Audience)
	case r.Tool != tool:
		return nil, refuse("call", "it is for the tool %.80q", r.Tool)
	case subtle.ConstantTimeCompare([]byte(r.Digest), []byte(Digest(tool, arguments))) != 1:
		return nil, refuse("call", "it is for other arguments")
	case now.Before(time.Unix(r.Issued, 0).Add(-leeway)):
		return nil, refuse("early", "it is not valid yet")
	case !now.Before(until):
		return nil, refuse("expired", "it has expired")
	case !slices.Contains(v.o.Decisions, r.Decision):
		return nil, refuse("decision", "the call was decided in another way than this server wants: %.20q", r.Decision)
	}
	fresh, err := v.o.Spend(ctx, r.ID, until)
	if err != nil {
		return nil, fmt.Errorf("receipt: cannot mark it as used: %w", err)
	}
	if !fresh {
		return nil, refuse("used", "it was used before")
	}
	return r, nil
}

// read checks form and signature.
func (v *Verifier) read(text string) (*Receipt, error) {
	parts := strings.Split(text, ".")
	if len(text) > mostText || len(parts) != 3 {
		return nil, refuse("form", "it is not a compact JWS of at most %d bytes", mostText)
	}
	key := v.heads[parts[0]]
	if key == nil {
		return nil, refuse("key", "it does not begin as a receipt of a known key does")
	}
	payload, ok := decodeExactly(parts[1])
	signature, whole := decodeExactly(parts[2])
	if !ok || !whole || len(signature) != ed25519.SignatureSize {
		return nil, refuse("form", "it is not base64url without padding")
	}
	if !ed25519.Verify(key, []byte(parts[0]+"."+parts[1]), signature) {
		return nil, refuse("signature", "the signature is wrong")
	}
	var r Receipt
	if err := json.Unmarshal(payload, &r); err != nil || r.ID == "" || r.Issued <= 0 || r.Expires <= r.Issued || r.Tool == "" || r.Digest == "" {
		return nil, refuse("form", "the gate signed something that is no receipt")
	}
	return &r, nil
}

// Memory remembers which receipts were used, in this process. Its zero value is ready.
type Memory struct {
	Limit int              // of receipts that are still valid; 0 means 100,000
	Now   func() time.Time // nil means the clock
	mu    sync.Mutex
	until map[string]time.Time
}

// Spend is a function for Options.Spend. If the limit is reached, it returns an error: it
// never forgets a receipt that could be accepted again.
func (m *Memory) Spend(_ context.Context, id string, until time.Time) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.until == nil {
		m.until = map[string]time.Time{}
	}
	if _, used := m.until[id]; used {
		return false, nil
	}
	limit, now := m.Limit, time.Now
	if limit == 0 {
		limit = 100_000
	}
	if m.Now != nil {
		now = m.Now
	}
	if len(m.until) >= limit {
		for other, end := range m.until {
			if now().After(end) {
				delete(m.until, other)
			}
		}
	}
	if len(m.until) >= limit {
		return false, fmt.Errorf("%d used receipts are still valid", limit)
	}
	m.until[id] = until
	return true, nil
}
