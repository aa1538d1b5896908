package format

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
	"github.com/boundcheck/boundcheck/core/read/engine"
	"github.com/boundcheck/boundcheck/core/read/shape"
)

// isDify reports whether an object is a message of Dify with an agent's thoughts, or a page
// of such messages.
func isDify(o *shape.Object) bool {
	return isDifyMessage(o) || shape.InContent(o, "data", isDifyMessage)
}

func isDifyMessage(o *shape.Object) bool {
	return o.IsList("agent_thoughts") && o.HasAny("answer query")
}

// isDifyEvent reports whether an object is a thought in Dify's stream of events.
func isDifyEvent(o *shape.Object) bool {
	return o.FirstString("event") == "agent_thought" && o.HasAny("tool tool_input observation")
}

// decodeDify reads messages. The messages of one conversation are one run, the oldest first.
func decodeDify(d *engine.Decoder, in engine.Batch) {
	var groups [][]*shape.Object
	index := map[string]int{}
	for _, o := range d.OpenKnownRows(in.Values, "data", isDifyMessage) {
		id := difyConversation(o)
		i, known := index[id]
		if !known || id == "" {
			i = len(groups)
			index[id] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], o)
	}
	for _, messages := range groups {
		sortByNumber(messages, "created_at")
		r := d.NewRun()
		r.Trajectory.ID = difyConversation(messages[0])
		for _, m := range messages {
			difyMessage(r, m)
		}
		r.AddToDocument()
	}
}

func difyConversation(o *shape.Object) string { return o.FirstText("conversation_id message_id id") }

// sortByNumber sorts objects by a number. Objects without it keep their places.
func sortByNumber(list []*shape.Object, member string) {
	sort.SliceStable(list, func(i, j int) bool {
		a, okA := list[i].Get(member).Float()
		b, okB := list[j].Get(member).Float()
		return okA && okB && a < b
	})
}

func difyMessage(r *engine.Run, o *shape.Object) {
	r.Took.Enter(o)
	if question := o.FirstText("query"); question != "" {
		r.AddMessage("user", question)
	}
	var thoughts []*shape.Object
	for _, v := range o.FirstList("agent_thoughts") {
		thoughts = append(thoughts, shape.OpenObject(v))
	}
	sortByNumber(thoughts, "position")
	for _, thought := range thoughts {
		r.Took.Enter(thought)
		difyThought(r, thought)
	}
	if answer := o.FirstText("answer"); answer != "" {
		r.AddMessage("assistant", answer)
	}
}

// decodeDifyEvents reads a stream. A thought is sent again when its observation is known.
func decodeDifyEvents(d *engine.Decoder, in engine.Batch) {
	r := d.NewRun()
	var thoughts []*shape.Object
	index := map[string]int{}
	for _, v := range in.Values {
		o := shape.OpenObject(v)
		if r.Trajectory.ID == "" {
			r.Trajectory.ID = o.FirstText("conversation_id message_id")
		}
		if !isDifyEvent(o) {
			continue
		}
		id := o.FirstText("id")
		i, known := index[id]
		if !known || id == "" {
			i = len(thoughts)
			index[id] = i
			thoughts = append(thoughts, nil)
		}
		thoughts[i] = o
	}
	for _, thought := range thoughts {
		difyThought(r, thought)
	}
	r.AddToDocument()
}

// difyThought reads the calls of a thought. Several tools have their names with semicolons
// between them. The input and the observation are objects with a member for each tool, or,
// for one tool, the tool's own.
func difyThought(r *engine.Run, o *shape.Object) {
	if o.FirstText("tool") == "" {
		return
	}
	names := strings.Split(o.FirstText("tool"), ";")
	input, observation := shape.EncodedValue(o.Get("tool_input")), shape.EncodedValue(o.Get("observation"))
	r.AssistantTurn()
	var calls []int
	for i, name := range names {
		c := engine.Call{Name: name, At: o.Value}
		if lastWithName(names, i) { // the object has only the last call of a tool
			c.Arguments = difyMember(input, name, len(names))
		}
		calls = append(calls, r.AddCall(c))
	}
	for i, name := range names {
		result := difyMember(observation, name, len(names))
		if text := engine.ToolText(result); text != "" && lastWithName(names, i) {
			r.SetObservation(calls[i], shape.NewObservation(text, difyFlag(text)))
			r.AddToolMessage(text)
		}
	}
}

func lastWithName(names []string, i int) bool {
	for _, later := range names[i+1:] {
		if later == names[i] {
			return false
		}
	}
	return true
}

// difyMember returns the part of a thought's input or observation that belongs to a tool. n
// is the number of the thought's tools.
func difyMember(v jsonval.Value, name string, n int) jsonval.Value {
	own := v.Get(name)
	if own.Exists() && (n > 1 || v.Len() == 1) {
		return shape.EncodedValue(own)
	}
	if n > 1 && v.Kind() == jsonval.Object {
		return jsonval.Value{}
	}
	return v
}

// difyFaults are the texts with which Dify's engine of tools reports that a call failed.
var difyFaults = [...]string{"tool invoke error: ", "unknown error: ", "there is not a tool named ", "tool parameters validation error: ", "Please check your tool provider credentials"}

func difyFlag(text string) shape.Flag {
	for _, fault := range difyFaults {
		if strings.HasPrefix(text, fault) {
			return shape.Failed
		}
	}
	return shape.Unsaid
}
