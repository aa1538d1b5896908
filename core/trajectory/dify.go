package trajectory

import (
	"sort"
	"strings"

	"github.com/boundcheck/boundcheck/core/base/jsonval"
)

// isDify reports whether an object is a message of Dify with an agent's thoughts, or a page
// of such messages.
func isDify(o *object) bool {
	return isDifyMessage(o) || inContent(o, "data", isDifyMessage)
}

func isDifyMessage(o *object) bool { return o.isList("agent_thoughts") && o.hasAny("answer query") }

// isDifyEvent reports whether an object is a thought in Dify's stream of events.
func isDifyEvent(o *object) bool {
	return o.firstString("event") == "agent_thought" && o.hasAny("tool tool_input observation")
}

// decodeDify reads messages. The messages of one conversation are one run, the oldest first.
func decodeDify(d *decoder, in batch) {
	var groups [][]*object
	index := map[string]int{}
	for _, o := range d.openKnownRows(in.values, "data", isDifyMessage) {
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
		r := d.newRun()
		r.t.ID = difyConversation(messages[0])
		for _, m := range messages {
			r.difyMessage(m)
		}
		r.addToDocument()
	}
}

func difyConversation(o *object) string { return o.firstText("conversation_id message_id id") }

// sortByNumber sorts objects by a number. Objects without it keep their places.
func sortByNumber(list []*object, member string) {
	sort.SliceStable(list, func(i, j int) bool {
		a, okA := list[i].get(member).Float()
		b, okB := list[j].get(member).Float()
		return okA && okB && a < b
	})
}

func (r *run) difyMessage(o *object) {
	if question := o.firstText("query"); question != "" {
		r.addMessage("user", question)
	}
	var thoughts []*object
	for _, v := range o.firstList("agent_thoughts") {
		thoughts = append(thoughts, openObject(v))
	}
	sortByNumber(thoughts, "position")
	for _, thought := range thoughts {
		r.difyThought(thought)
	}
	if answer := o.firstText("answer"); answer != "" {
		r.addMessage("assistant", answer)
	}
}

// decodeDifyEvents reads a stream. A thought is sent again when its observation is known.
func decodeDifyEvents(d *decoder, in batch) {
	r := d.newRun()
	var thoughts []*object
	index := map[string]int{}
	for _, v := range in.values {
		o := openObject(v)
		if r.t.ID == "" {
			r.t.ID = o.firstText("conversation_id message_id")
		}
		if !isDifyEvent(o) {
			continue
		}
		id := o.firstText("id")
		i, known := index[id]
		if !known || id == "" {
			i = len(thoughts)
			index[id] = i
			thoughts = append(thoughts, nil)
		}
		thoughts[i] = o
	}
	for _, thought := range thoughts {
		r.difyThought(thought)
	}
	r.addToDocument()
}

// difyThought reads the calls of a thought. Several tools have their names with semicolons
// between them. The input and the observation are objects with a member for each tool, or,
// for one tool, the tool's own.
func (r *run) difyThought(o *object) {
	if o.firstText("tool") == "" {
		return
	}
	names := strings.Split(o.firstText("tool"), ";")
	input, observation := encodedValue(o.get("tool_input")), encodedValue(o.get("observation"))
	r.assistantTurn()
	var calls []int
	for i, name := range names {
		c := call{name: name, at: o.v}
		if lastWithName(names, i) { // the object has only the last call of a tool
			c.arguments = difyMember(input, name, len(names))
		}
		calls = append(calls, r.addCall(c))
	}
	for i, name := range names {
		result := difyMember(observation, name, len(names))
		if text := toolText(result); text != "" && lastWithName(names, i) {
			r.setObservation(calls[i], newObservation(text, difyFlag(text)))
			r.addToolMessage(text)
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
		return encodedValue(own)
	}
	if n > 1 && v.Kind() == jsonval.Object {
		return jsonval.Value{}
	}
	return v
}

// difyFaults are the texts with which Dify's engine of tools reports that a call failed.
var difyFaults = [...]string{"tool invoke error: ", "unknown error: ", "there is not a tool named ", "tool parameters validation error: ", "Please check your tool provider credentials"}

func difyFlag(text string) flag {
	for _, fault := range difyFaults {
		if strings.HasPrefix(text, fault) {
			return failed
		}
	}
	return unsaid
}
