package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isEvalItem reports whether an object is an item of OpenAI's evals: an output item of a
// run, a page of them, or a row {item, sample} that has the sample beside the test data.
func isEvalItem(o *shape.Object) bool {
	return isEvalRow(o) || engine.InFirst(o, "data", isEvalRow)
}

func isEvalRow(o *shape.Object) bool {
	return o.FirstString("object") == "eval.run.output_item" || o.IsObject("item") && o.IsObject("sample")
}

// decodeEvalItems reads items. Each is one run.
func decodeEvalItems(d *engine.Decoder, in engine.Batch) {
	for _, o := range d.OpenKnownRows(in.Values, "data", isEvalRow) {
		d.Within(o.Value, func() { evalItem(d, o) })
	}
}

func evalItem(d *engine.Decoder, o *shape.Object) {
	data, sample := o.OpenMember("datasource_item item"), o.OpenMember("sample")
	if inner := data.OpenMember("item"); len(inner.Keys) > 0 {
		data = inner
	}
	t := d.NewTracer()
	if t.Trajectory.ID = o.FirstText("id"); t.Trajectory.ID == "" {
		t.Trajectory.ID = engine.RecordID(data)
	}
	t.Trajectory.Task = engine.RecordID(data)
	t.Trajectory.Model = sample.FirstString("model")
	if status := o.FirstString("status"); shape.OneOf(status, "pass passed fail failed") {
		passed := shape.OneOf(status, "pass passed")
		t.Trajectory.Success = &passed
	}
	if results := o.FirstList("results"); len(results) == 1 {
		if score, ok := shape.OpenObject(results[0]).Get("score").Float(); ok {
			t.Trajectory.Reward = &score
		}
	}
	if input := sample.Get("input"); engine.HoldsMessages(input) {
		t.ReadChat(input)
	} else {
		t.ReadQuestion(data.Value)
	}
	for _, member := range [...]string{"output", "output_tools"} {
		if list := sample.Get(member); engine.HoldsMessages(list) {
			t.BeginTurn("assistant")
			t.ReadModelData(list)
		}
	}
	if sample.IsList("choices") {
		t.ReadModelData(sample.Value)
	}
	t.AddOrFind(shape.IfElse(sample.HasAny("output"), sample.Get("output"), jsonval.Value{}))
	d.SetExpected(d.Trajectories[len(d.Trajectories)-1:], data, false)
}
