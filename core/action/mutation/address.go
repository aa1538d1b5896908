package mutation

import (
	"strconv"
	"strings"
)

// addressAsks returns why a GET request for an address may change something. It returns
// "" if nothing in the address says so. For example, /reboot.cgi, /orders/5/cancel and
// /relay/0?turn=off may change something. Only http and https addresses are judged.
// O(len(address)).
func addressAsks(address string) string {
	rest, found := cutWebScheme(address)
	if !found {
		return ""
	}
	return hostAsks(rest, "")
}

// cutWebScheme returns an address without http: or https: and the slashes after it. Like
// a browser, it accepts any number of slashes and reads a backslash as a slash. The
// result found is false if the address has no such scheme.
func cutWebScheme(address string) (rest string, found bool) {
	address = strings.ReplaceAll(strings.Map(printing, strings.TrimSpace(address)), "\\", "/")
	scheme, rest, _ := strings.Cut(address, ":")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return address, false
	}
	return strings.TrimLeft(rest, "/"), true
}

// printing is a function for strings.Map that removes control characters. Browsers ignore
// these characters in an address.
func printing(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

// hostAsks returns why a GET request for an address without a scheme may change
// something, or "". The argument more has further parameters for the query of the
// address.
func hostAsks(rest, more string) string {
	rest, _, _ = strings.Cut(rest, "#")
	rest, query, _ := strings.Cut(rest, "?")
	query = strings.Trim(decodePercent(query)+"&"+more, "&")
	if why := parameterAsks(query); why != "" {
		return why
	}
	host, route, _ := strings.Cut(rest, "/")
	route = decodePercent(route)
	if isDeviceHost(host) && ordersDevice(route) {
		return "the address may send a command to a device: " + quote(clipText(route))
	}
	if label, _, _ := strings.Cut(host, "."); (label == "hook" || label == "hooks") && strings.Trim(route, "/") != "" {
		return "a request to the address may trigger an action: " + quote(clipText(host))
	}
	return routeAsks(route, query)
}

// isDeviceHost reports whether a host may be a device in a local network. Examples are
// 192.168.1.7:8080, printer.local and router. A host without a dot counts, except
// localhost.
func isDeviceHost(host string) bool {
	host, _, _ = strings.Cut(host[strings.LastIndexByte(host, '@')+1:], ":")
	if !strings.Contains(host, ".") {
		return host != "localhost"
	}
	if strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".lan") || strings.HasPrefix(host, "10.") || strings.HasPrefix(host, "192.168.") {
		return true
	}
	rest, found := strings.CutPrefix(host, "172.")
	second, _, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(second)
	return found && err == nil && n >= 16 && n <= 31
}

// ordersDevice reports whether the last part of a path may be an order to a device, such
// as /reboot, /door/open or /led/on.
func ordersDevice(route string) bool {
	route = strings.TrimRight(route, "/")
	t := splitWords(route[strings.LastIndexByte(route, '/')+1:])
	if len(t) == 0 || len(t) > 2 {
		return false
	}
	c := wordClass(t[0])
	return c.isDeed() || len(t) == 1 && oneOf(t[0], "on off toggle open close up down start stop reset lock unlock restart reboot shutdown")
}

// decodePercent replaces %XX by the byte that it means. It keeps anything else.
func decodePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out.WriteByte(byte(b))
				i += 2
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// parameterAsks returns why a parameter of a query (a=1&b=2) asks for a change, or "".
func parameterAsks(query string) string {
	text, receiver := false, false // of a message that a gateway sends
	database := namesDatabase(query)
	for query != "" {
		var pair string
		pair, query, _ = strings.Cut(query, "&")
		name, value, _ := strings.Cut(pair, "=")
		value = strings.ReplaceAll(value, "+", " ")
		if lower := strings.ToLower(value); value == "" && name != pair || lower == "0" || lower == "false" || lower == "no" {
			continue
		}
		text = text || oneOf(name, "text message msg body")
		receiver = receiver || oneOf(name, "to phone recipient") && strings.ContainsAny(value, "0123456789@")
		k := memberKind(name)
		asks := text && receiver || k == deedMember || isSwitchState(value) || isSwitchState(name)
		switch t := splitWords(value); {
		case asks, len(t) == 0:
		case k == carrierMember, k == methodMember:
			asks = wordClass(t[0]).has(write|weak|vague) || operationNoun(lastWord(name)) && ordersOther(value) || endsInDeedSegment(value)
		case (name == "r" || name == "route") && strings.Contains(value, "/"):
			asks = endsInDeedSegment(value)
		case k == wordsMember || k == codeMember:
			if looksSQL(value) {
				m, _ := queryKind(value, 0)
				asks = m != No
			} else {
				asks = looksStatement(value) || database && len(t) > 1 && sqlWrites(t[0])
			}
		default:
			asks = isIdentifier(value) && wordClass(t[0]).isDeed()
		}
		if asks {
			return "the address asks for a change: " + quote(clipText(pair))
		}
	}
	return ""
}

