package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

func isADK(o *object) bool {
	return o.isList("eval_cases") || o.any("eval_id") && o.isList("conversation")
}

// decodeADK reads an eval set, which contains expected tool uses. They become both the
// reference and the run, so that the set can be viewed and scored like a trace.
func decodeADK(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		cases := o.list("eval_cases")
		if !o.isList("eval_cases") {
			cases = []jsonval.Value{v}
		}
		for _, c := range cases {
			d.adkCase(c)
		}
	}
}

func (d *decoder) adkCase(v jsonval.Value) {
	o := open(v)
	r := d.run()
	r.t.Task = o.text("eval_id evalId id")
	for _, turn := range o.list("conversation") {
		t := open(turn)
		if s := contentText(t.in("user_content userContent").get("parts")); s != "" {
			r.message("user", s)
		}
		r.turn("assistant")
		r.adkData(t.some("intermediate_data intermediateData"))
		if s := contentText(t.in("final_response finalResponse").get("parts")); s != "" {
			r.message("assistant", s)
		}
	}
	r.t.Reference = d.gold(v)
	r.done()
}

// adkData reads the data of a turn. The data is either (a) lists of tool uses and of
// responses, or (b) events whose parts are tool uses and responses.
func (r *run) adkData(data jsonval.Value) {
	for _, use := range reference.Uses(data) {
		u := open(use)
		r.call(call{id: u.text("id"), name: u.text("name"), arguments: u.get("args"), at: use})
	}
	o := open(data)
	for _, response := range o.list("tool_responses toolResponses") {
		r.adkResponse(response)
	}
	for _, event := range o.list("invocation_events invocationEvents") {
		for _, part := range open(event).in("content").list("parts") {
			if response := open(part).some("function_response functionResponse"); response.Exists() {
				r.adkResponse(response)
			}
		}
	}
}

func (r *run) adkResponse(response jsonval.Value) {
	o := open(response)
	value := o.get("response")
	r.answer(o.text("id"), o.text("name"), observe(contentText(value), errorFlag(value.Get("error"))), response)
}
