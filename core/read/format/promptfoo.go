package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/read/spent"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isPromptfoo reports whether an object is a file of promptfoo's results, or one result.
func isPromptfoo(o *shape.Object) bool {
	return isPromptfooRow(o) || engine.InFirst(o, "results", isPromptfooRow) || engine.InFirst(o.OpenMember("results"), "results", isPromptfooRow)
}

func isPromptfooRow(o *shape.Object) bool {
	return o.HasAll("vars success") && o.HasAny("promptIdx testIdx gradingResult namedScores")
}

// decodePromptfoo reads results of promptfoo. Each result is one run: one test case with one
// prompt and one provider.
func decodePromptfoo(d *engine.Decoder, in engine.Batch) {
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if o.IsObject("results") {
			o = o.OpenMember("results")
		}
		for _, row := range d.OpenKnownRows([]jsonval.Value{o.Value}, "results", isPromptfooRow) {
			d.Within(row.Value, func() { promptfooRun(d, row) })
		}
	}
}

func promptfooRun(d *engine.Decoder, o *shape.Object) {
	t := d.NewTracer()
	test := o.OpenMember("testCase test")
	t.Trajectory.ID, t.Trajectory.Whole = o.FirstText("id"), spent.OfRun(o, "")
	if t.Trajectory.Task = test.FirstText("description"); t.Trajectory.Task == "" {
		t.Trajectory.Task = o.FirstText("description testIdx")
	}
	if score, ok := o.Get("score").Float(); ok {
		t.Trajectory.Reward = &score
	}
	prompt := shape.EncodedValue(o.OpenMember("prompt").Get("raw"))
	if text, ok := prompt.Str(); ok {
		t.AddMessage("user", text)
	} else {
		t.ReadModelData(prompt)
	}
	response := o.OpenMember("response")
	readPromptfooOutput(t, response)
	t.AddOrFind(response.Value)
	runs := d.Trajectories[len(d.Trajectories)-1:]
	asserts := test.Get("assert")
	d.LeaveOut(asserts)
	d.LeaveOut(o.Get("gradingResult"))
	steps := promptfooSteps{}
	steps.readAsserts(asserts)
	runs[0].Reference = steps.toReference()
	if steps.unread > 0 && runs[0].Reference == nil {
		d.AddTally("expected-not-used", "of the records: what was expected is not written as calls, so it was not compared", 1)
	}
	d.SetExpected(runs, o.OpenMember("vars"), false)
	d.CopySides(runs, o, false)
}

// readPromptfooOutput reads the answer of a provider. Its output is calls, a message, or a
// text. Agents report the calls that they have made in the metadata.
func readPromptfooOutput(t *engine.Tracer, response *shape.Object) {
	if list := response.OpenMember("metadata").FirstList("toolCalls"); len(list) > 0 {
		for _, v := range list {
			o := shape.OpenObject(v)
			result := o.Get("output result")
			t.AddExecution(engine.Execution{Call: engine.Call{ID: o.FirstText("id"), Name: o.FirstText("name toolName"), Arguments: o.Get("input args arguments"), At: v},
				Result: result, Done: result.Exists() && result.Kind() != jsonval.Null, Flag: shape.ErrorFlag(o.Get("is_error isError"))})
		}
	}
	output := response.Get("output")
	text, ok := output.Str()
	if !ok {
		t.ReadModelData(output)
		return
	}
	for _, part := range strings.Split(text, "\n\n") { // blocks of a message, each in JSON
		v, err := jsonval.Parse(part)
		switch {
		case err != nil || v.Kind() < jsonval.Array:
			t.AddMessage("assistant", part)
		case shape.IsCallKind(shape.OpenBlock(v).Kind):
			t.AssistantTurn()
			t.ReadBlock(shape.OpenBlock(v))
		default:
			t.ReadModelData(v)
		}
	}
}

// promptfooSteps collects the expected calls of a test case from its assertions.
type promptfooSteps struct {
	steps   []string // in JSON
	names   map[string]int
	ordered bool
	never   []string
	unread  int // assertions about calls that are not written as calls
}

