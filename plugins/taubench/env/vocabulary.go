package env

import (
	"maps"
	"slices"
)

// Tools lists the names of a domain's tools, of either dialect, in order.
func Tools(domain Domain) []string {
	all := map[string]bool{}
	for _, d := range [...]Dialect{Tau, Tau2} {
		for name := range toolsOf(domain, d) {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Writes tells whether a tool of that name may change a database of either domain,
// and whether there is such a tool.
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

// DomainOf decides by tool names which domain a run is of: the one that knows more
// of the distinct names. "" where neither knows one, or both the same.
func DomainOf(names []string) Domain {
	known := map[Domain]int{}
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	for _, domain := range [...]Domain{Airline, Retail} {
		tools := Tools(domain)
		for _, n := range distinct {
			if _, ok := slices.BinarySearch(tools, n); ok {
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
