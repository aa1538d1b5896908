package responses

import (
	"fmt"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/worker/proxy/values"
)

// This file holds one law: what a request continues is exactly what the gate kept under the
// id that it gave, or nothing. The model's server never gets an id of a response, because
// it has none of the gate's.

// The bounds of what is kept.
const (
	MostKept  = 512 << 10 // bytes of one response, with the input of its request
	MostLinks = 1000      // responses of one conversation
)

// Request is a request of the Responses API with what the gate keeps of it.
type Request struct {
	Sent   jsonval.Value // the request as the client sent it
	Body   string        // the request, with the kept items in front of its own
	Before string        // id of the response that it continues; "" for none
	Stored bool          // a later request may continue the answer
	own    []string
}

// Read reads a request. The result Before says what to load for Continue. A request that
// cannot be read is left to Chat.
func Read(body string) (q Request, err error) {
	q.Body = body
	v, err := jsonval.Parse(body)
	if err != nil || v.Kind() != jsonval.Object || values.Repeated(v) != "" {
		return q, nil
	}
	q.Sent = v
	if m := v.Get("previous_response_id"); values.Has(m) {
		id, ok := m.Str()
		if !ok || id == "" {
			return q, fmt.Errorf("invalid previous_response_id: want a string, saw %.40s", m.Raw())
		}
		q.Before = id
	}
	store := v.Get("store")
	no, isBool := store.Bool()
	q.Stored = !isBool || no
	q.own = itemsOf(v)
	return q, nil
}

// itemsOf returns the items of a request's input, each as it is written.
func itemsOf(v jsonval.Value) (items []string) {
	input := v.Get("input")
	if s, ok := input.Str(); ok {
		return []string{textMessage("user", s)}
	}
	for _, e := range input.Elements() {
		items = append(items, e.Raw())
	}
	return items
}

// Continue puts the kept items in front of those of the request. Each element of kept is
// what Keep has returned for one response, oldest first.
func (q *Request) Continue(kept []string) {
	var all []string
	for _, text := range append(kept, "["+strings.Join(q.own, ",")+"]") {
		if inner := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"); inner != "" {
			all = append(all, inner)
		}
	}
	members := values.MembersWithout(q.Sent, "input", "previous_response_id")
	q.Body = "{" + strings.Join(append(members, `"input":[`+strings.Join(all, ",")+`]`), ",") + "}"
}

// Keep returns what a later request needs of this one and the items of its answer: the
// request's own items and those. The result ok is false if it is too much.
func (q *Request) Keep(output []string) (text string, ok bool) {
	text = "[" + strings.Join(append(q.own[:len(q.own):len(q.own)], output...), ",") + "]"
	return text, len(text) <= MostKept
}
