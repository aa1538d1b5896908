package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

func isMCP(o *object) bool {
	_, known := rpcMessage(o)
	return known
}

// rpcMessage returns the JSON-RPC message in a line of a log, and reports whether there
// is one. The message is the whole object, or a member such as "message" or "payload".
func rpcMessage(o *object) (*object, bool) {
	if o.firstString("jsonrpc") == "2.0" {
		return o, true
	}
	for _, name := range [...]string{"message", "payload", "msg", "data"} {
		if inner := o.openMember(name); inner.firstString("jsonrpc") == "2.0" {
			return inner, true
		}
	}
	return o, false
}

// decodeMCP reads a log of JSON-RPC messages. Only requests of tools/call are actions. A
// response belongs to the request with the same id.
func decodeMCP(d *decoder, in batch) {
	r := d.newRun()
	r.beginTurn("assistant")
	for _, v := range in.values {
		o, known := rpcMessage(openObject(v))
		if !known {
			continue
		}
		params := o.openMember("params")
		id := idKey(o.get("id"))
		switch {
		case o.firstString("method") == "tools/call":
			r.beginTurn("assistant")
			r.addCall(call{id: id, name: params.firstText("name"), arguments: params.get("arguments"), at: v})
		case o.hasAny("method") || !r.seen[id]: // notifications, and answers to other requests
		case o.hasAny("error"):
			r.attachResult(id, "", Observation{Text: errorWords(o.get("error")), Error: true}, v)
		case o.hasAny("result"):
			result := o.openMember("result")
			r.attachResult(id, "", newObservation(contentText(result.firstNonNull("content structuredContent")), errorFlag(result.get("isError"))), v)
		}
	}
	r.addToDocument()
}

// idKey returns an id as a key. The number 1 and the string "1" are different ids, as in
// JSON-RPC.
func idKey(v jsonval.Value) string { return v.Raw() }
