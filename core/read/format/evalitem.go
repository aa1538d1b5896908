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

// isEvalRecord reports whether an object is a line of the record of OpenAI's evals: an event of one sample, the
// specification at its beginning, or the report at its end.
func isEvalRecord(o *shape.Object) bool {
	return isSampleEvent(o) || o.OpenMember("spec").HasAny("completion_fns") || len(o.Keys) == 1 && o.IsObject("final_report")
}

func isSampleEvent(o *shape.Object) bool {
	return o.IsText("sample_id") && o.HasAny("event_id") && o.IsText("type") && o.IsObject("data")
}

// decodeEvalRecord reads the events of each sample into one run, the samples in the order of their first events.
// What an event of type match expected is the reference, and what it picked repeats the calls.
func decodeEvalRecord(d *engine.Decoder, in engine.Batch) {
	var order []string
	samples := map[string][]*shape.Object{}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if !isSampleEvent(o) {
			if !isEvalRecord(o) {
				d.WarnForeign(v)
			}
			continue
		}
		id := o.FirstText("sample_id")
		if samples[id] == nil {
			order = append(order, id)
		}
		samples[id] = append(samples[id], o)
	}
	for _, id := range order {
		d.Within(samples[id][0].Value, func() { evalSample(d, id, samples[id]) })
	}
}

// evalSample reads the events of one sample.
func evalSample(d *engine.Decoder, id string, events []*shape.Object) {
	t := d.NewTracer()
	t.Trajectory.ID, t.Trajectory.Task = id, id
	asked := false
	for _, o := range events {
		data := o.OpenMember("data")
		if o.FirstString("type") == "sampling" && !asked {
			asked = true
			if prompt := data.Get("prompt"); engine.HoldsMessages(prompt) {
				t.ReadHistory(func() { t.ReadChat(prompt) })
			} else {
				t.ReadQuestion(prompt)
			}
		}
	}
	for _, o := range events {
		switch data := o.OpenMember("data"); o.FirstString("type") {
		case "function_call":
			result := data.Get("return_value")
			t.AddExecution(engine.Execution{Call: engine.Call{Name: data.FirstText("name"), Arguments: engine.ToolArguments(data.Get("arguments")), At: o.Value}, Result: result, Done: result.Exists()})
		case "sampling":
			for _, said := range data.FirstList("sampled") {
				if text, ok := said.Str(); ok {
					t.AddMessage("assistant", text)
				} else {
					t.ReadMessageValue(said)
				}
			}
		}
	}
	t.AddToDocument()
	runs := d.Trajectories[len(d.Trajectories)-1:]
	for _, o := range events {
		if kind := o.FirstString("type"); kind == "match" || kind == "metrics" {
			data := o.OpenMember("data")
			d.LeaveOut(data.Get("picked"))
			d.CopySides(runs, data.SelectMembers(func(i int) bool { return !shape.OneOf(data.Keys[i], "picked sampled options prompt") }), false)
		}
	}
}
