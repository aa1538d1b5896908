package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isAPICall reports whether an object is a line of AppWorld's logs/api_calls.jsonl, a request to
// an API of which the log keeps no answer.
func isAPICall(o *shape.Object) bool {
	return o.IsText("method") && strings.HasPrefix(o.FirstString("url"), "/") && o.HasAny("data") && len(o.Keys) <= 5 &&
		shape.OneOf(strings.ToLower(o.FirstString("method")), "get post put patch delete")
}

// decodeAPICalls reads the requests of one task into one run. The name of a call is the method and
// the path, as in a trace of Bedrock.
func decodeAPICalls(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	engine.CopyMeta(&r.Trajectory, in.Outer)
	r.AssistantTurn()
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		r.AddCall(engine.Call{Name: strings.ToUpper(o.FirstString("method")) + "::" + o.FirstString("url"), Arguments: o.Get("data"), At: v})
	}
	r.AddToDocument()
}
