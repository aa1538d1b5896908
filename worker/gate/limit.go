package gate

import (
	"net/http"
	"net/netip"
	"strings"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/store"
)

// admitRequest counts a request at the rate of its key. The results have the same meaning
// as those of rate.Limiter.Take.
func (g *Gate) admitRequest(who machine.Principal) (ok bool, wait int) {
	name := who.Tenant + " " + string(who.Role) + " " + who.Name
	if k := g.keyOf(who); k != nil && k.Rate > 0 {
		return g.limits.TakeAt(name, k.Rate, max(1, 20*k.Rate), g.Now())
	}
	return g.limits.Take(name, g.Now())
}

// agentQuota returns the largest numbers of waiting proposals for the agent's tenant and
// for the agent itself.
func (g *Gate) agentQuota(who machine.Principal) store.Quota {
	q := store.Quota{Tenant: g.Waiting, Agent: g.Pending}
	if k := g.keyOf(who); k != nil && k.Pending > 0 {
		q.Agent = k.Pending
	}
	return q
}

// Limits of sign-in: the burst and the rate. A wrong key counts against its address, a
// right one against its approver, whose limits are higher.
const (
	signInBurst = 20
	signInRate  = 0.5
	signInKnown = 5 // factor on both for an approver
)

// trySignIn looks up a key with which somebody signs in. The result key is nil if no
// approver has this key. The result ok is true if the attempt is within the limits. A
// right key counts for its approver and a wrong key for the client's address, so wrong
// keys never lock out a person with a right key.
func (g *Gate) trySignIn(r *http.Request, text string) (key *Key, ok bool) {
	if k := g.findKey(text); len(text) >= minKey && k != nil && k.Role == machine.Approver {
		key = &k.Key
	}
	name, factor := "sign in from "+g.clientAddress(r), 1.0
	if key != nil {
		name, factor = "sign in as "+key.Tenant+" "+key.Name, signInKnown
	}
	if g.limits.Rate <= 0 {
		return key, true
	}
	ok, _ = g.limits.TakeAt(name, factor*signInRate, factor*signInBurst, g.Now())
	return key, ok
}

// clientAddress returns the address of a request's client, with an IPv6 address shortened
// to its /64 network. Usually this is the address of the connection. If AddressHeader is
// set and the connection comes from a trusted proxy (see Options.Proxies), it is the last
// address in the header that is not a trusted proxy's.
func (g *Gate) clientAddress(r *http.Request) string {
	at := parseAddress(r.RemoteAddr)
	if g.AddressHeader == "" || len(g.Proxies) > 0 && !g.trustsProxy(at) {
		return networkOf(at)
	}
	all := strings.Split(strings.Join(r.Header.Values(g.AddressHeader), ","), ",")
	for i := len(all) - 1; i >= 0; i-- {
		next := parseAddress(strings.TrimSpace(all[i]))
		if !next.IsValid() {
			break
		}
		if at = next; !g.trustsProxy(at) {
			break
		}
	}
	return networkOf(at)
}

func (g *Gate) trustsProxy(a netip.Addr) bool {
	for _, p := range g.Proxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseAddress reads an IP address with or without a port. It returns the zero Addr if
// the text is not an address.
func parseAddress(text string) netip.Addr {
	if p, err := netip.ParseAddrPort(text); err == nil {
		return p.Addr().Unmap()
	}
	a, _ := netip.ParseAddr(strings.Trim(text, "[]"))
	return a.Unmap()
}

func networkOf(a netip.Addr) string {
	if a.Is6() {
		p, _ := a.WithZone("").Prefix(64)
		return p.String()
	}
	return a.String()
}
