// Package origin says which addresses the gate and its proxies use: https, or http where
// nobody else can listen; and from which address a client comes.
package origin

import (
	"fmt"
	"net"
	"net/url"
	"strings"
)

// Loopback reports whether a host, with or without a port, is this machine.
func Loopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// Private reports whether a host without a port is an address of a private network.
func Private(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast())
}

// Parse parses an address that a setting names: https, or http on loopback, without a
// user and a fragment.
func Parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || !Allowed(u) {
		return nil, fmt.Errorf("invalid address %.200q: want https://host/path, or http on loopback", text)
	}
	return u, nil
}

// Allowed reports whether an address is one of https, or of http on loopback.
func Allowed(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && Loopback(u.Host)
}

// Beside parses an address that the site u names in its description of itself: https, or http
// on loopback if the site itself is at one. So a site elsewhere leads nobody to a service of
// this machine, or to an answer that others on the way could have written.
func Beside(u *url.URL, text string) (*url.URL, error) {
	named, err := Parse(text)
	if err == nil && named.Scheme != "https" && u.Scheme == "https" {
		return nil, fmt.Errorf("invalid address %.200q: want https", text)
	}
	return named, err
}