// namesDatabase reports whether a query has the parameter db or database. A text beside it
// is a statement for this database rather than words to search for.
func namesDatabase(query string) bool {
	return anyOf(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return oneOf(strings.ToLower(name), "db database")
	})
}

// endsInDeedSegment reports whether the last part of a method or route begins with a verb
// that changes something. Examples are photos.delete and user/delete.
func endsInDeedSegment(value string) bool {
	t := splitWords(value[strings.LastIndexAny(value, "./")+1:])
	return len(t) > 0 && wordClass(t[0]).isDeed()
}

// ordersOther reports whether the value of a parameter such as action may mean more than
// a read.
func ordersOther(value string) bool {
	parts := splitSegments(value)
	v, found := nameVerdict(parts)
	return v.Mutating != No && (found || !isIdentifier(value) || unknownWord(parts) && !strings.HasPrefix(value, "wb")) // wbgetentities reads Wikidata
}

// lastWord returns the last word of a member's name, or "".
func lastWord(name string) string {
	t := memberWords(name)
	if len(t) == 0 {
		return ""
	}
	return t[len(t)-1]
}

// isSwitchState reports whether a value is the state of a switch, such as "off" or "Power
// On". The value has at most two words, and the last word is on, off or toggle.
func isSwitchState(value string) bool {
	t := splitWords(value)
	if len(t) == 0 || len(t) > 2 {
		return false
	}
	last := t[len(t)-1]
	return last == "on" || last == "off" || last == "toggle"
}

// maxSegments limits the parts of an address's path: the time to judge them is quadratic.
const maxSegments = 256

// routeAsks returns why the path of an address asks for a change, or "". See asksAt.
func routeAsks(route, query string) string {
	segments := strings.FieldsFunc(route, func(r rune) bool { return r == '/' })
	switch n := len(segments); {
	case n == 0:
		return ""
	case n > maxSegments:
		return "the path of the address has too many parts to judge"
	}
	redeemed := takesToken(query)
	for i, s := range segments {
		name, ending, _ := strings.Cut(s, ".")
		if t := splitWords(ending); len(t) == 1 && wordClass(t[0]).has(write) { // Switch.Set
			name = ending
		} else if len(t) > 1 && query != "" && isIdentifier(ending) && wordClass(t[0]).has(write|weak) && ending != strings.ToLower(ending) { // chat.postMessage
			return "the path of the address asks for a change: " + quote(clipText(s))
		}
		if t := splitWords(name); len(t) > 0 && asksAt(segments, i, t, query, redeemed) {
			return "the path of the address asks for a change: " + quote(clipText(s))
		}
	}
	return queryAsks(segments[len(segments)-1], query)
}

// queryAsks returns why a query that an address sends to a database asks for a change, or
// "". An example is /sparql?query=CLEAR+ALL.
func queryAsks(endpoint, query string) string {
	d := dialectOf(strings.ToLower(endpoint))
	if d == 0 && endpoint != "exec" {
		return ""
	}
	why := ""
	anyOf(strings.Split(query, "&"), func(pair string) bool {
		name, value, _ := strings.Cut(pair, "=")
		if k := memberKind(name); k == wordsMember || k == codeMember {
			if m, reason := queryKind(strings.ReplaceAll(value, "+", " "), d); m != No {
				why = reason
			}
		}
		return why != ""
	})
	return why
}

