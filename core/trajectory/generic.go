package trajectory

import "github.com/boundcheck/boundcheck/core/jsonval"

// isGeneric tells a plain list of calls; the empty list is a run that did
// nothing.
func isGeneric(v jsonval.Value) bool {
	if v.Kind() != jsonval.Array {
		return false
	}
	ok := true
	v.Each(func(_ string, e jsonval.Value) bool {
		ok = e.Kind() == jsonval.Object && e.Get("name").Kind() == jsonval.String
		return false
	})
	return ok
}

func decodeGeneric(d *decoder, v jsonval.Value) {
	var t Trajectory
	d.genericActions(&t, v)
	d.Trajectories = append(d.Trajectories, t)
}

// isGenericDocument tells our own interchange form.
func isGenericDocument(v jsonval.Value) bool {
	list := v.Get("trajectories")
	return list.Kind() == jsonval.Array && (list.Len() == 0 || list.Elements()[0].Get("actions").Kind() == jsonval.Array) ||
		v.Get("actions").Kind() == jsonval.Array
}

func decodeGenericDocument(d *decoder, v jsonval.Value) {
	if v.Get("actions").Kind() == jsonval.Array {
		d.genericTrajectory(v)
		return
	}
	for _, t := range v.Get("trajectories").Elements() {
		d.genericTrajectory(t)
	}
}

func (d *decoder) genericTrajectory(v jsonval.Value) {
	t := Trajectory{ID: v.Get("id").Text(), Task: v.Get("task").Text()}
	if n, ok := v.Get("trial").Int(); ok {
		trial := int(n)
		t.Trial = &trial
	}
	t.reward(v.Get("reward"))
	if b, ok := v.Get("success").Bool(); ok {
		t.Success = &b
	}
	d.genericActions(&t, v.Get("actions"))
	d.Trajectories = append(d.Trajectories, t)
}

func (d *decoder) genericActions(t *Trajectory, list jsonval.Value) {
	list.Each(func(_ string, e jsonval.Value) bool {
		if e.Kind() != jsonval.Object {
			d.warnAt("action-not-object", "an action is "+e.Kind().String()+", not an object with a name", e)
			return true
		}
		t.Actions = append(t.Actions, d.genericAction(e))
		return true
	})
}

func (d *decoder) genericAction(e jsonval.Value) Action {
	a := Action{Message: -1}
	var arguments, result, failed jsonval.Value
	e.Each(func(key string, m jsonval.Value) bool {
		switch key {
		case "name":
			a.Name = m.Text()
		case "arguments", "kwargs", "args", "parameters", "input":
			arguments = m
		case "result", "output", "observation":
			result = m
		case "error":
			failed = m
		case "text":
			a.Text = m.Text()
		}
		return true
	})
	if a.Name == "" {
		d.warnAt("call-without-name", "an action has no name", e)
	}
	a.Arguments, a.Broken = d.arguments(a.Name, arguments)
	a.Observation = genericObservation(result, failed)
	return a
}

func genericObservation(result, failed jsonval.Value) *Observation {
	flag, isFlag := failed.Bool()
	switch {
	case isFlag:
		return &Observation{Text: result.Text(), Error: flag}
	case failed.Exists() && failed.Kind() != jsonval.Null && failed.Text() != "":
		return &Observation{Text: failed.Text(), Error: true}
	case result.Exists():
		return &Observation{Text: result.Text(), Error: errorText(result.Text())}
	}
	return nil
}
