package equivalence

import (
	"net/url"
	"slices"
	"strings"

	"github.com/boundcheck/boundcheck/core/action/boundary"
	"github.com/boundcheck/boundcheck/core/action/mutation"
	"github.com/boundcheck/boundcheck/core/action/verbs"
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/base/wordlist"
)

// request is an HTTP request that changes something.
type request struct {
	method   string
	segments []string // of the path, at most mostSaid
	body     map[string]string
}

// requestOf returns the request that a call of a tool for HTTP makes, or nil. Whatever may change what its method
// means makes it nil.
func requestOf(a *boundary.Action) *request {
	if a.Mutation.Layer != mutation.LayerHTTP || len(a.Leaves) > 2*mostSaid {
		return nil
	}
	q, address := &request{body: map[string]string{}}, ""
	for i := range a.Leaves {
		l := &a.Leaves[i]
		name, inner, nested := strings.Cut(l.Path, ".")
		switch words := mutation.NameWords(name); {
		case l.Key == "method" && !nested && q.method == "":
			q.method = strings.ToUpper(textOf(l))
		case wordlist.HasLast(" url uri endpoint path ", words) && !nested && address == "":
			address = textOf(l)
		case wordlist.HasLast(" body json data payload ", words) && nested && !strings.ContainsAny(inner, ".[") && !overrides(inner):
			q.body[inner] = textOf(l)
		case wordlist.HasLast(" body json data payload ", words) && !nested && len(q.body) == 0 && q.readBody(textOf(l)):
		case wordlist.HasLast(" header ", words) && nested && isPlainHeader(inner), wordlist.HasLast(" timeout ", words):
		default:
			return nil
		}
	}
	return q.withAddress(address)
}

// isPlainHeader reports whether a header of a request does not change what the request asks for.
func isPlainHeader(name string) bool {
	return wordlist.Contains(" accept authorization content-type cookie idempotency-key user-agent x-api-key ", strings.ToLower(strings.TrimSpace(name)))
}

// overrides reports whether a member of a body may set another method than the request has, as _method does.
func overrides(name string) bool {
	return strings.HasPrefix(name, "_") || wordlist.HasAny(" method override ", mutation.NameWords(name))
}

// curlRequest returns the request that a curl command makes, or nil. An option that is not known or that comes twice
// makes it nil.
func curlRequest(command []string) *request {
	q, address := &request{body: map[string]string{}}, ""
	hasBody := false
	for i := 1; i < len(command); i++ {
		w, next := command[i], ""
		if i+1 < len(command) {
			next = command[i+1]
		}
		switch w {
		case "-X", "--request":
			if q.method != "" {
				return nil
			}
			q.method = strings.ToUpper(next)
			i++
		case "-d", "--data", "--data-raw", "--json":
			if hasBody || !q.readBody(next) {
				return nil
			}
			hasBody = true
			i++
		case "-H", "--header":
			if name, _, ok := strings.Cut(next, ":"); !ok || !isPlainHeader(name) {
				return nil
			}
			i++
		case "-s", "-S", "-sS", "-f", "-i", "--silent", "--fail":
		default:
			if strings.HasPrefix(w, "-") || address != "" {
				return nil
			}
			address = w
		}
	}
	if q.method == "" && hasBody {
		q.method = "POST"
	}
	return q.withAddress(address)
}

// readBody adds the members of a JSON object. It returns false for any other text, for more than mostSaid members, for
// members that hold more than one value, that come twice, or that may set another method.
func (q *request) readBody(text string) bool {
	v, err := jsonval.Parse(text)
	if err != nil || v.Kind() != jsonval.Object {
		return false
	}
	flat := true
	v.Each(func(name string, m jsonval.Value) bool {
		_, twice := q.body[name]
		flat = !twice && !overrides(name) && m.Kind() != jsonval.Object && m.Kind() != jsonval.Array && len(q.body) < mostSaid
		q.body[name] = m.Text()
		return flat
	})
	return flat
}

// withAddress adds the path of an address. It returns nil if the request is not complete.
func (q *request) withAddress(address string) *request {
	u, err := url.Parse(address)
	if err != nil || u.RawQuery != "" || u.Path == "" || boundary.MethodVerb(q.method) == "" || strings.Count(u.Path, "/") > mostSaid {
		return nil
	}
	for s := range strings.SplitSeq(u.Path, "/") {
		if s != "" {
			q.segments = append(q.segments, s)
		}
	}
	return q
}

// isDeed reports whether a tool does what a request does: the method is its verb, the last noun of the path is its
// object, and its values are the ids of the path and the members of the body.
func (q *request) isDeed(tool *spoken) bool {
	words := tool.Words()
	if len(words) < 2 || len(tool.Leaves) == 0 || !verbs.Same(boundary.MethodVerb(q.method), words[0], verbs.KindsOf(words[1:])) {
		return false
	}
	values := map[string]int{} // in the path
	keys := slices.Clone(words[1:])
	members := 0
	for i, value := range tool.values {
		l := &tool.Leaves[i]
		if given, ok := q.body[l.Key]; ok && l.Path == l.Key {
			if given != value {
				return false
			}
			members++
			continue
		}
		values[value]++
		keys = append(keys, mutation.NameWords(l.Key)...)
	}
	object := ""
	for _, s := range q.segments {
		noun := mutation.NameWords(s)
		switch {
		case values[s] > 0:
			values[s]--
		case len(noun) > 0 && slices.Contains(keys, noun[len(noun)-1]):
			object = noun[len(noun)-1]
		case s != "api" && s != "rest" && !(len(s) < 4 && s[0] == 'v'):
			return false
		}
	}
	for _, n := range values {
		if n != 0 {
			return false
		}
	}
	return members == len(q.body) && object == words[len(words)-1]
}
