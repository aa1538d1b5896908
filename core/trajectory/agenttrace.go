package trajectory

import (
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// Amazon Bedrock's agents answer with a stream of events. An event of the trace has a step
// of the orchestration: the input of an invocation, or an observation, which is its result.

// isAgentTrace reports whether an object has steps of the orchestration of an agent.
func isAgentTrace(o *object) bool {
	return o.hasAny("trace traces orchestrationTrace completion events") && strings.Contains(o.v.Raw(), `"orchestrationTrace"`)
}

// decodeAgentTrace reads the events of agents. The events of one session are one run.
func decodeAgentTrace(d *decoder, in batch) {
	var sessions []*agentSession
	for _, v := range in.values {
		collectSteps(v, "", &sessions, 0)
	}
	for _, s := range sessions {
		r := d.newRun()
		r.t.ID = s.id
		waiting := map[string][]int{}
		for _, step := range s.steps {
			r.agentStep(step, waiting)
		}
		r.addToDocument()
	}
}

// agentSession is the steps of one session, in text order.
type agentSession struct {
	id    string
	steps []*object
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
	o := openObject(v)
	if own := o.firstText("sessionId session_id"); own != "" {
		id = own
	}
	for i, key := range o.keys {
		switch key {
		case "orchestrationTrace", "routingClassifierTrace", "returnControl":
			steps := []jsonval.Value{o.values[i]}
			if o.values[i].Kind() == jsonval.Array {
				steps = o.values[i].Elements()
			}
			for _, step := range steps {
				addStep(openObject(step), id, sessions)
			}
		case "trace", "traces", "completion", "events", "response", "orchestration":
			collectSteps(o.values[i], id, sessions, depth+1)
		}
	}
}

// addStep adds a step to its session. A step without an id belongs to the last session.
func addStep(step *object, id string, sessions *[]*agentSession) {
	for _, s := range *sessions {
		if s.id == id {
			s.steps = append(s.steps, step)
			return
		}
	}
	if n := len(*sessions); n > 0 && (id == "" || (*sessions)[n-1].id == "") {
		last := (*sessions)[n-1]
		last.id = ifElse(id != "", id, last.id)
		last.steps = append(last.steps, step)
		return
	}
	*sessions = append(*sessions, &agentSession{id, []*object{step}})
}

// agentStep reads one step. waiting has the calls without a result, by the trace id of
// their step.
func (r *run) agentStep(o *object, waiting map[string][]int) {
	input, observation := o.openMember("invocationInput"), o.openMember("observation")
	if c := agentCall(input); c.name != "" {
		r.assistantTurn()
		i := r.addCall(c)
		id := input.firstText("traceId")
		waiting[id] = append(waiting[id], i)
	} else if len(input.keys) > 0 {
		r.t.Doubt = "an invocation of an unknown kind was not read: " + describeValue(input.v)
		r.d.warnAt("calls-not-read", r.t.Doubt, input.v)
	}
	for _, v := range o.firstList("invocationInputs") { // the caller must make these calls
		if c := agentCall(openObject(v)); c.name != "" {
			r.assistantTurn()
			r.addCall(c)
		}
	}
	if text := observation.openMember("finalResponse").firstText("text"); text != "" {
		r.addMessage("assistant", text)
	}
	result, ok := agentResult(observation)
	if !ok {
		return
	}
	id := observation.firstText("traceId")
	if list := waiting[id]; len(list) > 0 {
		r.setObservation(list[0], result)
		r.addToolMessage(result.Text)
		waiting[id] = list[1:]
		return
	}
	r.d.warnAt("result-without-call", "no call waits for this tool result", observation.v)
}

// agentCall returns the call in the input of an invocation. A function of an action group
// has a name. An operation of an API has none: it gets the one that Bedrock shows to the
// model.
func agentCall(input *object) call {
	group := input.openMember("actionGroupInvocationInput functionInvocationInput apiInvocationInput")
	switch {
	case group.firstText("function") != "":
		return call{name: group.firstText("function"), arguments: parameterObject(group), at: group.v}
	case group.firstText("apiPath") != "":
		name := strings.ToUpper(group.firstText("verb httpMethod")) + "::" + group.firstText("actionGroupName actionGroup") + "::" + group.firstText("apiPath")
		return call{name: name, arguments: parameterObject(group), at: group.v}
	}
	for _, tool := range [...]struct{ member, name string }{
		{"knowledgeBaseLookupInput", "knowledge_base_lookup"}, {"codeInterpreterInvocationInput", "code_interpreter"},
	} {
		if v := input.get(tool.member); v.Kind() == jsonval.Object {
			return call{name: tool.name, arguments: v, at: v}
		}
	}
	if other := input.openMember("agentCollaboratorInvocationInput"); len(other.keys) > 0 {
		return call{name: "AgentCommunication::" + other.firstText("agentCollaboratorName"), arguments: other.get("input"), at: other.v}
	}
	return call{}
}

// parameterObject returns the arguments of an operation, which are lists of names, types and
// values. The values are texts.
func parameterObject(group *object) jsonval.Value {
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
	group.get("parameters").Each(add)
	group.openMember("requestBody").get("content").Each(func(_ string, list jsonval.Value) bool {
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
func agentResult(o *object) (Observation, bool) {
	for i, key := range o.keys {
		out := openObject(o.values[i])
		switch key {
		case "actionGroupInvocationOutput":
			return newObservation(out.firstText("text"), unsaid), true
		case "knowledgeBaseLookupOutput":
			var texts []string
			for _, e := range out.firstList("retrievedReferences") {
				texts = append(texts, e.At("content", "text").Text())
			}
			return newObservation(strings.Join(texts, "\n"), fine), true
		case "agentCollaboratorInvocationOutput":
			return newObservation(out.openMember("output").firstText("text"), unsaid), true
		case "codeInterpreterInvocationOutput":
			if fault := out.firstText("executionError"); fault != "" {
				return newObservation(fault, failed), true
			}
			return newObservation(out.firstText("executionOutput"), fine), true
		case "repromptResponse":
			return newObservation(out.firstText("text"), failed), out.firstText("source") == "ACTION_GROUP"
		}
	}
	return Observation{}, false
}
