package trajectory

import "github.com/boundcheck/boundcheck/core/base/jsonval"

// isBrowserUse reports whether an object is the history that an agent of browser-use saved.
func isBrowserUse(o *object) bool {
	return inFirst(o, "history", func(s *object) bool { return s.hasAll("model_output state") && s.isList("result") })
}

func decodeBrowserUse(d *decoder, in batch) {
	for _, v := range in.values {
		r := d.newRun()
		for _, s := range openObject(v).firstList("history") {
			r.browserStep(openObject(s))
		}
		r.addToDocument()
	}
}

// browserStep reads a step: a list of actions {NAME: arguments}, and the list of their
// results. browser-use stops after a failure or if the page changes. So if there are fewer
// results than actions, the other actions were not executed.
func (r *run) browserStep(o *object) {
	results := o.firstList("result")
	r.beginTurn("assistant")
	for i, v := range o.openMember("model_output").firstList("action") {
		c := call{at: v}
		v.Each(func(key string, m jsonval.Value) bool {
			if c.name == "" || m.Kind() != jsonval.Null { // unused actions may be null
				c.name, c.arguments = key, m
			}
			return true
		})
		r.assistantTurn()
		if i < len(results) && c.name == "done" {
			r.addText(c.arguments.Get("text").Text())
		}
		n := r.addCall(c)
		switch {
		case i < len(results):
			result := openObject(results[i])
			text := result.firstText("error extracted_content long_term_memory")
			r.setObservation(n, newObservation(text, strictestFlag(errorFlag(result.get("error")), fine)))
			r.addToolMessage(text)
		case len(results) > 0:
			r.setObservation(n, Observation{Text: "not executed", Error: true})
		}
	}
}
