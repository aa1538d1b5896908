package access

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"sync"
	"time"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/gate"
)

// The limits of the team's keys.
const (
	keysFor      = 10 * time.Minute // a key that the team has withdrawn proves nothing after this time
	timeLimit    = 5 * time.Second
	answerLimit  = 256 << 10
	mostKeys     = 20
	triesFor     = time.Minute
	mostTries    = 6 // in triesFor, for names of keys that are not known
	fewestBits   = 2048
	mostBits     = 8192
	longestKeyID = 200
)

// keys are the public keys of a team. They are fetched when they are needed. No request
// waits for the fetch of another one, because at the edge none can.
type keys struct {
	url       string
	transport http.RoundTripper

	mu    sync.Mutex
	known map[string]*rsa.PublicKey
	until time.Time // known counts before this time
	tries int       // since began
	began time.Time
}

// checkSignature reports whether a key of the team with this id made the signature of a text.
func (k *keys) checkSignature(ctx context.Context, id, text string, signature []byte, at time.Time) error {
	if id == "" || len(id) > longestKeyID {
		return errors.New("the token names no key")
	}
	key, err := k.findKey(ctx, id, at)
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(text))
	if rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) != nil {
		return fmt.Errorf("the signature of the token is not that of the key %.80q", id)
	}
	return nil
}

// findKey returns the key with an id. It fetches the keys if those that it has are old, or, a
// few times in a minute, if none has the id.
func (k *keys) findKey(ctx context.Context, id string, at time.Time) (*rsa.PublicKey, error) {
	k.mu.Lock()
	key, fresh := k.known[id], at.Before(k.until) && at.After(k.until.Add(-2*keysFor))
	if fresh && key == nil {
		if at.Sub(k.began) > triesFor || at.Before(k.began) {
			k.began, k.tries = at, 0
		}
		k.tries++
	}
	often := fresh && k.tries > mostTries
	k.mu.Unlock()
	switch {
	case fresh && key != nil:
		return key, nil
	case often:
		return nil, fmt.Errorf("the team has no key %.80q, and was asked too often for such keys", id)
	}
	all, err := k.fetchKeys(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", gate.ErrAway, err)
	}
	k.mu.Lock()
	k.known, k.until = all, at.Add(keysFor)
	k.mu.Unlock()
	if key = all[id]; key == nil {
		return nil, fmt.Errorf("the team has no key %.80q", id)
	}
	return key, nil
}

// fetchKeys returns the keys that the team publishes now.
func (k *keys) fetchKeys(ctx context.Context) (map[string]*rsa.PublicKey, error) {
	ctx, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return nil, err
	}
	a, err := k.transport.RoundTrip(r) // follows no redirects
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	body, err := io.ReadAll(io.LimitReader(a.Body, answerLimit+1))
	switch {
	case err != nil:
		return nil, err
	case a.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered %d", k.url, a.StatusCode)
	case len(body) > answerLimit:
		return nil, fmt.Errorf("%s answered more than %d bytes", k.url, answerLimit)
	}
	v, err := jsonval.Parse(string(body))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.url, err)
	}
	return readKeys(v.Get("keys"))
}

// readKeys reads the keys of a JSON Web Key Set. It leaves out keys that sign no tokens.
func readKeys(list jsonval.Value) (map[string]*rsa.PublicKey, error) {
	if list.Kind() != jsonval.Array || list.Len() > mostKeys {
		return nil, fmt.Errorf("want a list of at most %d keys", mostKeys)
	}
	all := map[string]*rsa.PublicKey{}
	for _, v := range list.Elements() {
		id := textOf(v.Get("kid"))
		if key := readKey(v); key != nil && id != "" {
			if all[id] != nil {
				return nil, fmt.Errorf("two keys have the name %.80q", id)
			}
			all[id] = key
		}
	}
	if len(all) == 0 {
		return nil, errors.New("the team publishes no key for RS256")
	}
	return all, nil
}

// readKey reads one key, or returns nil if it is none for RS256.
func readKey(v jsonval.Value) *rsa.PublicKey {
	alg, use := v.Get("alg"), v.Get("use")
	if textOf(v.Get("kty")) != "RSA" || alg.Exists() && textOf(alg) != "RS256" || use.Exists() && textOf(use) != "sig" {
		return nil
	}
	n, err := base64.RawURLEncoding.DecodeString(textOf(v.Get("n")))
	e, err2 := base64.RawURLEncoding.DecodeString(textOf(v.Get("e")))
	if err != nil || err2 != nil || len(e) == 0 || len(e) > 4 {
		return nil
	}
	key := &rsa.PublicKey{N: new(big.Int).SetBytes(n)}
	for _, b := range e {
		key.E = key.E<<8 | int(b)
	}
	if bits := key.N.BitLen(); bits < fewestBits || bits > mostBits || key.N.Bit(0) == 0 || key.E < 3 || key.E&1 == 0 || key.E > 1<<31-1 {
		return nil
	}
	return key
}
