package format

import (
	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// isBrowserUse reports whether an object is the history that an agent of browser-use saved.
func isBrowserUse(o *shape.Object) bool {
	return engine.InFirst(o, "history", func(s *shape.Object) bool { return s.HasAll("model_output state") && s.IsList("result") })
}

func decodeBrowserUse(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		r := d.NewRun()
		for _, s := range shape.OpenObject(v).FirstList("history") {
			browserStep(r, shape.OpenObject(s))
		}
		r.AddToDocument()
	}
}

// browserStep reads a step: a list of actions {NAME: arguments}, and the list of their
// results. browser-use stops after a failure or if the page changes. So if there are fewer
// results than actions, the other actions were not executed.
func browserStep(r *engine.Run, o *shape.Object) {
	results := o.FirstList("result")
	r.BeginTurn("assistant")
	for i, v := range o.OpenMember("model_output").FirstList("action") {
		c := engine.Call{At: v}
		v.Each(func(key string, m jsonval.Value) bool {
			if c.Name == "" || m.Kind() != jsonval.Null { // unused actions may be null
				c.Name, c.Arguments = key, m
			}
			return true
		})
		r.AssistantTurn()
		if i < len(results) && c.Name == "done" {
			r.AddText(c.Arguments.Get("text").Text())
		}
		n := r.AddCall(c)
		switch {
		case i < len(results):
			result := shape.OpenObject(results[i])
			text := result.FirstText("error extracted_content long_term_memory")
			r.SetObservation(n, shape.NewObservation(text, shape.StrictestFlag(shape.ErrorFlag(result.Get("error")), shape.Fine)))
			r.AddToolMessage(text)
		case len(results) > 0:
			r.SetObservation(n, trajectory.Observation{Text: "not executed", Error: true})
		}
	}
}
