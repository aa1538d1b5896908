package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// The Berkeley Function-Calling Leaderboard writes two files. The file of results has one
// line for each task. The file of scores begins with a summary and contains the failed
// tasks with their expected calls.

// isBFCL reports whether an object is a line of a results file or a scores file of the
// leaderboard.
func isBFCL(o *object) bool {
	return o.hasAll("id") && (o.hasAll("result") && (o.hasAny("input_token_count inference_log traceback") || len(o.keys) == 2 && reference.IsAnswerID(o.firstText("id"))) || o.hasAll("valid") && o.hasAny("model_result_raw model_result_decoded model_result"))
}

func decodeBFCL(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if !isBFCL(o) {
			if o.hasAll("accuracy") && o.hasAll("total_count") {
				continue // the summary
			}
			d.warnForeign(v)
			continue
		}
		r := d.newRun()
		r.t.Task = reference.AnswerID(o.firstText("id"))
		r.t.Model = o.firstString("model_name")
		if b, ok := o.get("valid").Bool(); ok {
			r.t.Success = &b
		}
		if gold := o.get("possible_answer"); gold.Kind() == jsonval.Array {
			task, _ := jsonval.Parse(`{"id":"","ground_truth":` + gold.Raw() + `}`)
			r.t.Reference = d.readGold(task)
		}
		if log := o.firstList("inference_log"); len(log) > 0 {
			r.inferenceLog(log)
		} else {
			for _, turn := range o.openMember("prompt").firstList("question") {
				r.readChat(turn)
			}
			r.beginTurn("assistant")
			r.functionCalls(o.firstNonNull("model_result_decoded model_result_raw model_result result"))
		}
		r.addToDocument()
	}
}

// inferenceLog reads the turns of a conversation. A turn has the user's question and
// several steps. Each step has the model's answer and the results of the functions.
func (r *run) inferenceLog(turns []jsonval.Value) {
	for _, turn := range turns {
		turn.Each(func(key string, list jsonval.Value) bool {
			switch {
			case key == "begin_of_turn_query":
				r.readChat(list)
			case strings.HasPrefix(key, "step_"):
				r.inferenceStep(list.Elements())
			}
			return true
		})
	}
}

func (r *run) inferenceStep(list []jsonval.Value) {
	begun := len(r.t.Actions)
	for _, m := range list {
		content := m.Get("content")
		switch role := m.Get("role").Text(); role {
		case "assistant":
			r.beginTurn("assistant")
			if text, ok := content.Str(); ok {
				r.addText(text)
			} else {
				r.functionCalls(content)
			}
		case "handler_log": // what the harness has read from the answer
			if len(r.t.Actions) == begun {
				r.functionCalls(m.Get("model_response_decoded"))
			}
		case "tool":
			if i := r.earliestWaiting(false); i >= begun {
				r.setObservation(i, newObservation(content.Text(), unsaid))
				r.addToolMessage(content.Text())
				continue
			}
			r.addToolMessage(content.Text())
			r.d.warnAt("result-without-call", "no call waits for this tool result", m)
		}
	}
}

// functionCalls reads calls in the forms of the leaderboard: an object {name: arguments},
// a text with calls, or a list of these.
func (r *run) functionCalls(v jsonval.Value) {
	switch v.Kind() {
	case jsonval.Array:
		for _, e := range v.Elements() {
			r.functionCalls(e)
		}
	case jsonval.Object:
		v.Each(func(name string, arguments jsonval.Value) bool {
			r.addCall(call{name: name, arguments: arguments, at: v})
			return true
		})
	case jsonval.String:
		calls := reference.AnswerCalls(v.Text())
		for _, step := range calls {
			r.addCall(call{name: step.Name, arguments: step.Arguments, at: v})
		}
		if text := strings.TrimSpace(v.Text()); calls == nil && text != "" {
			r.addText(text)
		}
	}
}
