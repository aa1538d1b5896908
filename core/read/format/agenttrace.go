package format

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
	"github.com/boundcheck/boundcheck/core/trajectory"
)

// Amazon Bedrock's agents answer with a stream of events. An event of the trace has a step
// of the orchestration: the input of an invocation, or an observation, which is its result.

// isAgentTrace reports whether an object has steps of the orchestration of an agent.
func isAgentTrace(o *shape.Object) bool {
	return o.HasAny("trace traces orchestrationTrace completion events") && strings.Contains(o.Value.Raw(), `"orchestrationTrace"`)
}

// decodeAgentTrace reads the events of agents. The events of one session are one run.
func decodeAgentTrace(d *engine.Decoder, in engine.Batch) {
	var sessions []*agentSession
	for _, v := range in.Values {
		collectSteps(v, "", &sessions, 0)
	}
	for _, s := range sessions {
		r := d.NewRun()
		r.Trajectory.ID = s.id
		waiting := map[string][]int{}
		for _, step := range s.steps {
			agentStep(r, step, waiting)
		}
		r.AddToDocument()
	}
}

// agentSession is the steps of one session, in text order.
type agentSession struct {
	id    string
	steps []*shape.Object
}

// collectSteps appends the steps inside v to their sessions. id is the session's id around
// v, and depth the number of values around v.
func collectSteps(v jsonval.Value, id string, sessions *[]*agentSession, depth int) {
	if depth > 8 {
		return
	}
	if v.Kind() == jsonval.Array {
		for _, e := range v.Elements() {
			collectSteps(e, id, sessions, depth+1)
		}
		return
	}
	o := shape.OpenObject(v)
	if own := o.FirstText("sessionId session_id"); own != "" {
		id = own
	}
	for i, key := range o.Keys {
		switch key {
		case "orchestrationTrace", "routingClassifierTrace", "returnControl":
			steps := []jsonval.Value{o.Values[i]}
			if o.Values[i].Kind() == jsonval.Array {
				steps = o.Values[i].Elements()
			}
			for _, step := range steps {
				addStep(shape.OpenObject(step), id, sessions)
			}
		case "trace", "traces", "completion", "events", "response", "orchestration":
			collectSteps(o.Values[i], id, sessions, depth+1)
		}
	}
}

// addStep adds a step to its session. A step without an id belongs to the last session.
func addStep(step *shape.Object, id string, sessions *[]*agentSession) {
	for _, s := range *sessions {
		if s.id == id {
			s.steps = append(s.steps, step)
			return
		}
	}
	if n := len(*sessions); n > 0 && (id == "" || (*sessions)[n-1].id == "") {
		last := (*sessions)[n-1]
		last.id = shape.IfElse(id != "", id, last.id)
		last.steps = append(last.steps, step)
		return
	}
	*sessions = append(*sessions, &agentSession{id, []*shape.Object{step}})
}

// agentStep reads one step. waiting has the calls without a result, by the trace id of
// their step.
func agentStep(r *engine.Run, o *shape.Object, waiting map[string][]int) {
	input, observation := o.OpenMember("invocationInput"), o.OpenMember("observation")
	if c := agentCall(input); c.Name != "" {
		r.AssistantTurn()
		i := r.AddCall(c)
		id := input.FirstText("traceId")
		waiting[id] = append(waiting[id], i)
	} else if len(input.Keys) > 0 {
		r.Trajectory.Doubt = "an invocation of an unknown kind was not read: " + shape.DescribeValue(input.Value)
		r.Decoder.WarnAt("calls-not-read", r.Trajectory.Doubt, input.Value)
	}
	for _, v := range o.FirstList("invocationInputs") { // the caller must make these calls
		if c := agentCall(shape.OpenObject(v)); c.Name != "" {
			r.AssistantTurn()
			r.AddCall(c)
		}
	}
	if text := observation.OpenMember("finalResponse").FirstText("text"); text != "" {
		r.AddMessage("assistant", text)
	}
	result, ok := agentResult(observation)
	if !ok {
		return
	}
	id := observation.FirstText("traceId")
	if list := waiting[id]; len(list) > 0 {
		r.SetObservation(list[0], result)
		r.AddToolMessage(result.Text)
		waiting[id] = list[1:]
		return
	}
	r.Decoder.WarnAt("result-without-call", "no call waits for this tool result", observation.Value)
}

