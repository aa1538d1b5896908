package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

func isMCP(o *shape.Object) bool {
	_, known := rpcMessage(o)
	return known
}

// rpcMessage returns the JSON-RPC message in a line of a log, and reports whether there
// is one. The message is the whole object, or a member such as "message" or "payload".
func rpcMessage(o *shape.Object) (*shape.Object, bool) {
	if o.FirstString("jsonrpc") == "2.0" {
		return o, true
	}
	for _, name := range [...]string{"message", "payload", "msg", "data"} {
		if inner := o.OpenMember(name); inner.FirstString("jsonrpc") == "2.0" {
			return inner, true
		}
	}
	return o, false
}

// decodeMCP reads a log of JSON-RPC messages. Only requests of tools/call are actions. A
// response belongs to the request with the same id.
func decodeMCP(d *engine.Decoder, in engine.Batch) {
	for _, session := range shape.ByThread(in.Values) {
		decodeMCPSession(d, session)
	}
}

func decodeMCPSession(d *engine.Decoder, messages []jsonval.Value) {
	r := d.NewRun()
	r.Trajectory.ID = shape.ThreadOf(shape.OpenObject(messages[0]))
	r.BeginTurn("assistant")
	for _, v := range messages {
		o, known := rpcMessage(shape.OpenObject(v))
		if !known {
			continue
		}
		params := o.OpenMember("params")
		id := idKey(o.Get("id"))
		switch {
		case o.FirstString("method") == "tools/call":
			r.BeginTurn("assistant")
			r.AddCall(engine.Call{ID: id, Name: params.FirstText("name"), Arguments: params.Get("arguments"), At: v})
		case o.HasAny("method") || !r.Seen[id]: // notifications, and answers to other requests
		case o.HasAny("error"):
			r.AttachResult(id, "", trajectory.Observation{Text: shape.ErrorWords(o.Get("error")), Error: true}, v)
		case o.HasAny("result"):
			result := o.OpenMember("result")
			r.AttachResult(id, "", shape.NewObservation(shape.ContentText(result.FirstNonNull("content structuredContent")), shape.ErrorFlag(result.Get("isError"))), v)
		}
	}
	r.AddToDocument()
}

// idKey returns an id as a key. The number 1 and the string "1" are different ids, as in
// JSON-RPC.
func idKey(v jsonval.Value) string { return v.Raw() }
