package trajectory

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

func isADK(o *object) bool {
	return o.isList("eval_cases") || o.hasAny("eval_id") && o.isList("conversation")
}

// decodeADK reads an eval set, which contains expected tool uses. The tool uses become
// both the reference and the run, so that the set can be viewed and scored like a trace.
func decodeADK(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		cases := o.firstList("eval_cases")
		if !o.isList("eval_cases") {
			cases = []jsonval.Value{v}
		}
		for _, c := range cases {
			d.adkCase(c)
		}
	}
}

func (d *decoder) adkCase(v jsonval.Value) {
	o := openObject(v)
	r := d.newRun()
	r.t.Task = o.firstText("eval_id evalId id")
	for _, turn := range o.firstList("conversation") {
		r.adkTurn(openObject(turn))
	}
	r.t.Reference = d.readGold(v)
	r.t.Doubt = "an eval set says what an agent should do, and nothing about what it did"
	r.addToDocument()
}

// adkData reads the data of a turn. The data is either (a) lists of tool uses and of
// responses, or (b) events whose parts are tool uses and responses.
func (r *run) adkData(data jsonval.Value) {
	for _, use := range reference.Uses(data) {
		u := openObject(use)
		r.addCall(call{id: u.firstText("id"), name: u.firstText("name"), arguments: u.get("args"), at: use})
	}
	o := openObject(data)
	for _, response := range o.firstList("tool_responses toolResponses") {
		r.adkResponse(response)
	}
	for _, event := range o.firstList("invocation_events invocationEvents") {
		for _, part := range openObject(event).openMember("content").firstList("parts") {
			if response := openObject(part).firstNonNull("function_response functionResponse"); response.Exists() {
				r.adkResponse(response)
			}
		}
	}
}

func (r *run) adkResponse(response jsonval.Value) {
	o := openObject(response)
	value := o.get("response")
	r.attachResult(o.firstText("id"), o.firstText("name"), newObservation(contentText(value), errorFlag(value.Get("error"))), response)
}