// agentCall returns the call in the input of an invocation. A function of an action group
// has a name. An operation of an API has none: it gets the one that Bedrock shows to the
// model.
func agentCall(input *shape.Object) engine.Call {
	group := input.OpenMember("actionGroupInvocationInput functionInvocationInput apiInvocationInput")
	switch {
	case group.FirstText("function") != "":
		return engine.Call{Name: group.FirstText("function"), Arguments: parameterObject(group), At: group.Value}
	case group.FirstText("apiPath") != "":
		name := strings.ToUpper(group.FirstText("verb httpMethod")) + "::" + group.FirstText("actionGroupName actionGroup") + "::" + group.FirstText("apiPath")
		return engine.Call{Name: name, Arguments: parameterObject(group), At: group.Value}
	}
	for _, tool := range [...]struct{ member, name string }{
		{"knowledgeBaseLookupInput", "knowledge_base_lookup"}, {"codeInterpreterInvocationInput", "code_interpreter"},
	} {
		if v := input.Get(tool.member); v.Kind() == jsonval.Object {
			return engine.Call{Name: tool.name, Arguments: v, At: v}
		}
	}
	if other := input.OpenMember("agentCollaboratorInvocationInput"); len(other.Keys) > 0 {
		return engine.Call{Name: "AgentCommunication::" + other.FirstText("agentCollaboratorName"), Arguments: other.Get("input"), At: other.Value}
	}
	return engine.Call{}
}

// parameterObject returns the arguments of an operation, which are lists of names, types and
// values. The values are texts.
func parameterObject(group *shape.Object) jsonval.Value {
	var members []string
	add := func(_ string, p jsonval.Value) bool {
		value := p.Get("value")
		raw := value.Raw()
		if inner, err := jsonval.Parse(value.Text()); err == nil && p.Get("type").Text() != "string" && value.Kind() == jsonval.String {
			raw = inner.Raw()
		}
		if raw != "" {
			members = append(members, jsonval.Quoted(p.Get("name").Text())+":"+raw)
		}
		return true
	}
	group.Get("parameters").Each(add)
	group.OpenMember("requestBody").Get("content").Each(func(_ string, list jsonval.Value) bool {
		if properties := list.Get("properties"); properties.Exists() {
			list = properties
		}
		list.Each(add)
		return true
	})
	v, _ := jsonval.Parse("{" + strings.Join(members, ",") + "}")
	return v
}

// agentResult returns the result in an observation, and reports whether it has one.
func agentResult(o *shape.Object) (trajectory.Observation, bool) {
	for i, key := range o.Keys {
		out := shape.OpenObject(o.Values[i])
		switch key {
		case "actionGroupInvocationOutput":
			return shape.NewObservation(out.FirstText("text"), shape.Unsaid), true
		case "knowledgeBaseLookupOutput":
			var texts []string
			for _, e := range out.FirstList("retrievedReferences") {
				texts = append(texts, e.At("content", "text").Text())
			}
			return shape.NewObservation(strings.Join(texts, "\n"), shape.Fine), true
		case "agentCollaboratorInvocationOutput":
			return shape.NewObservation(out.OpenMember("output").FirstText("text"), shape.Unsaid), true
		case "codeInterpreterInvocationOutput":
			if fault := out.FirstText("executionError"); fault != "" {
				return shape.NewObservation(fault, shape.Failed), true
			}
			return shape.NewObservation(out.FirstText("executionOutput"), shape.Fine), true
		case "repromptResponse":
			return shape.NewObservation(out.FirstText("text"), shape.Failed), out.FirstText("source") == "ACTION_GROUP"
		}
	}
	return trajectory.Observation{}, false
}
