package gate

import (
	"net/http"

	"github.com/boundcheck/boundcheck/core/gate/machine"
	"github.com/boundcheck/boundcheck/worker/gate/origin"
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

// clientAddress returns the address of a request's client (see origin.Client).
func (g *Gate) clientAddress(r *http.Request) string {
	return origin.Client(r.RemoteAddr, r.Header.Values(g.AddressHeader), g.Proxies)
}
