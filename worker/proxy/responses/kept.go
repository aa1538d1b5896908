package responses

import (
	"fmt"
	"strconv"
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

// itemIDs begin the ids of the items of an answer, by their type.
var itemIDs = map[string]string{"message": "msg_", "function_call": "fc_", "custom_tool_call": "ctc_"}

// responseIDs begin the ids of responses that are kept.
const responseIDs = "resp_"

// ItemID returns the id of the item at a place of the output of a response. If the response is
// kept, the id names it, so that a later request may refer to the item.
func ItemID(kind string, place int, response string) string {
	id := itemIDs[kind] + strconv.Itoa(place)
	if rest := strings.TrimPrefix(response, responseIDs); rest != "" {
		id += "_" + rest
	}
	return id
}

// referenceIn returns the id to which an item of a request refers. The result is is false for an
// item of another type.
func referenceIn(item string) (id string, is bool) {
	v, err := jsonval.Parse(item)
	if kind, _ := v.Get("type").Str(); err != nil || kind != "item_reference" {
		return "", false
	}
	id, _ = v.Get("id").Str()
	return id, true
}

// ownerOf returns the id of the response whose item has an id, or "" if no kept response can.
func ownerOf(id string) string {
	for _, prefix := range itemIDs {
		rest, ok := strings.CutPrefix(id, prefix)
		if place, response, both := strings.Cut(rest, "_"); ok && both && response != "" {
			if n, err := strconv.Atoi(place); err == nil && n >= 0 {
				return responseIDs + response
			}
		}
	}
	return ""
}

// Referenced returns the ids of the responses to whose items the request refers, each once, and
// of too many only the first MostLinks. Items of the others are then not found.
func (q *Request) Referenced() (owners []string) {
	known := map[string]bool{}
	for _, item := range q.own {
		if id, is := referenceIn(item); is && !known[ownerOf(id)] && len(owners) < MostLinks {
			known[ownerOf(id)] = true
			owners = append(owners, ownerOf(id))
		}
	}
	return owners
}

// Resolve puts the items in place to which the request refers. kept has what Keep has returned
// for each response, by its id. It returns the id of an item that is not there, or to which the
// request refers twice: so the input is at most as large as what is kept.
func (q *Request) Resolve(kept map[string]string) (missing string, ok bool) {
	items := map[string]string{} // of all these responses, as they are written
	for owner, text := range kept {
		all, _ := jsonval.Parse(text)
		for _, e := range all.Elements() { // the answer's items are the last ones
			if id, _ := e.Get("id").Str(); ownerOf(id) == owner {
				items[id] = e.Raw()
			}
		}
	}
	for i, item := range q.own {
		id, is := referenceIn(item)
		if !is {
			continue
		}
		if q.own[i], ok = items[id]; !ok {
			return id, false
		}
		delete(items, id)
	}
	return "", true
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