// readAsserts reads those assertions that name tools. Other assertions judge texts.
func (p *promptfooSteps) readAsserts(list jsonval.Value) {
	list.Each(func(_ string, v jsonval.Value) bool {
		a := shape.OpenObject(v)
		value := a.Get("value")
		switch a.FirstString("type") {
		case "assert-set":
			p.readAsserts(a.Get("assert"))
		case "trajectory:tool-used", "tool-call-f1":
			p.addNames(value)
		case "not-trajectory:tool-used":
			p.addForbidden(value)
		case "trajectory:tool-sequence":
			p.addSequence(value)
		case "trajectory:tool-args-match":
			p.addArguments(shape.OpenObject(value))
		}
		return true
	})
}

// add adds a step, or replaces the step with the same name that has no arguments.
func (p *promptfooSteps) add(name, step string) {
	if name == "" || strings.ContainsAny(name, "*?{") { // a pattern or a variable
		p.unread++
		return
	}
	if p.names == nil {
		p.names = map[string]int{}
	}
	if i, known := p.names[name]; known {
		if step != "" {
			p.steps[i] = step
		}
		return
	}
	p.names[name] = len(p.steps)
	p.steps = append(p.steps, shape.IfElse(step != "", step, nameStep(name, "")))
}

// nameStep returns a step in JSON that says nothing about the arguments.
func nameStep(name, more string) string {
	return `{"name":` + jsonval.Quoted(name) + `,"compare":[]` + more + `}`
}

// toolNames returns the names in the value of an assertion: a text with commas, a list, or
// an object with a name.
func toolNames(value jsonval.Value) []string {
	var names []string
	switch value.Kind() {
	case jsonval.Array:
		for _, e := range value.Elements() {
			names = append(names, toolNames(e)...)
		}
	case jsonval.Object:
		names = append(names, value.Get("name").Text())
	default:
		for _, part := range strings.Split(value.Text(), ",") {
			names = append(names, strings.TrimSpace(part))
		}
	}
	return names
}

func (p *promptfooSteps) addNames(value jsonval.Value) {
	if value.Get("max").Raw() == "0" {
		p.addForbidden(value)
		return
	}
	for _, name := range toolNames(value) {
		p.add(name, "")
	}
}

func (p *promptfooSteps) addForbidden(value jsonval.Value) {
	for _, name := range toolNames(value) {
		if name == "" || strings.ContainsAny(name, "*?{") {
			p.unread++
			continue
		}
		p.never = append(p.never, nameStep(name, `,"mustNot":true`))
	}
}

func (p *promptfooSteps) addSequence(value jsonval.Value) {
	if value.Kind() == jsonval.Object {
		value = value.Get("steps")
	}
	p.ordered = true
	for _, e := range value.Elements() {
		name := toolNames(e)[0]
		delete(p.names, name) // a sequence may name a tool twice
		p.add(name, "")
	}
}

// addArguments adds a call with its arguments. By default, other arguments do not matter.
func (p *promptfooSteps) addArguments(o *shape.Object) {
	name, arguments := o.FirstString("name"), o.Get("args arguments")
	if arguments.Kind() != jsonval.Object {
		p.unread++
		return
	}
	more := ""
	if o.FirstString("mode") != "exact" {
		var paths []string
		for _, key := range arguments.Keys() {
			paths = append(paths, jsonval.Quoted(key))
		}
		more = `,"compare":[` + strings.Join(paths, ",") + `]`
	}
	p.add(name, `{"name":`+jsonval.Quoted(name)+`,"arguments":`+arguments.Raw()+more+`}`)
}

// toReference returns the reference with the steps, or nil if there are none. Steps that no
// assertion orders may be in any order.
func (p *promptfooSteps) toReference() *reference.Reference {
	steps := strings.Join(p.steps, ",")
	if !p.ordered && len(p.steps) > 1 {
		steps = `{"anyOrder":[` + steps + `]}`
	}
	all := p.never
	if steps != "" {
		all = append([]string{steps}, p.never...)
	}
	if len(all) == 0 {
		return nil
	}
	v, err := jsonval.Parse("[" + strings.Join(all, ",") + "]")
	if err != nil {
		return nil
	}
	ref, err := reference.FromValue(v)
	if err != nil {
		return nil
	}
	return ref
}
