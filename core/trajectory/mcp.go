package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

func isMCP(o *object) bool {
	_, known := rpc(o)
	return known
}

// rpc returns the JSON-RPC message of a line. A logger may have put it under "message" or
// "payload".
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

// decodeMCP reads a log of JSON-RPC. Only tools/call is an action; an answer is matched
// by the request's id.
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

// idKey returns an id as a key. Like JSON-RPC, it distinguishes the number 1 from the
// string "1".
func idKey(v jsonval.Value) string { return v.Raw() }
