package trajectory

import (
	"github.com/boundcheck/boundcheck/core/jsonval"
	"github.com/boundcheck/boundcheck/core/reference"
)

func isADK(o *object) bool {
	return o.isList("eval_cases") || o.any("eval_id") && o.isList("conversation")
}

// decodeADK reads an eval set. Its tool uses are what should be done; they are
// the reference, and also the run, so that the set can be looked at and scored
// as a trace.
func decodeADK(d *decoder, in batch) {
	for _, v := range in.values {
		o := open(v)
		cases := o.list("eval_cases")
		if !o.isList("eval_cases") {
			cases = []jsonval.Value{v}
		}
		for _, c := range cases {
			d.adkCase(open(c))
		}
	}
}

func (d *decoder) adkCase(o *object) {
	r := d.run()
	r.t.Task = o.text("eval_id", "id")
	ref := &reference.Reference{Origin: reference.Benchmark}
	for _, turn := range o.list("conversation") {
		t := open(turn)
		if s := contentText(t.in("user_content").get("parts")); s != "" {
			r.message("user", s)
		}
		r.turn("assistant")
		data := t.in("intermediate_data", "intermediateData")
		r.adkUses(data, ref)
		if s := contentText(t.in("final_response").get("parts")); s != "" {
			r.message("assistant", s)
		}
	}
	r.t.Reference = ref
	r.done()
}

func (r *run) adkUses(data *object, ref *reference.Reference) {
	for _, use := range data.list("tool_uses", "toolUses") {
		u := open(use)
		c := call{id: u.text("id"), name: u.text("name"), arguments: u.get("args"), at: use}
		r.call(c)
		arguments, _ := r.d.arguments(c.name, c.arguments)
		ref.Steps = append(ref.Steps, reference.Step{Name: c.name, Arguments: arguments})
	}
	for _, response := range data.list("tool_responses", "toolResponses") {
		o := open(response)
		value := o.get("response")
		r.answer(o.text("id"), o.text("name"), observe(contentText(value), errorFlag(value.Get("error"))), response)
	}
}
