package gate

import (
	"math"
	"net/http"
	"net/netip"
	"strings"
	"sync"

	"github.com/boundcheck/boundcheck/core/gate/machine"
)

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

// maxBuckets is how many names are remembered; then those that are full again are
// forgotten, since they are as good as new.
const maxBuckets = 10_000

// take takes one request at the limiter's own rate, and reports whether there was
// one left; otherwise wait is the number of seconds until there is.
func (l *limiter) take(name string, now int64) (ok bool, wait int) {
	return l.takeAt(name, l.rate, l.burst, now)
}

// takeAt is take with a rate and a burst of the name's own. Use the same ones for
// the same name each time.
func (l *limiter) takeAt(name string, rate, burst float64, now int64) (ok bool, wait int) {
	if rate <= 0 {
		return true, 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.buckets == nil {
		l.buckets = map[string]bucket{}
	}
	b, known := l.buckets[name]
	if !known {
		l.forget(now)
		b = bucket{burst, now}
	}
	b.left = min(burst, b.left+float64(max(0, now-b.at))/1000*rate)
	b.at = now
	if ok = b.left >= 1; ok {
		b.left--
	} else {
		wait = max(1, int(math.Ceil((1-b.left)/rate)))
	}
	l.buckets[name] = b
	return ok, wait
}

// idle is after how many milliseconds without a request a bucket may be forgotten
// when there are too many.
const idle = 60_000

// forget makes room for another name: what has not been used for a while goes,
// and when all are in use, everything.
func (l *limiter) forget(now int64) {
	if len(l.buckets) < maxBuckets {
		return
	}
	for name, b := range l.buckets {
		if now-b.at > idle {
			delete(l.buckets, name)
		}
	}
	if len(l.buckets) >= maxBuckets {
		clear(l.buckets)
	}
}

// admit counts a request against its key's rate.
func (g *Gate) admit(who machine.Principal) (ok bool, wait int) {
	name := who.Tenant + " " + string(who.Role) + " " + who.Name
	if k := g.keyOf(who); k != nil && k.Rate > 0 {
		return g.limits.takeAt(name, k.Rate, max(1, 20*k.Rate), g.Now())
	}
	return g.limits.take(name, g.Now())
}

// keyOf returns the key of a principal; nil if the principal has no key any more.
func (g *Gate) keyOf(who machine.Principal) *Key {
	for i := range g.Keys {
		if k := &g.Keys[i]; k.Principal == who {
			return k
		}
	}
	return nil
}

// quota is how many proposals may wait when an agent makes another one.
func (g *Gate) quota(who machine.Principal) Quota {
	q := Quota{g.Waiting, g.Pending}
	if k := g.keyOf(who); k != nil && k.Pending > 0 {
		q.Agent = k.Pending
	}
	return q
}

// A wrong key at the sign-in takes from its address's bucket, a right one from its
// approver's, which is larger: so many at once, and so many more a second.
const (
	signInBurst = 20
	signInRate  = 0.5
	signInKnown = 5 // times both, for an approver
)

// trySignIn looks a key up, and reports whether it may sign in now. The look-up
// comes first, because it costs less than anything an attacker could be denied by
// it: wrong keys, however many, keep nobody with a right one out.
func (g *Gate) trySignIn(r *http.Request, key string) (who machine.Principal, known, ok bool) {
	if len(key) >= minKey {
		who, known = g.who(key)
		known = known && who.Role == machine.Approver
	}
	name, factor := "sign in as "+who.Tenant+" "+who.Name, float64(signInKnown)
	if !known {
		name, factor = "sign in from "+g.clientAddress(r), 1
	}
	if g.limits.rate <= 0 {
		return who, known, true
	}
	ok, _ = g.limits.takeAt(name, factor*signInRate, factor*signInBurst, g.Now())
	return who, known, ok
}

// clientAddress is where a request comes from: the connection's address, or, when
// that is a proxy's that the operator trusts, the last one in the header that no
// trusted proxy has. IPv6 addresses count by their network of 64 bits, of which
// anybody has as many addresses as they like.
func (g *Gate) clientAddress(r *http.Request) string {
	at := address(r.RemoteAddr)
	if g.AddressHeader == "" || len(g.Proxies) > 0 && !g.trusts(at) {
		return network(at)
	}
	all := strings.Split(strings.Join(r.Header.Values(g.AddressHeader), ","), ",")
	for i := len(all) - 1; i >= 0; i-- {
		next := address(strings.TrimSpace(all[i]))
		if !next.IsValid() {
			break
		}
		if at = next; !g.trusts(at) {
			break
		}
	}
	return network(at)
}

func (g *Gate) trusts(a netip.Addr) bool {
	for _, p := range g.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// address reads an address with or without a port; the zero one when it is none.
func address(text string) netip.Addr {
	if p, err := netip.ParseAddrPort(text); err == nil {
		return p.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap()
}

func network(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.WithZone("").Prefix(64)
		return p.String()
	}
	return a.String()
}
