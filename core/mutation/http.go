package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/jsonval"
)

// proveHTTP judges a call that sends an HTTP request. The call reads if its method is
// safe, its address is http or https, and nothing else is sent: no body, and no header
// that changes the method. If the tool's name does not mean fetching, the call must state
// its method.
func proveHTTP(s *start, arguments jsonval.Value) Verdict {
	h := httpProof{fetches: s.members.fetches}
	h.walk(arguments)
	if h.fetches && h.address {
		h.take(No, LayerName, "it only fetches data and sends none")
	}
	if arguments.Len() > 0 && !h.address {
		h.add(Unknown, LayerHTTP, "there is no address to fetch")
	}
	nothing := s.verdict
	if s.verdict.Mutating == Yes {
		nothing = s.verdict
	}
	return h.result(nothing)
}

type httpProof struct {
	proof
	fetches, address bool
}

func (h *httpProof) walk(v jsonval.Value) {
	v.Each(func(name string, m jsonval.Value) bool {
		if active(m) {
			h.member(name, m)
		}
		return true
	})
}

func (h *httpProof) member(name string, v jsonval.Value) {
	k := memberKind(name)
	s, text := v.Str()
	switch t := words(name); {
	case k == methodMember:
		m, why := methodKind(strings.ToUpper(strings.TrimSpace(s)))
		if why == "" {
			why = quote(clip(name)) + " does not name a known HTTP method"
		}
		h.take(m, LayerHTTP, why)
	case k == headerMember:
		h.headers(v)
	case (k == boundMember || len(t) > 0 && t[len(t)-1] == "query") && !text:
		h.bound(name, v)
	case k == deedMember:
		h.add(deedVerdict(name), LayerArgument, quote(clip(name))+" asks for a change")
	case k == outputMember:
		h.add(Yes, LayerArgument, quote(clip(name))+" names a file to write")
	case text && (k == pathMember || k == readerMember || k == wordsMember):
		h.addressed(k, s)
	case k == otherMember && v.Kind() == jsonval.Number:
	case k == readerMember && v.Kind() != jsonval.Object, k == pathMember && v.Kind() == jsonval.Array:
		if v.Kind() == jsonval.Array {
			v.Each(func(_ string, e jsonval.Value) bool {
				if each, ok := e.Str(); ok {
					h.addressed(k, each)
				} else if e.Kind() != jsonval.Number {
					h.add(Unknown, LayerHTTP, quote(clip(name))+" is sent with the request")
				}
				return true
			})
		}
	default:
		h.add(Unknown, LayerHTTP, quote(clip(name))+" is sent with the request")
	}
}

// addressed judges the text of a member that has the kind k. If the member is the address
// of the request, addressed also records that there is an address.
func (h *httpProof) addressed(k kind, s string) {
	h.address = h.address || k == pathMember
	h.text(s, k == pathMember)
}

// text judges one text of a request. If address is true, the text is an address, and its
// scheme must be http or https.
func (h *httpProof) text(s string, address bool) {
	if m, why := methodKind(s); why != "" && m != No {
		h.add(m, LayerHTTP, why)
	}
	if strings.HasPrefix(s, "-") && len(s) > 1 && !digit(s[1]) {
		h.add(Unknown, LayerHTTP, "an unknown option: "+quote(clip(s)))
	}
	if t := strings.TrimSpace(s); t != "" && (t[0] == '{' || t[0] == '[') {
		h.add(Unknown, LayerHTTP, "an object that is written as text is sent with the request")
	}
	h.scheme(s, address)
}

// scheme judges the beginning of a text. In an address, every scheme except http and
// https counts as evidence.
func (h *httpProof) scheme(s string, address bool) {
	scheme, _, found := strings.Cut(s, ":")
	lower := strings.ToLower(strings.TrimSpace(scheme))
	if why := unsafeScheme(s); why != "" {
		h.add(Unknown, LayerHTTP, why)
	} else if why := addressAsks(s); why != "" {
		h.add(Unknown, LayerHTTP, why)
	} else if found && address && schemeName(scheme) && lower != "http" && lower != "https" && !hostWithPort(s) {
		h.add(Unknown, LayerHTTP, "the scheme "+quote(clip(lower))+" is not http or https")
	}
}

// bound judges the query parameters of an address. They must be plain values. A parameter
// that is named like another part of the request, such as the method or a header, is
// judged like that part.
func (h *httpProof) bound(name string, v jsonval.Value) {
	if !flat(v) {
		h.add(Unknown, LayerHTTP, quote(clip(name))+" is sent with the request")
		return
	}
	v.Each(func(key string, m jsonval.Value) bool {
		s, _ := m.Str()
		k := memberKind(key)
		switch k {
		case methodMember, headerMember, deedMember, outputMember, contentMember:
			if active(m) {
				h.member(key, m)
			}
		case carrierMember:
			if active(m) && (!identifier(s) || word(strings.ToLower(s)).has(write)) {
				h.add(Unknown, LayerHTTP, quote(clip(key))+" asks for a change")
			}
		default:
			h.text(s, k == pathMember)
		}
		return true
	})
}

// flat reports whether a value is an object or a list of plain values, as the query of an
// address is.
func flat(v jsonval.Value) bool {
	plain := true
	v.Each(func(_ string, m jsonval.Value) bool {
		plain = m.Kind() != jsonval.Object && m.Kind() != jsonval.Array
		return plain
	})
	return plain
}

// hostWithPort reports whether the text before the first colon is a host with a port
// after it (localhost:8080), and not a scheme.
func hostWithPort(s string) bool {
	_, port, _ := strings.Cut(s, ":")
	return port != "" && digit(port[0])
}

func schemeName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !letter(s[i]) && !digit(s[i]) && s[i] != '+' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// headers judges the headers. A header that names another method, or that is not known to
// be harmless, may change the request.
func (h *httpProof) headers(v jsonval.Value) {
	v.Each(func(name string, m jsonval.Value) bool {
		switch strings.ToLower(name) {
		case "accept", "accept-language", "accept-encoding", "authorization", "user-agent", "referer", "cache-control", "if-none-match",
			"if-modified-since", "range", "cookie", "x-api-key", "api-key", "apikey", "content-type", "origin", "host", "x-request-id":
		default:
			h.add(Unknown, LayerHTTP, "the header "+quote(clip(name))+" may change the request")
		}
		return true
	})
	if v.Kind() != jsonval.Object {
		h.add(Unknown, LayerHTTP, "headers that are not an object")
	}
}

// unsafeScheme returns the reason why an address is unsafe. An example is the scheme
// javascript:, which may run a program. It returns "" if the scheme is not known to be
// unsafe.
func unsafeScheme(s string) string {
	scheme, _, found := strings.Cut(strings.TrimSpace(s), ":")
	if !found || len(scheme) > 16 {
		return ""
	}
	switch lower := strings.ToLower(strings.Map(visibleOnly, scheme)); lower {
	case "javascript", "vbscript", "data", "gopher", "dict", "jar", "ldap", "ldaps", "tftp", "expect", "phar":
		return "the scheme " + quote(lower) + " may run or send something"
	}
	return ""
}

// visibleOnly is a mapping for strings.Map. It drops the characters that browsers ignore
// within a scheme.
func visibleOnly(r rune) rune {
	if r <= ' ' {
		return -1
	}
	return r
}
