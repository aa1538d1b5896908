package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/ref/reference"
)

// isPromptfoo reports whether an object is a file of promptfoo's results, or one result.
func isPromptfoo(o *object) bool {
	return isPromptfooRow(o) || inFirst(o, "results", isPromptfooRow) || inFirst(o.openMember("results"), "results", isPromptfooRow)
}

func isPromptfooRow(o *object) bool {
	return o.hasAll("vars success") && o.hasAny("promptIdx testIdx gradingResult namedScores")
}

// decodePromptfoo reads results of promptfoo. Each result is one run: one test case with one
// prompt and one provider.
func decodePromptfoo(d *decoder, in batch) {
	for _, v := range in.values {
		o := openObject(v)
		if o.isObject("results") {
			o = o.openMember("results")
		}
		for _, row := range d.openKnownRows([]jsonval.Value{o.v}, "results", isPromptfooRow) {
			d.within(row.v, func() { d.promptfooRun(row) })
		}
	}
}

func (d *decoder) promptfooRun(o *object) {
	t := d.newTracer()
	test := o.openMember("testCase test")
	t.t.ID = o.firstText("id")
	if t.t.Task = test.firstText("description"); t.t.Task == "" {
		t.t.Task = o.firstText("description testIdx")
	}
	if score, ok := o.get("score").Float(); ok {
		t.t.Reward = &score
	}
	prompt := encodedValue(o.openMember("prompt").get("raw"))
	if text, ok := prompt.Str(); ok {
		t.addMessage("user", text)
	} else {
		t.readModelData(prompt)
	}
	response := o.openMember("response")
	t.readPromptfooOutput(response)
	t.addOrFind(response.v)
	runs := d.Trajectories[len(d.Trajectories)-1:]
	asserts := test.get("assert")
	d.leaveOut(asserts)
	d.leaveOut(o.get("gradingResult"))
	steps := promptfooSteps{}
	steps.readAsserts(asserts)
	runs[0].Reference = steps.toReference()
	if steps.unread > 0 && runs[0].Reference == nil {
		d.addTally("expected-not-used", "of the records: what was expected is not written as calls, so it was not compared", 1)
	}
	d.setExpected(runs, o.openMember("vars"), false)
	d.copySides(runs, o, false)
}

// readPromptfooOutput reads the answer of a provider. Its output is calls, a message, or a
// text. Agents report the calls that they have made in the metadata.
func (t *tracer) readPromptfooOutput(response *object) {
	if list := response.openMember("metadata").firstList("toolCalls"); len(list) > 0 {
		for _, v := range list {
			o := openObject(v)
			result := o.get("output result")
			t.addExecution(execution{call: call{id: o.firstText("id"), name: o.firstText("name toolName"), arguments: o.get("input args arguments"), at: v},
				result: result, done: result.Exists() && result.Kind() != jsonval.Null, flag: errorFlag(o.get("is_error isError"))})
		}
	}
	output := response.get("output")
	text, ok := output.Str()
	if !ok {
		t.readModelData(output)
		return
	}
	for _, part := range strings.Split(text, "\n\n") { // blocks of a message, each in JSON
		v, err := jsonval.Parse(part)
		switch {
		case err != nil || v.Kind() < jsonval.Array:
			t.addMessage("assistant", part)
		case isCallKind(openBlock(v).kind):
			t.assistantTurn()
			t.readBlock(openBlock(v))
		default:
			t.readModelData(v)
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
		a := openObject(v)
		value := a.get("value")
		switch a.firstString("type") {
		case "assert-set":
			p.readAsserts(a.get("assert"))
		case "trajectory:tool-used", "tool-call-f1":
			p.addNames(value)
		case "not-trajectory:tool-used":
			p.addForbidden(value)
		case "trajectory:tool-sequence":
			p.addSequence(value)
		case "trajectory:tool-args-match":
			p.addArguments(openObject(value))
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
	p.steps = append(p.steps, ifElse(step != "", step, nameStep(name, "")))
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
func (p *promptfooSteps) addArguments(o *object) {
	name, arguments := o.firstString("name"), o.get("args arguments")
	if arguments.Kind() != jsonval.Object {
		p.unread++
		return
	}
	more := ""
	if o.firstString("mode") != "exact" {
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
