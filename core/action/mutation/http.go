package mutation

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// proveHTTP judges a call that sends an HTTP request. The call only reads if all of these
// are true:
//
//   - The method is safe. It may be missing if the tool's name means fetching.
//   - The scheme of the address is http or https.
//   - The address does not ask for a change (see addressAsks).
//   - The request has no body, and no header that changes the method.
func proveHTTP(s *start, arguments jsonval.Value) Verdict {
	h := httpProof{fetches: s.members.fetches, members: &s.members}
	h.walkValue(arguments)
	parts, query := append(h.hosts, h.routes...), strings.Join(h.query, "&")
	if n := len(parts); n > 64 || n > 0 && h.bytes+len(query) > maxAddressWork/(n*(len(h.routes)+1)) {
		h.addEvidence(Unknown, LayerHTTP, "the call has too many addresses, or the addresses are too long")
		parts = nil
	}
	for _, a := range parts {
		for _, route := range append(h.routes, "") {
			if why := hostAsks(a+route, query); why != "" {
				h.addEvidence(Unknown, LayerHTTP, why)
			}
		}
	}
	if name := h.places.receiver(); name != "" {
		h.doubtMember(name, " may name a file to write")
	}
	if h.fetches && h.address {
		h.takeVerdict(No, LayerName, "the tool only fetches data and sends no data")
	}
	if !h.address && s.members.yields {
		return weighText(s, arguments)
	}
	if arguments.Len() > 0 && !h.address {
		h.addEvidence(Unknown, LayerHTTP, "there is no address to fetch")
	}
	return h.finalVerdict(s.verdict)
}

// weighText weighs a call without an address of a tool that returns one, such as
// get_project_url. The call sends no request that its arguments describe.
func weighText(s *start, arguments jsonval.Value) Verdict {
	plainStart := *s
	plainStart.language, plainStart.claims = plain, nil
	return weighPlain(&plainStart, arguments, session{})
}

// maxAddressWork limits the bytes that proveHTTP looks at when it joins the parts of an
// address in every way. Only a call made for it needs more.
const maxAddressWork = 4 << 20

type httpProof struct {
	proof
	fetches, address bool
	hosts, routes    []string // the addresses, with a host and without
	bytes            int      // the length of the addresses
	query            []string // parameters in other members
	members          *members
	places           places
}

func (h *httpProof) walkValue(v jsonval.Value) {
	v.Each(func(name string, m jsonval.Value) bool {
		if hasContent(m) {
			h.judgeMember(name, m)
		}
		return true
	})
}

func (h *httpProof) judgeMember(name string, v jsonval.Value) {
	k := kindOf(name, v)
	s, text := v.Str()
	h.places.note(h.members, name, s)
	switch t := splitWords(name); {
	case len(t) > 0 && (uiVerb(t[0]) || t[0] == "steps"):
		h.doubtMember(name, " may act on the page")
	case k == methodMember:
		m, why := methodKind(strings.ToUpper(strings.TrimSpace(s)))
		if why == "" {
			why = quote(clipText(name)) + " does not name a known HTTP method"
		}
		h.takeVerdict(m, LayerHTTP, why)
	case k == headerMember:
		h.judgeHeaders(v)
	case v.Kind() == jsonval.Object && holdsRequest(name):
		h.judgeOptions(name, v)
	case (k == boundMember || len(t) > 0 && t[len(t)-1] == "query") && !text:
		h.judgeParameter(name, v)
	case k == deedMember:
		h.noteDeed(name)
	case k == outputMember:
		h.addEvidence(Yes, LayerArgument, quote(clipText(name))+" names a file to write")
	case text && (k == pathMember || k == readerMember || k == wordsMember):
		if k == wordsMember && strings.Contains(s, "=") {
			h.query = append(h.query, s)
		}
		h.judgeAddress(k, s)
	case k == otherMember && v.Kind() == jsonval.Number:
	case k == readerMember && v.Kind() != jsonval.Object, k == pathMember && v.Kind() == jsonval.Array:
		if v.Kind() == jsonval.Array {
			v.Each(func(_ string, e jsonval.Value) bool {
				if each, ok := e.Str(); ok {
					h.judgeAddress(k, each)
				} else if e.Kind() != jsonval.Number {
					h.doubtMember(name, " is sent with the request")
				}
				return true
			})
		}
	default:
		h.doubtMember(name, " is sent with the request")
	}
}

// judgeOptions judges an object with other parts of the request, such as its method or
// headers. A member that is not a known part of a request may be data to send.
func (h *httpProof) judgeOptions(name string, v jsonval.Value) {
	v.Each(func(key string, m jsonval.Value) bool {
		switch k, t := memberKind(key), splitWords(key); {
		case !hasContent(m):
		case k == methodMember, k == headerMember, k == pathMember && m.Kind() == jsonval.String:
			h.judgeMember(key, m)
		case len(t) > 0 && t[0] == "timeout" && m.Kind() == jsonval.Number:
		default:
			h.doubtMember(name, " is sent with the request")
		}
		return true
	})
}

// holdsRequest reports whether a member contains other parts of the request. An example
// is the second argument of fetch in JavaScript.
func holdsRequest(name string) bool {
	return oneOf(name, "options init config request")
}

