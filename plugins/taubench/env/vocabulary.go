package env

import (
	"maps"
	"slices"
	"sync"
)

// tables holds the tools of every domain and dialect. It is built once, because they
// never change.
var tables = sync.OnceValue(func() map[Domain][2]map[string]signed {
	return map[Domain][2]map[string]signed{
		Airline: {Tau: splitSignatures(airlineTools()), Tau2: splitSignatures(airline2Tools())},
		Retail:  {Tau: splitSignatures(retailTools()), Tau2: splitSignatures(retail2Tools())},
	}
})

// toolsOf returns a domain's tools, or nil for an unknown domain.
func toolsOf(domain Domain, d Dialect) map[string]signed { return tables()[domain][d] }

// Tools lists the names of the domains' tools in order.
func Tools(dialect Dialect, domains ...Domain) []string {
	all := map[string]bool{}
	for _, d := range domains {
		for name := range toolsOf(d, dialect) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Signature returns the parameters of a domain's tool in order. All parameters are
// required. writes is true if the tool writes. known is false if there is no such tool.
func Signature(domain Domain, dialect Dialect, name string) (params []string, writes, known bool) {
	t, known := toolsOf(domain, dialect)[name]
	return slices.Clone(t.names), t.writes, known
}

// Writes reports whether a tool with that name may change a database of either domain.
// known is false if there is no such tool.
func Writes(name string) (writes, known bool) {
	for _, domain := range [...]Domain{Airline, Retail} {
		for _, d := range [...]Dialect{Tau, Tau2} {
			if t, ok := toolsOf(domain, d)[name]; ok {
				return t.writes, true
			}
		}
	}
	return false, false
}

// DomainOf returns the domain that knows more of the given tool names. Equal names count
// once. The result is "" if both domains know equally many names.
func DomainOf(names []string) Domain {
	known := map[Domain]int{}
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	for _, domain := range [...]Domain{Airline, Retail} {
		old, tools := toolsOf(domain, Tau), toolsOf(domain, Tau2)
		for _, n := range distinct {
			if _, ok := old[n]; ok || tools[n].run != nil {
				known[domain]++
			}
		}
	}
	switch a, r := known[Airline], known[Retail]; {
	case a > r:
		return Airline
	case r > a:
		return Retail
	}
	return ""
}
