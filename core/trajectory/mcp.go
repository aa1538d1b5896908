package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

func isMCP(o *object) bool {
	_, known := rpc(o)
	return known
}

// rpc returns the JSON-RPC message in a line of a log, and reports whether there is one.
// A logger may have put it into a member such as "message" or "payload".
func rpc(o *object) (*object, bool) {
	if o.word("jsonrpc") == "2.0" {
		return o, true
	}
	for _, name := range [...]string{"message", "payload", "msg", "data"} {
		if inner := o.in(name); inner.word("jsonrpc") == "2.0" {
			return inner, true
		}
	}
	return o, false
}

// decodeMCP reads a log of JSON-RPC messages. Only requests of tools/call are actions. A
// response belongs to the request with the same id.
func decodeMCP(d *decoder, in batch) {
	r := d.run()
	r.turn("assistant")
	for _, v := range in.values {
		o, known := rpc(open(v))
		if !known {
			continue
		}
		params := o.in("params")
		id := idKey(o.get("id"))
		switch {
		case o.word("method") == "tools/call":
			r.turn("assistant")
			r.call(call{id: id, name: params.text("name"), arguments: params.get("arguments"), at: v})
		case o.any("method") || !r.seen[id]: // notifications, and answers to other requests
		case o.any("error"):
			r.answer(id, "", Observation{Text: errorWords(o.get("error")), Error: true}, v)
		case o.any("result"):
			result := o.in("result")
			r.answer(id, "", observe(contentText(result.some("content structuredContent")), errorFlag(result.get("isError"))), v)
		}
	}
	r.done()
}

// idKey returns an id as a key. The number 1 and the string "1" are different ids, as in
// JSON-RPC.
func idKey(v jsonval.Value) string { return v.Raw() }
