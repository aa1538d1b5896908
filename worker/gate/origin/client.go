package origin

import (
	"net/netip"
	"slices"
	"strings"
)

// Client returns the address of a request's client, with an IPv6 address shortened to its
// /64 network. Usually this is the address of the connection, remote. If reported, the values
// of the header in which proxies report their client, is not empty and the connection comes
// from one of the proxies, it is the last address there that is not a proxy's. Without
// proxies, the header is trusted from everybody.
func Client(remote string, reported []string, proxies []netip.Prefix) string {
	trusted := func(a netip.Addr) bool {
		return slices.ContainsFunc(proxies, func(p netip.Prefix) bool { return p.Contains(a) })
	}
	at := parseAddress(remote)
	if len(proxies) > 0 && !trusted(at) {
		return networkOf(at)
	}
	all := strings.Split(strings.Join(reported, ","), ",")
	for _, text := range slices.Backward(all) {
		next := parseAddress(strings.TrimSpace(text))
		if !next.IsValid() {
			break
		}
		if at = next; !trusted(at) {
			break
		}
	}
	return networkOf(at)
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
