package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// The Berkeley Function-Calling Leaderboard writes two files. The file of results has one
// line for each task. The file of scores begins with a summary and contains the failed
// tasks with their expected calls.

// isBFCL reports whether an object is a line of a results file or a scores file of the
// leaderboard.
func isBFCL(o *shape.Object) bool {
	return o.HasAll("id") && (o.HasAll("result") && (o.HasAny("input_token_count inference_log traceback") || len(o.Keys) == 2 && reference.IsAnswerID(o.FirstText("id"))) || o.HasAll("valid") && o.HasAny("model_result_raw model_result_decoded model_result"))
}

func decodeBFCL(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if !isBFCL(o) {
			if o.HasAll("accuracy") && o.HasAll("total_count") {
				continue // the summary
			}
			d.WarnForeign(v)
			continue
		}
		r := d.NewRun()
		r.Trajectory.Task = reference.AnswerID(o.FirstText("id"))
		r.Trajectory.Model = o.FirstString("model_name")
		if b, ok := o.Get("valid").Bool(); ok {
			r.Trajectory.Success = &b
		}
		if gold := o.Get("possible_answer"); gold.Kind() == jsonval.Array {
			task, _ := jsonval.Parse(`{"id":"","ground_truth":` + gold.Raw() + `}`)
			r.Trajectory.Reference = d.ReadGold(task)
		}
		if log := o.FirstList("inference_log"); len(log) > 0 {
			inferenceLog(r, log)
		} else {
			for _, turn := range o.OpenMember("prompt").FirstList("question") {
				r.ReadChat(turn)
			}
			r.BeginTurn("assistant")
			functionCalls(r, o.FirstNonNull("model_result_decoded model_result_raw model_result result"))
		}
		r.AddToDocument()
	}
}

// inferenceLog reads the turns of a conversation. A turn has the user's question and
// several steps. Each step has the model's answer and the results of the functions.
func inferenceLog(r *engine.Run, turns []jsonval.Value) {
	for _, turn := range turns {
		turn.Each(func(key string, list jsonval.Value) bool {
			switch {
			case key == "begin_of_turn_query":
				r.ReadChat(list)
			case strings.HasPrefix(key, "step_"):
				inferenceStep(r, list.Elements())
			}
			return true
		})
	}
}

func inferenceStep(r *engine.Run, list []jsonval.Value) {
	begun := len(r.Trajectory.Actions)
	for _, m := range list {
		content := m.Get("content")
		switch role := m.Get("role").Text(); role {
		case "assistant":
			r.BeginTurn("assistant")
			if text, ok := content.Str(); ok {
				r.AddText(text)
			} else {
				functionCalls(r, content)
			}
		case "handler_log": // what the harness has read from the answer
			if len(r.Trajectory.Actions) == begun {
				functionCalls(r, m.Get("model_response_decoded"))
			}
		case "tool":
			if i := r.EarliestWaiting(false); i >= begun {
				r.SetObservation(i, shape.NewObservation(content.Text(), shape.Unsaid))
				r.AddToolMessage(content.Text())
				continue
			}
			r.AddToolMessage(content.Text())
			r.Decoder.WarnAt("result-without-call", "no call waits for this tool result", m)
		}
	}
}

// functionCalls reads calls in the forms of the leaderboard: an object {name: arguments},
// a text with calls, or a list of these.
func functionCalls(r *engine.Run, v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Array:
		for _, e := range v.Elements() {
			functionCalls(r, e)
		}
	case jsonval.Object:
		v.Each(func(name string, arguments jsonval.Value) bool {
			r.AddCall(engine.Call{Name: name, Arguments: arguments, At: v})
			return true
		})
	case jsonval.String:
		calls := reference.AnswerCalls(v.Text())
		for _, step := range calls {
			r.AddCall(engine.Call{Name: step.Name, Arguments: step.Arguments, At: v})
		}
		if text := strings.TrimSpace(v.Text()); calls == nil && text != "" {
			r.AddText(text)
		}
	}
}
