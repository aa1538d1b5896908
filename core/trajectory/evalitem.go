package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isEvalItem reports whether an object is an item of OpenAI's evals: an output item of a
// run, a page of them, or a row {item, sample} that has the sample beside the test data.
func isEvalItem(o *object) bool {
	return isEvalRow(o) || inFirst(o, "data", isEvalRow)
}

func isEvalRow(o *object) bool {
	return o.firstString("object") == "eval.run.output_item" || o.isObject("item") && o.isObject("sample")
}

// decodeEvalItems reads items. Each is one run.
func decodeEvalItems(d *decoder, in batch) {
	for _, o := range d.openKnownRows(in.values, "data", isEvalRow) {
		d.within(o.v, func() { d.evalItem(o) })
	}
}

func (d *decoder) evalItem(o *object) {
	data, sample := o.openMember("datasource_item item"), o.openMember("sample")
	if inner := data.openMember("item"); len(inner.keys) > 0 {
		data = inner
	}
	t := d.newTracer()
	if t.t.ID = o.firstText("id"); t.t.ID == "" {
		t.t.ID = recordID(data)
	}
	t.t.Task = recordID(data)
	t.t.Model = sample.firstString("model")
	if status := o.firstString("status"); oneOf(status, "pass passed fail failed") {
		passed := oneOf(status, "pass passed")
		t.t.Success = &passed
	}
	if results := o.firstList("results"); len(results) == 1 {
		if score, ok := openObject(results[0]).get("score").Float(); ok {
			t.t.Reward = &score
		}
	}
	if input := sample.get("input"); holdsMessages(input) {
		t.readChat(input)
	} else {
		t.readQuestion(data.v)
	}
	for _, member := range [...]string{"output", "output_tools"} {
		if list := sample.get(member); holdsMessages(list) {
			t.beginTurn("assistant")
			t.readModelData(list)
		}
	}
	if sample.isList("choices") {
		t.readModelData(sample.v)
	}
	t.addOrFind(ifElse(sample.hasAny("output"), sample.get("output"), jsonval.Value{}))
	d.setExpected(d.Trajectories[len(d.Trajectories)-1:], data, false)
}
