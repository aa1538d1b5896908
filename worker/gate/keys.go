package gate

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"

	machine "github.com/boundcheck/boundcheck/core/gate"
)

// Key lets somebody in. Only the hash of the key itself is held.
type Key struct {
	machine.Principal
	Hash [sha256.Size]byte
}

// minKey is the shortest key that is taken: keys are drawn, not thought up, and
// are therefore hashed without salt or stretching.
const minKey = 24

// NewKey makes a Key from its text.
func NewKey(p machine.Principal, text string) (Key, error) {
	if len(text) < minKey || strings.ContainsAny(text, " \t\r\n") {
		return Key{}, fmt.Errorf("invalid key of %s: want at least %d characters without spaces; draw one with \"boundcheck gate key\"", p.Name, minKey)
	}
	return Key{p, sha256.Sum256([]byte(text))}, nil
}

// ReadKeys reads a key file: one key a line, "TENANT ROLE NAME KEY [APPROVER]",
// where KEY is the key or "sha256:" and its hash, and APPROVER, on agents'
// lines, is the one approver who may decide for that agent. # begins a comment.
func ReadKeys(text string) ([]Key, error) {
	var keys []Key
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		if len(f) < 4 || len(f) > 5 {
			return nil, fmt.Errorf("line %d: want TENANT ROLE NAME KEY [APPROVER], saw %d words", i+1, len(f))
		}
		p := machine.Principal{Tenant: f[0], Role: machine.Role(f[1]), Name: f[2]}
		if len(f) == 5 {
			p.For = f[4]
		}
		k, err := readKey(p, f[3])
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		keys = append(keys, k)
	}
	return keys, checkKeys(keys)
}

func readKey(p machine.Principal, text string) (Key, error) {
	digits, hashed := strings.CutPrefix(text, "sha256:")
	if !hashed {
		return NewKey(p, text)
	}
	k := Key{Principal: p}
	if n, err := hex.Decode(k.Hash[:], []byte(digits)); err != nil || n != len(k.Hash) || len(digits) != 2*len(k.Hash) {
		return k, errors.New("invalid hash: want sha256: and 64 hexadecimal digits")
	}
	return k, nil
}

// checkKeys refuses keys that are used twice, unknown roles, and an approver
// that nobody can be.
func checkKeys(keys []Key) error {
	seen := map[[sha256.Size]byte]bool{}
	people := map[string]bool{}
	for _, k := range keys {
		if seen[k.Hash] {
			return fmt.Errorf("invalid keys: the key of %s stands twice: every key has one role", k.Name)
		}
		seen[k.Hash] = true
		if k.Role == machine.Approver {
			people[k.Tenant+" "+k.Name] = true
		}
	}
	for _, k := range keys {
		switch {
		case k.Role != machine.Agent && k.Role != machine.Approver:
			return fmt.Errorf("unknown role %q of %s: want agent or approver", k.Role, k.Name)
		case k.Tenant == "" || k.Name == "":
			return errors.New("invalid keys: a key without tenant or name")
		case k.For != "" && !people[k.Tenant+" "+k.For]:
			return fmt.Errorf("unknown approver %q of agent %s: no such approver in the tenant", k.For, k.Name)
		}
	}
	return nil
}

// who finds the principal of a key. It looks at all keys in the same time,
// whichever fits.
func (g *Gate) who(text string) (machine.Principal, bool) {
	hash := sha256.Sum256([]byte(text))
	found := -1
	for i := range g.Keys {
		if subtle.ConstantTimeCompare(hash[:], g.Keys[i].Hash[:]) == 1 {
			found = i
		}
	}
	if found < 0 || text == "" {
		return machine.Principal{}, false
	}
	return g.Keys[found].Principal, true
}

// approver tells whether there still is an approver of that name.
func (g *Gate) approver(tenant, name string) (machine.Principal, bool) {
	for i := range g.Keys {
		if k := &g.Keys[i]; k.Role == machine.Approver && k.Tenant == tenant && k.Name == name {
			return k.Principal, true
		}
	}
	return machine.Principal{}, false
}

// limiter is a bucket of requests for each name. Its zero value limits nothing.
type limiter struct {
	rate, burst float64
	mu          sync.Mutex
	buckets     map[string]bucket
}

type bucket struct {
	left float64
	at   int64
}

// take takes one request and tells whether there was one left; otherwise wait
// is the number of seconds until there is.
func (l *limiter) take(name string, now int64) (ok bool, wait int) {
	if l.rate <= 0 {
		return true, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	b, known := l.buckets[name]
	if !known {
		b = bucket{l.burst, now}
	}
	b.left = min(l.burst, b.left+float64(max(0, now-b.at))/1000*l.rate)
	b.at = now
	if ok = b.left >= 1; ok {
		b.left--
	} else {
		wait = max(1, int(math.Ceil((1-b.left)/l.rate)))
	}
	l.buckets[name] = b
	return ok, wait
}

// Loopback tells whether a host, with or without a port, is this machine.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}