// asksAt reports whether the segment at index i of a path asks for a change. The argument
// t has the words of this segment, and token reports whether the query has a token.
//
// A writing verb alone is not enough, because titles of pages also begin with verbs. In
// most cases the address must also have one of these:
//
//   - a query, as in /delete?id=5
//   - an id next to the verb, as in /orders/5/cancel
//   - the ending of a program, as in /reboot.cgi
//
// Some segments ask for a change without a verb, such as /logout and the address of a
// webhook.
func asksAt(segments []string, i int, t []string, query string, token bool) bool {
	_, extension, program := strings.Cut(segments[i], ".")
	c, last := wordClass(t[0]), i == len(segments)-1
	sure := c.isDeed() || t[0] == "confirm"
	switch {
	case endsSession(strings.Join(t, "")):
		return true
	case redeems(t[0]) && (!last && len(t) == 2 && idSegment(segments[i+1]) || token):
		return true
	case receivesCalls(t[len(t)-1]) && (len(t) == 1 || len(t) == 2 && oneOf(t[0], "build deploy web")):
		return namesTrigger(segments[i+1:]) || i > 0 && (!last && segments[i-1] == "api" || last && switchesThing(t[0]) && idSegment(segments[i-1]))
	case sure && (query != "" || programExtension(extension)):
		return true
	case !program && sure && len(t) <= 2 && i+1 < len(segments) && idSegment(segments[i+1]):
		return true
	case !program && last && i > 0 && idSegment(segments[i-1]) && (sure && len(t) <= 2 || c.has(write) && len(t) == 2 && !strings.HasSuffix(t[1], "s") || len(t) == 1 && switchesThing(t[0])):
		return true
	case !last || query == "" || readerVerb(t[0]) || len(t) > 1:
		return false
	case c.has(write):
		return true
	}
	return (c.has(weak) || anythingVerb(t[0]) || t[0] == "call" || t[0] == "exec" || t[0] == "end" || t[0] == "build") && !onlyNarrows(query)
}

// endsSession reports whether a link with this word in its path ends a session or a
// subscription. Examples are logout and unsubscribe.
func endsSession(w string) bool {
	return oneOf(w, "logout logoff signout optout unsubscribe")
}

// redeems reports whether a word begins the path of a link that works only once. An
// example is verify in /verify-email/8f3a.
func redeems(w string) bool { return oneOf(w, "verify activate join magic reset accept invite") }

func takesToken(query string) bool {
	return anyOf(strings.Split(query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return oneOf(strings.ToLower(name), "token code otp")
	})
}

// switchesThing reports whether a word after an id asks for an action on the thing with
// this id. An example is stop in /vm/5/stop. Most other nouns after an id only name a
// page, such as reply in /posts/5/reply.
func switchesThing(w string) bool {
	return oneOf(w, "start stop reset refund ship refresh pay pause resume restore trigger fail rollback shutdown poweroff close lock wake boot")
}

// receivesCalls reports whether w is a path segment, such as webhook or trigger, of
// addresses that start something.
func receivesCalls(w string) bool {
	return oneOf(w, "webhook webhooks hook hooks trigger triggers callback callbacks")
}

// namesTrigger reports whether the segments after /webhook or /trigger contain an id or a
// verb. For example, the page /docs/webhooks/signatures contains neither.
func namesTrigger(rest []string) bool {
	for _, s := range rest {
		if t := splitWords(s); idSegment(s) || len(t) > 0 && wordClass(t[0]).has(write|weak|vague) {
			return true
		}
	}
	return false
}

// onlyNarrows reports whether all parameters of a query only filter a list or choose a
// page of the list.
func onlyNarrows(query string) bool {
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if t := splitWords(name); len(t) > 0 && !listsBy(t) {
			return false
		}
	}
	return true
}

func programExtension(extension string) bool {
	return oneOf(strings.ToLower(extension), "cgi php do action asp aspx jsp pl")
}

// idSegment reports whether a segment of a path is an id. An id has a digit, and is not a
// version such as v2.
func idSegment(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.Trim(s, "vV.0123456789") != "" || strings.Trim(s, "0123456789") == "" && s != ""
}
