package sdk

import (
	"encoding/json"

	"github.com/boundcheck/boundcheck/plugins/abi"
)

// warmUp makes the plugin answer sample requests, and drops the answers. The runtime and
// encoding/json create some data at their first use, and after warmUp no call must create
// these data again. For a plugin that keeps nothing between calls, warmUp does not change
// any later answer.
func (p *Plugin) warmUp() {
	for op := range p.Ops {
		if op != abi.OpEquivalenceCheck && op != abi.OpStateReplay {
			continue
		}
		for range 2 {
			p.Answer(p.sampleRequest(op))
		}
	}
}

// sampleRequest returns a request for the operation op. Both sides call up to 16 tools of
// each of the plugin's benchmarks. The arguments have every kind of JSON value, and they
// differ between the two sides.
func (p *Plugin) sampleRequest(op string) []byte {
	var r abi.CheckRequest
	r.Op = op
	add := func(name string) {
		said := "done"
		r.Alignment = append(r.Alignment, abi.Row{Op: "match", Obs: len(r.Observed), Ref: len(r.Reference)})
		r.Observed = append(r.Observed, abi.Action{Name: name, Arguments: json.RawMessage(`{"id":"a\u00e9","n":1.5,"list":[1,null,true,{"k":"v"}]}`), Observation: &said})
		r.Reference = append(r.Reference, abi.Action{Name: name, Arguments: json.RawMessage(`{"id":"b","n":2}`)})
	}
	for _, b := range p.Description.Benchmarks {
		for _, name := range b.Tools[:min(len(b.Tools), 16)] {
			add(name)
		}
	}
	r.Outputs, r.Replies = []string{"1"}, []string{"1"}
	b, err := json.Marshal(&r)
	if err != nil { // texts, numbers and lists can always be encoded
		panic(err)
	}
	return b
}
