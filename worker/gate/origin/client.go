package origin

import (
	"net/http"
	"net/netip"
	"strings"
)

// Client returns the address of a request's client, with an IPv6 address shortened to its
// /64 network. Usually this is the address of the connection. If a header is named and the
// connection comes from a trusted proxy, it is the last address in the header that is not a
// trusted proxy's. Without proxies, the header is trusted from everybody.
func Client(r *http.Request, header string, proxies []netip.Prefix) string {
	at := parseAddress(r.RemoteAddr)
	if header == "" || len(proxies) > 0 && !isWithin(proxies, at) {
		return networkOf(at)
	}
	all := strings.Split(strings.Join(r.Header.Values(header), ","), ",")
	for i := len(all) - 1; i >= 0; i-- {
		next := parseAddress(strings.TrimSpace(all[i]))
		if !next.IsValid() {
			break
		}
		if at = next; !isWithin(proxies, at) {
			break
		}
	}
	return networkOf(at)
}

func isWithin(all []netip.Prefix, a netip.Addr) bool {
	for _, p := range all {
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