// judgeAddress judges the text of a member that has the kind k. If the member is the
// address of the request, judgeAddress also records that there is an address.
func (h *httpProof) judgeAddress(k kind, s string) {
	if k == pathMember {
		h.address = true
		h.noteAddress(s)
	}
	h.judgeText(s, k == pathMember)
}

// noteAddress records an address, or a part of one, for a judgement of the whole request.
// A client adds the scheme that an address lacks.
func (h *httpProof) noteAddress(s string) {
	rest, web := cutWebScheme(s)
	before, _, _ := strings.Cut(rest, "?")
	if line := strings.ToLower(decodePercent(before)); strings.ContainsAny(line, "\r\n") || strings.ContainsAny(strings.TrimSpace(s), "\r\n") {
		h.addEvidence(Unknown, LayerHTTP, "a line break in an address may send a second request")
	}
	host, _, _ := strings.Cut(before, "/")
	h.bytes += len(rest)
	switch {
	case web, strings.HasPrefix(rest, "//"), strings.ContainsAny(host, ".:"), host == "localhost":
		h.hosts = append(h.hosts, strings.TrimLeft(rest, "/"))
	default:
		h.routes = append(h.routes, "/"+strings.TrimLeft(rest, "/"))
	}
}

// judgeText judges one text of a request. If address is true, the text is an address, and
// its scheme must be http or https.
func (h *httpProof) judgeText(s string, address bool) {
	if m, why := methodKind(s); why != "" && m != No {
		h.addEvidence(m, LayerHTTP, why)
	}
	if strings.HasPrefix(s, "-") && len(s) > 1 && !isDigit(s[1]) {
		h.addEvidence(Unknown, LayerHTTP, "an unknown option: "+quote(clipText(s)))
	}
	if t := strings.TrimSpace(s); t != "" && (t[0] == '{' || t[0] == '[') {
		h.addEvidence(Unknown, LayerHTTP, "the request sends an object that is written as text")
	}
	h.judgeScheme(s, address)
}

// judgeScheme judges the beginning of a text. In an address, every scheme except http and
// https counts as evidence.
func (h *httpProof) judgeScheme(s string, address bool) {
	scheme, _, found := strings.Cut(s, ":")
	lower := strings.ToLower(strings.TrimSpace(scheme))
	if why := unsafeScheme(s); why != "" {
		h.addEvidence(Unknown, LayerHTTP, why)
	} else if why := addressAsks(s); why != "" {
		h.addEvidence(Unknown, LayerHTTP, why)
	} else if found && address && schemeName(scheme) && lower != "http" && lower != "https" && !hostWithPort(s) {
		h.addEvidence(Unknown, LayerHTTP, "the scheme "+quote(clipText(lower))+" is not http or https")
	}
}

// judgeParameter judges the query parameters of an address, which must be plain values.
// Some parameters are named like another part of the request, such as the method or a
// header. Such a parameter is judged like that part.
func (h *httpProof) judgeParameter(name string, v jsonval.Value) {
	if !isFlat(v) {
		h.doubtMember(name, " is sent with the request")
		return
	}
	v.Each(func(key string, m jsonval.Value) bool {
		s, text := m.Str()
		h.places.note(h.members, key, s)
		if text {
			h.query = append(h.query, key+"="+s)
		} else {
			h.query = append(h.query, key+"="+m.Raw())
		}
		k := memberKind(key)
		switch k {
		case methodMember, headerMember, deedMember, outputMember, contentMember:
			if hasContent(m) {
				h.judgeMember(key, m)
			}
		case carrierMember:
			if hasContent(m) && (!isIdentifier(s) || wordClass(strings.ToLower(s)).has(write)) {
				h.doubtMember(key, " asks for a change")
			}
		default:
			h.judgeText(s, k == pathMember)
		}
		return true
	})
}

// isFlat reports whether v contains no objects or lists inside it. It returns true if v
// itself is neither an object nor a list.
func isFlat(v jsonval.Value) bool {
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
	return port != "" && isDigit(port[0])
}

func schemeName(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isLetter(s[i]) && !isDigit(s[i]) && s[i] != '+' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

// harmlessHeaders are the headers that do not change what a request does.
const harmlessHeaders = "accept accept-language accept-encoding authorization user-agent referer cache-control if-none-match " +
	"if-modified-since range cookie x-api-key api-key apikey content-type origin host x-request-id"

// judgeHeaders judges the headers. A header that names another method, or that is not
// known to be harmless, may change the request.
func (h *httpProof) judgeHeaders(v jsonval.Value) {
	v.Each(func(name string, m jsonval.Value) bool {
		if !oneOf(strings.ToLower(name), harmlessHeaders) {
			h.doubtMember(name, " is a header that may change the request")
		}
		return true
	})
	if v.Kind() != jsonval.Object {
		h.addEvidence(Unknown, LayerHTTP, "the headers are not an object")
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
	case "ext":
		if strings.Contains(s, "ext::") {
			return "git runs the program whose name follows ext::"
		}
	case "javascript", "vbscript", "data", "gopher", "dict", "jar", "ldap", "ldaps", "tftp", "expect", "phar", "shortcuts", "chrome", "edge", "vscode", "intent", "tel", "mailto", "ms-settings":
		return "the scheme " + quote(lower) + " may run or send something"
	}
	return ""
}

// visibleOnly is a function for strings.Map that removes spaces and control characters.
// Browsers ignore these characters in a scheme.
func visibleOnly(r rune) rune {
	if r <= ' ' {
		return -1
	}
	return r
}
